import { compare, type Operation } from "fast-json-patch";

type Fields = Record<string, unknown>;

/**
 * The JSON Patch that turns `before` into `desired`, in the one form the service shows: `replace` of a top-level field.
 * Only `names` count. A field that is no longer declared is cleared with "".
 */
export function patchFor(before: Fields, desired: Fields, names: readonly string[]): Operation[] {
  return compare(comparable(before, names), comparable(desired, names)).map(({ path }) => ({
    op: "replace",
    path,
    value: comparable(desired, names)[path.slice(1)],
  }));
}

/** Absent and "" are one: the service returns either for a text that was never set. */
function comparable(fields: Fields, names: readonly string[]): Fields {
  const picked: Fields = {};
  for (const name of names) picked[name] = (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? "";
  return picked;
}
