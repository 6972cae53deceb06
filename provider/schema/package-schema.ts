import { z } from "zod";
import { settingDeclarations } from "../config";
import { accountDescription, accountFields, accountOutputFields } from "../resources/account";
import { customerDescription, customerFields, customerOutputFields, profileFields } from "../resources/customer";
import { marksOf } from "./fields";

/** The Pulumi package schema, made from the field and setting declarations. */
export function packageSchema(version: string): object {
  return {
    name: "reseller",
    displayName: "Reseller",
    version,
    description: "Reseller accounts of an enterprise, declared in code.",
    keywords: ["pulumi", "reseller", "category/infrastructure"],
    config: { variables: settings() },
    provider: { description: "How the service is reached.", inputProperties: settings() },
    resources: {
      "reseller:index:Account": resource(accountDescription, accountFields, accountOutputFields),
      "reseller:index:Customer": resource(customerDescription, customerFields, customerOutputFields),
    },
    types: {
      "reseller:index:PbxConnectionProfile": {
        type: "object",
        description: "Connection data for a customer's telephone system.",
        properties: mapValues(profileFields, property),
        required: required(profileFields),
      },
    },
    language: { nodejs: { packageName: "pulumi-reseller" } },
  };
}

function settings(): object {
  return mapValues(settingDeclarations, (declaration) => ({
    type: "string",
    description: declaration.description,
    defaultInfo: { environment: [declaration.environment] },
    ...("secret" in declaration ? { secret: true } : {}),
  }));
}

function resource(description: string, inputs: z.ZodRawShape, outputs: z.ZodRawShape): object {
  return {
    description,
    properties: { ...mapValues(inputs, property), ...mapValues(outputs, property) },
    required: required(inputs),
    inputProperties: mapValues(inputs, property),
    requiredInputs: required(inputs),
  };
}

function required(shape: z.ZodRawShape): string[] {
  return Object.keys(shape).filter((name) => !(shape[name] as z.ZodType).safeParse(undefined).success);
}

function property(type: unknown): object {
  const declared = type as z.ZodType;
  const { description, secret } = marksOf(declared);
  const { type: name, anyOf } = z.toJSONSchema(declared, { unrepresentable: "any" });
  const oneOf = anyOf?.map(({ type }) => ({ type }));
  const typed = name === "object" ? { $ref: "#/types/reseller:index:PbxConnectionProfile" } : { type: name, oneOf };
  return { ...typed, description, ...(secret ? { secret } : {}) };
}

function mapValues<V>(from: Record<string, V>, change: (value: V) => object): Record<string, object> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value)]));
}
