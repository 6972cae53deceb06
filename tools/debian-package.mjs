import { spawnSync } from "node:child_process";

const options = ["-y", "-qq", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=120"];
// Where a setting of the machine's own is in the way of a package's, it stays.
const settings = ["-o", "Dpkg::Options::=--force-confold"];

function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { error, status, stderr } = spawnSync("apt-get", [...options, ...settings, ...args], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (error?.code === "ENOENT") return "there is no apt-get on this machine";
  if (status === 0) return undefined;
  const lines = (stderr ?? "").split("\n").filter((line) => line.startsWith("E: "));
  return `apt-get ${args.join(" ")}: ${lines.at(-1)?.slice(3) ?? `ended with ${status ?? error?.message}`}`;
}

/**
 * Installs a package of the system, where that asks nobody anything: on Debian and its kin, as root.
 * @returns undefined, or the reason why it is not installed
 */
export function installDebianPackage(name) {
  if (process.getuid?.() !== 0) return "installing it takes root";
  console.log(`${name}: installing the system's package (about half a minute)`);
  // A fresh machine has no list of packages yet, an old one a list that names versions long gone.
  return aptGet("install", name) && (aptGet("update") ?? aptGet("install", name));
}
