import { applyPatch, type Operation } from "fast-json-patch";
import { z } from "zod";
import { checked, invalid, readJson } from "./body";
import type { Call } from "./context";
import { Refused } from "./respond";

const operations = z.array(z.looseObject({ op: z.string(), path: z.string() }));

/**
 * Applies the JSON Patch (RFC 6902) in a request body to the writable fields of a record and checks the outcome.
 * Service document: "Endpoints › Accounts", PATCH.
 * @param fields the writable fields and their present values
 * @param schema what they must look like afterwards
 * @param nested fields inside which a path may point
 * @throws Refused with 400 or 415; nothing is changed then
 */
export function patched<T extends object>(
  call: Call,
  fields: T,
  schema: z.ZodType<T>,
  nested: readonly string[] = [],
): T {
  const body = readJson(call, ["application/json", "application/json-patch+json"]);
  const patch = checked(operations, body);
  for (const { path, from } of patch) {
    for (const pointer of [path, from]) {
      if (typeof pointer === "string" && !reachable(pointer, fields, nested)) {
        throw invalid({ [pointer]: [`The target location '${pointer}' is not known or can't be changed.`] });
      }
    }
  }
  try {
    const outcome = applyPatch(fields, patch as unknown as Operation[], true, false).newDocument;
    return checked(schema, outcome);
  } catch (error) {
    if (error instanceof Refused) throw error;
    const message = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "";
    throw invalid({ "": [`The JSON patch can't be applied: ${message}`] });
  }
}

function reachable(pointer: string, fields: object, nested: readonly string[]): boolean {
  const [root, field = "", ...rest] = pointer.split("/");
  if (root !== "" || !Object.hasOwn(fields, field)) return false;
  return rest.length === 0 || (rest.length === 1 && nested.includes(field));
}
