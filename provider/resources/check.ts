import { closest, distance } from "fastest-levenshtein";
import type { z } from "zod";

export interface CheckFailure {
  property: string;
  reason: string;
}

/** How the engine's dynamic host spells a value that is not known yet, whatever its type. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/**
 * Validates inputs field by field. Unknown values pass: they are checked once they are known.
 * Properties that are not declared are refused with the nearest name.
 */
export function checkInputs(shape: z.ZodRawShape, inputs: Record<string, unknown>): CheckFailure[] {
  const failures: CheckFailure[] = [];
  for (const property of Object.keys(inputs)) {
    if (!Object.hasOwn(shape, property) && !property.startsWith("__")) {
      failures.push({
        property,
        reason: `${property} is not a property here${suggestion(property, Object.keys(shape))}`,
      });
    }
  }
  for (const [property, type] of Object.entries(shape)) {
    const value = Object.hasOwn(inputs, property) ? inputs[property] : undefined;
    if (value === unknownValue) continue;
    const result = (type as z.ZodType).safeParse(value);
    if (result.success) continue;
    const issue = result.error.issues.find(({ path }) => valueAt(value, path) !== unknownValue);
    if (issue === undefined) continue;
    const path = [property, ...issue.path].join(".");
    failures.push({
      property: path,
      reason: `${path} ${valueAt(value, issue.path) === undefined ? "is required" : issue.message}`,
    });
  }
  return failures;
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce(
    (at, key) => (typeof at === "object" && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    value,
  );
}

function suggestion(property: string, names: string[]): string {
  const nearest = closest(property, names);
  return distance(property.toLowerCase(), nearest.toLowerCase()) <= 3
    ? `; did you mean ${nearest}?`
    : `; there are ${names.join(", ")}`;
}
