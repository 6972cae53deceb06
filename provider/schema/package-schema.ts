import { z } from "zod";
import { settingDeclarations } from "../config";
import { accountsArguments } from "../functions/accounts";
import { accountDescription, accountFields, accountOutputFields } from "../resources/account";
import { customerDescription, customerFields, customerOutputFields } from "../resources/customer";
import { type Example, withExample } from "./examples";
import { marksOf } from "./fields";
import { functions } from "./functions";
import { languages } from "./languages";

/** The Pulumi package schema, made from the declarations of fields, settings and functions, and from the examples. */
export function packageSchema(version: string, examples: Record<string, Example>): object {
  const types = new Map<string, object>();
  const accountExplained = withExample(accountDescription, examples["Account"]);
  const customerExplained = withExample(customerDescription, examples["Customer"]);
  return {
    name: "reseller",
    displayName: "Reseller",
    version,
    description: "Reseller accounts of an enterprise, declared in code.",
    keywords: ["pulumi", "reseller", "category/infrastructure"],
    config: {
      variables: mapValues(settingDeclarations, (setting) => ({
        ...settingProperty(setting),
        defaultInfo: { environment: [setting.environment] },
      })),
    },
    // No environment defaults here: an SDK would copy them into state, where a token is stale at the next run. The
    // plugin itself reads them.
    provider: {
      description: "How the service is reached.",
      inputProperties: mapValues(settingDeclarations, ofProvider),
    },
    resources: {
      "reseller:index:Account": {
        ...resource(accountExplained, accountFields, accountOutputFields, types),
        listInputs: object(accountsArguments, types),
      },
      "reseller:index:Customer": resource(customerExplained, customerFields, customerOutputFields, types),
    },
    functions: Object.fromEntries(
      Object.entries(functions).map(([name, { description, inputs, outputs }]) => [
        `reseller:index:${name}`,
        {
          description: withExample(description, examples[name]),
          inputs: object(inputs, types),
          outputs: object(outputs, types),
        },
      ]),
    ),
    types: Object.fromEntries([...types].sort(([one], [other]) => (one < other ? -1 : 1))),
    language: languages,
  };
}

interface Setting {
  description: string;
  environment: string;
  secret?: true;
}

function settingProperty({ description, secret }: Setting): object {
  return { type: "string", description, ...(secret ? { secret } : {}) };
}

function ofProvider({ description, environment, ...setting }: Setting): object {
  return settingProperty({ ...setting, environment, description: `${description} Default: $${environment}.` });
}

type Types = Map<string, object>;

function resource(description: string, inputs: z.ZodRawShape, outputs: z.ZodRawShape, types: Types): object {
  const declared = object(inputs, types);
  return {
    description,
    properties: { ...declared.properties, ...object(outputs, types).properties },
    required: declared.required,
    inputProperties: declared.properties,
    requiredInputs: declared.required,
  };
}

function object(shape: z.ZodRawShape, types: Types) {
  const named = Object.entries(shape).map(([name, type]): [string, z.ZodType] => {
    const declared = type as z.ZodType;
    return [marksOf(declared).schemaName ?? name, declared];
  });
  return {
    type: "object",
    properties: Object.fromEntries(named.map(([name, type]) => [name, property(type, types)])),
    required: named.flatMap(([name, type]) => (type.safeParse(undefined).success ? [] : [name])),
  };
}

function property(type: z.ZodType, types: Types): object {
  const { description, secret } = marksOf(type);
  return { ...typeOf(type, types), description, ...(secret ? { secret } : {}) };
}

function typeOf(type: unknown, types: Types): object {
  if (type instanceof z.ZodOptional) return typeOf(type.unwrap(), types);
  if (type instanceof z.ZodUnion) return { oneOf: type.options.map((option) => typeOf(option, types)) };
  if (type instanceof z.ZodArray) return { type: "array", items: typeOf(type.element, types) };
  if (type instanceof z.ZodRecord) return { type: "object", additionalProperties: typeOf(type.valueType, types) };
  if (type instanceof z.ZodUnknown) return { $ref: "pulumi.json#/Any" };
  if (type instanceof z.ZodObject) return reference(type, () => object(type.shape, types), types);
  if (type instanceof z.ZodEnum) {
    const values = type.options.map((value) => ({ value }));
    return reference(type, () => ({ type: "string", enum: values }), types);
  }
  return { type: z.toJSONSchema(type as z.ZodType, { unrepresentable: "any" }).type };
}

function reference(type: z.ZodType, make: () => object, types: Types): object {
  const { typeName, description } = marksOf(type);
  const token = `reseller:index:${typeName ?? ""}`;
  if (!types.has(token)) types.set(token, { description, ...make() });
  return { $ref: `#/types/${token}` };
}

function mapValues<V, R>(from: Record<string, V>, change: (value: V) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value)]));
}
