import { z } from "zod";

/** What a field is besides its type. Kept in zod's metadata, so that a field is declared once. */
export interface FieldMarks {
  description: string;
  /** Sent to the service, never returned by it: state keeps what was sent. */
  writeOnly?: true;
  /** Steers this provider and never travels to the service. */
  local?: true;
  /** Always kept encrypted in state. */
  secret?: true;
}

export function field<T extends z.ZodType>(type: T, marks: FieldMarks): T {
  return type.meta({ ...marks });
}

export function marksOf(type: z.ZodType): FieldMarks {
  return type.meta() as unknown as FieldMarks;
}

/** Names of the fields for which `test` holds. */
export function fieldsWhere<S extends z.ZodRawShape>(
  shape: S,
  test: (marks: FieldMarks) => boolean,
): (keyof S & string)[] {
  return Object.keys(shape).filter((name) => test(marksOf(shape[name] as unknown as z.ZodType)));
}

/** The named fields that have a value. Own properties only, so that nothing inherited slips in. */
export function pick(from: object, names: readonly string[]): Record<string, unknown> {
  const source = from as Record<string, unknown>;
  const present = names.filter(
    (name) => Object.hasOwn(source, name) && source[name] !== undefined && source[name] !== null,
  );
  return Object.fromEntries(present.map((name) => [name, source[name]]));
}

/** Where secrets are among the fields of `shape`, as paths of property names. */
export function secretPaths(shape: z.ZodRawShape): string[][] {
  return Object.entries(shape).flatMap(([name, declared]) => {
    const type = declared as z.ZodType;
    if (marksOf(type).secret) return [[name]];
    const inner = type instanceof z.ZodOptional ? type.unwrap() : type;
    return inner instanceof z.ZodObject ? secretPaths(inner.shape).map((path) => [name, ...path]) : [];
  });
}
