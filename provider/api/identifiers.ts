import { InvalidArgumentError } from "../errors";

// An allow-list: letters, digits, - and _ cannot change a path, whatever joins them.
const identifier = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

export function isIdentifier(value: string): boolean {
  return identifier.test(value);
}

/**
 * Checks an identifier before it becomes part of an address.
 * @throws InvalidArgumentError naming `property`.
 */
export function checkIdentifier(property: string, value: string): string {
  if (isIdentifier(value)) return value;
  throw new InvalidArgumentError(property, {
    doing: `use ${JSON.stringify(value.slice(0, 60))} as ${property}`,
    said: "an identifier has letters, digits, - and _ only, 128 characters at most.",
    next: "Copy it from the portal or from a stack output. Nothing was sent.",
  });
}
