// A newer major version may change the protocol that the provider and the stand-in language host speak.
export const supported = { from: [3, 200, 0], below: 4 };
export const supportedText = `>= ${supported.from.join(".")} < ${supported.below}`;

export function isSupported(version) {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (!parts || parts[0] >= supported.below) return false;
  const differs = parts.findIndex((part, i) => part !== supported.from[i]);
  return differs === -1 || parts[differs] > supported.from[differs];
}
