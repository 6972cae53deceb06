import type { Answer } from "./http";
import { isIdentifier } from "./identifiers";

/**
 * What a write answered: the service document leaves the body open, so each part may be missing.
 * `record` is the body's record, in the envelope or bare; `id` also comes from a Location header.
 */
export function written(answer: Answer, collection: string): { id: string | undefined; record: unknown } {
  const record = fieldOf(answer.body, "data") ?? answer.body;
  const id = fieldOf(record, "id");
  return { id: typeof id === "string" && isIdentifier(id) ? id : idFromLocation(answer.location, collection), record };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function idFromLocation(location: string | undefined, collection: string): string | undefined {
  const [id, parent] = (location ?? "").replace(/\/$/, "").split("/").reverse();
  return parent === collection && id !== undefined && isIdentifier(id) ? id : undefined;
}
