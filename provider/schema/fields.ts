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
  /** Its name in the package schema, where the service's own would be none in every language. */
  schemaName?: string;
  /** The name of an object or enumeration in the package schema. */
  typeName?: string;
}

export function field<T extends z.ZodType>(type: T, marks: FieldMarks): T {
  return type.meta({ ...marks });
}

/** An object that the package schema has under a name of its own. */
export function describedType<S extends z.ZodRawShape>(
  typeName: string,
  description: string,
  shape: S,
): z.ZodObject<S> {
  return z.object(shape).meta({ typeName, description });
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

/** Every field of `shape` and of the objects inside, with its path. */
function* everyField(shape: z.ZodRawShape, at: string[] = []): Generator<{ path: string[]; marks: FieldMarks }> {
  for (const [name, declared] of Object.entries(shape)) {
    const path = [...at, name];
    yield { path, marks: marksOf(declared as z.ZodType) };
    const inner = declared instanceof z.ZodOptional ? declared.unwrap() : declared;
    if (inner instanceof z.ZodObject) yield* everyField(inner.shape, path);
  }
}

/** Where secrets are among the fields of `shape`, as paths of property names. */
export function secretPaths(shape: z.ZodRawShape): string[][] {
  return [...everyField(shape)].filter(({ marks }) => marks.secret).map(({ path }) => path);
}

/** The names that differ in the package schema: ours → the schema's. */
export function schemaNames(shape: z.ZodRawShape): Map<string, string> {
  return new Map(
    [...everyField(shape)].flatMap(({ path, marks }) =>
      marks.schemaName === undefined ? [] : [[path.at(-1) ?? "", marks.schemaName]],
    ),
  );
}
