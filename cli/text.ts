/**
 * What the service said as a literal of TypeScript and of JSON. Nothing in it ends the literal, and characters that a
 * reader would not see, or that reorder what is seen, are written as escapes.
 */
export function literal(value: string | number | boolean | object): string {
  return JSON.stringify(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** What went wrong, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
