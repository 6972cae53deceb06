import { Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import { secretSignature, signatureKey } from "../engine-marks";
import { unknownValue } from "../resources/check";

/** The engine's spelling of properties, in which secrets and values not known yet stand among plain ones. */

/** Property names from the outside in; an index of a list is its text. */
export type Path = readonly string[];

export interface Unwrapped {
  fields: Record<string, unknown>;
  /** Where secrets were. They are plain in `fields`. */
  secrets: Path[];
}

/** One for each type a value may turn out to have; inside, the first stands for all. */
const unknowns = new Set([
  unknownValue,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Names that differ: the core's → the schema's. */
export type Names = ReadonlyMap<string, string>;

const none: Names = new Map();

/** Takes properties out of their message, under the core's names. What is not set counts as empty. */
export function unwrap(message: Struct | undefined, names: Names = none): Unwrapped {
  const secrets: Path[] = [];
  const ofCore = new Map([...names].map(([core, schema]) => [schema, core]));
  return { fields: message ? fieldsOf(message, [], secrets, ofCore) : {}, secrets };
}

function fieldsOf(message: Struct, at: Path, secrets: Path[], names: Names): Record<string, unknown> {
  // fromEntries makes own properties of all keys, `__proto__` among them.
  return Object.fromEntries(
    message
      .getFieldsMap()
      .getEntryList()
      .map(([key]) => {
        const name = names.get(key) ?? key;
        return [name, plain(message.getFieldsMap().get(key), [...at, name], secrets, names)];
      }),
  );
}

function plain(value: Value | undefined, at: Path, secrets: Path[], names: Names): unknown {
  switch (value?.getKindCase()) {
    case Value.KindCase.BOOL_VALUE:
      return value.getBoolValue();
    case Value.KindCase.NUMBER_VALUE:
      return value.getNumberValue();
    case Value.KindCase.STRING_VALUE:
      return unknowns.has(value.getStringValue()) ? unknownValue : value.getStringValue();
    case Value.KindCase.LIST_VALUE:
      return (value.getListValue()?.getValuesList() ?? []).map((member, index) =>
        plain(member, [...at, String(index)], secrets, names),
      );
    case Value.KindCase.STRUCT_VALUE: {
      const inner = value.getStructValue();
      if (inner?.getFieldsMap().get(signatureKey)?.getStringValue() !== secretSignature) {
        return inner ? fieldsOf(inner, at, secrets, names) : {};
      }
      secrets.push(at);
      return plain(inner.getFieldsMap().get("value"), at, secrets, names);
    }
    default:
      return undefined;
  }
}

/** Puts properties into a message, marking what lies at these paths as secret. What is undefined stays out. */
export function wrap(fields: object, secrets: readonly Path[] = [], names: Names = none): Struct {
  const marked = mark(fields, [], { secrets: new Set(secrets.map((path) => JSON.stringify(path))), names });
  return Struct.fromJavaScript(marked as Parameters<typeof Struct.fromJavaScript>[0]);
}

interface Marking {
  secrets: ReadonlySet<string>;
  names: Names;
}

function mark(value: unknown, at: Path, marking: Marking): unknown {
  const inside = within(value, at, marking);
  if (at.length === 0 || !marking.secrets.has(JSON.stringify(at))) return inside;
  return { [signatureKey]: secretSignature, value: inside };
}

function within(value: unknown, at: Path, marking: Marking): unknown {
  if (Array.isArray(value)) return value.map((member, index) => mark(member ?? null, [...at, String(index)], marking));
  if (typeof value !== "object" || value === null) return value;
  const present = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    present.map(([key, member]) => [marking.names.get(key) ?? key, mark(member, [...at, key], marking)]),
  );
}
