/**
 * What the engine keeps in state as the code of a customer. Installed from the package, this module is captured as one
 * `require` of its path; linked, its functions are captured as they stand here. Either way they reach the installed
 * package by name, so logic follows the package's version. Keep it so: no imports, no helpers, no newer syntax, and the
 * path in every later version.
 */
/* eslint-disable @typescript-eslint/no-require-imports, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access */

export function configure(request: unknown): void {
  return require("pulumi-reseller/provider").customerHost.configure(request);
}

export function check(olds: unknown, news: unknown) {
  return require("pulumi-reseller/provider").customerHost.check(olds, news);
}

export function diff(id: string, olds: unknown, news: unknown) {
  return require("pulumi-reseller/provider").customerHost.diff(id, olds, news);
}

export function create(inputs: unknown) {
  return require("pulumi-reseller/provider").customerHost.create(inputs);
}

export function read(id: string, props: unknown) {
  return require("pulumi-reseller/provider").customerHost.read(id, props);
}

export function update(id: string, olds: unknown, news: unknown) {
  return require("pulumi-reseller/provider").customerHost.update(id, olds, news);
}

function remove(id: string, props: unknown) {
  return require("pulumi-reseller/provider").customerHost.delete(id, props);
}
export { remove as delete };
