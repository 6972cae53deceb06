import committed from "../../../schema.json";
import { version } from "../../../package.json";
import { settingDeclarations } from "../../../provider/config";
import { accountFields } from "../../../provider/resources/account";
import { customerFields, profileFields } from "../../../provider/resources/customer";
import { packageSchema } from "../../../provider/schema/package-schema";

interface Typed {
  type?: string;
  $ref?: string;
  oneOf?: Typed[];
  description?: string;
  secret?: boolean;
}
interface Described {
  description?: string;
  properties: Record<string, Typed>;
  required: string[];
  inputProperties: Record<string, Typed>;
  requiredInputs: string[];
}
interface Schema {
  name: string;
  version: string;
  config: { variables: Record<string, Typed> };
  provider: { inputProperties: Record<string, Typed> };
  resources: Record<string, Described>;
  types: Record<string, Pick<Described, "description" | "properties" | "required"> & { type: string }>;
}

const schema = packageSchema(version) as Schema;
const customer = schema.resources["reseller:index:Customer"];
const account = schema.resources["reseller:index:Account"];
const profile = schema.types["reseller:index:PbxConnectionProfile"];

/** Every object anywhere in a value. */
function* objects(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  yield value as Record<string, unknown>;
  for (const inside of Object.values(value)) yield* objects(inside);
}

describe("the package schema", () => {
  it("is what schema.json holds: `make schema` writes it", () => {
    expect(committed).toEqual(schema);
  });

  it("carries the version it is given", () => {
    expect(packageSchema("7.8.9")).toEqual({ ...schema, version: "7.8.9" });
  });

  it("refers only to types that it holds", () => {
    const references = [...objects(schema)].flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) {
      expect(reference).toMatch(/^#\/types\//);
      expect(schema.types).toHaveProperty([decodeURIComponent(reference.slice("#/types/".length))]);
    }
  });

  it("gives each property a type, only adopt of an account one of two, and a description", () => {
    const properties = [
      ...Object.values(schema.resources).flatMap(({ properties, inputProperties }) => [properties, inputProperties]),
      ...Object.values(schema.types).map(({ properties }) => properties),
    ].flatMap((described) => Object.entries(described));
    for (const [name, { type, $ref, oneOf, description }] of properties) {
      expect({ name, type: type ?? $ref ?? oneOf }).toEqual({
        name,
        type:
          name === "adopt" && oneOf
            ? [{ type: "string" }, { type: "boolean" }]
            : (expect.stringMatching(/^(string|boolean|#\/types\/.+)$/) as string),
      });
      expect(description).toBeTruthy();
    }
  });

  it("requires only properties that it declares", () => {
    for (const { properties, required, inputProperties, requiredInputs } of Object.values(schema.resources)) {
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
      expect(Object.keys(inputProperties)).toEqual(expect.arrayContaining(requiredInputs));
    }
  });
});

describe("the resources in it", () => {
  it("are what is declared", () => {
    expect(Object.keys(schema.resources)).toEqual(["reseller:index:Account", "reseller:index:Customer"]);
    expect(Object.keys(account?.inputProperties ?? {})).toEqual(Object.keys(accountFields));
    expect(Object.keys(customer?.inputProperties ?? {})).toEqual(Object.keys(customerFields));
    expect(account?.requiredInputs).toEqual(["name"]);
    expect(customer?.requiredInputs).toEqual(["name"]);
  });

  it("have the types that are declared", () => {
    expect(customer?.inputProperties).toMatchObject({
      name: { type: "string" },
      enabled: { type: "boolean" },
      acceptCharges: { type: "boolean" },
      adopt: { type: "string" },
      pbxConnectionProfile: { $ref: "#/types/reseller:index:PbxConnectionProfile" },
    });
    expect(account?.properties).toMatchObject({ parentTenantId: { type: "string" }, dateCreated: { type: "string" } });
    expect(account?.inputProperties).not.toHaveProperty("dateCreated");
  });

  it("have a profile whose key is secret and whose fields are all required", () => {
    expect(profile?.type).toBe("object");
    expect(Object.keys(profile?.properties ?? {})).toEqual(Object.keys(profileFields));
    expect(profile?.required).toEqual(Object.keys(profileFields));
    const secret = Object.entries(profile?.properties ?? {}).filter(([, property]) => property.secret === true);
    expect(secret.map(([name]) => name)).toEqual(["apiKey"]);
  });
});

describe("the settings in it", () => {
  it("are the same for the configuration and for a provider of its own, secrets marked", () => {
    const { variables } = schema.config;
    expect(schema.provider.inputProperties).toEqual(variables);
    expect(Object.keys(variables)).toEqual(Object.keys(settingDeclarations));
    const secret = Object.keys(variables).filter((name) => variables[name]?.secret === true);
    expect(secret).toEqual(["clientSecret", "refreshToken", "accessToken"]);
  });

  it("name the environment variable each is read from", () => {
    for (const [name, { environment }] of Object.entries(settingDeclarations)) {
      expect(schema.config.variables[name]).toMatchObject({ defaultInfo: { environment: [environment] } });
    }
  });
});
