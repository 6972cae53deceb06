import { compare, type Operation } from "fast-json-patch";

type Fields = Record<string, unknown>;

/**
 * The JSON Patch that turns `before` into `desired`, in the one form the service shows: `replace`.
 * Only `names` count. A field that is no longer declared is cleared: a text with "", an object with null.
 */
export function patchFor(before: Fields, desired: Fields, names: readonly string[]): Operation[] {
  const from = comparable(before, names);
  const to = comparable(desired, names);
  const operations = new Map<string, Operation>();
  for (const operation of compare(from, to)) {
    const field = operation.path.split("/")[1] ?? "";
    // What was added to or removed from inside an object replaces the object whole.
    const value = to[field] === "" && typeof from[field] === "object" ? null : to[field];
    const replacement: Operation =
      operation.op === "replace" && value !== null ? operation : { op: "replace", path: `/${field}`, value };
    operations.set(replacement.path, replacement);
  }
  return [...operations.values()].filter(({ path }) => {
    const [, field, inside] = path.split("/");
    return inside === undefined || !operations.has(`/${field}`);
  });
}

/** Where `before` and `desired` differ, as paths of property names. */
export function changedPaths(before: Fields, desired: Fields, names: readonly string[]): string[][] {
  return patchFor(before, desired, names).map(({ path }) => path.slice(1).split("/"));
}

/** What a comparison says: `properties` are the paths that differ, `notices` what to tell before the change is sent. */
export interface Difference {
  changes: boolean;
  replaces: string[];
  properties: string[][];
  notices: string[];
}

/** Absent and "" are one: the service returns either for a text that was never set. */
function comparable(fields: Fields, names: readonly string[]): Fields {
  const picked: Fields = {};
  for (const name of names) picked[name] = (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? "";
  return picked;
}
