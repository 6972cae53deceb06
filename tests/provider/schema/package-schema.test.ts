import { join } from "node:path";
import committed from "../../../schema.json";
import { version } from "../../../package.json";
import { settingDeclarations } from "../../../provider/config";
import { accountFields } from "../../../provider/resources/account";
import { customerFields, profileFields } from "../../../provider/resources/customer";
import { readExamples } from "../../../provider/schema/examples";
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
type ObjectType = Pick<Described, "description" | "properties" | "required"> & { type: string };
interface Schema {
  name: string;
  version: string;
  config: { variables: Record<string, Typed> };
  provider: { inputProperties: Record<string, Typed> };
  resources: Record<string, Described>;
  functions: Record<string, { description: string; inputs: ObjectType; outputs: ObjectType }>;
  types: Record<string, ObjectType & { enum?: { value: string }[] }>;
}

const examples = readExamples(join(__dirname, "../../../docs/examples"));
const schema = packageSchema(version, examples) as Schema;
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
    expect(packageSchema("7.8.9", examples)).toEqual({ ...schema, version: "7.8.9" });
  });

  it("refers only to types that it holds", () => {
    const references = [...objects(schema)].flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) {
      if (reference === "pulumi.json#/Any") continue;
      expect(reference).toMatch(/^#\/types\//);
      expect(schema.types).toHaveProperty([decodeURIComponent(reference.slice("#/types/".length))]);
    }
  });

  it("gives each property a type, only adopt of an account one of two, and a description", () => {
    const properties = [
      ...Object.values(schema.resources).flatMap(({ properties, inputProperties }) => [properties, inputProperties]),
      ...Object.values(schema.functions).flatMap(({ inputs, outputs }) => [inputs.properties, outputs.properties]),
      ...Object.values(schema.types).map(({ properties = {} }: Partial<ObjectType>) => properties),
    ].flatMap((described) => Object.entries(described));
    for (const [name, { type, $ref, oneOf, description }] of properties) {
      expect({ name, type: type ?? $ref ?? oneOf }).toEqual({
        name,
        type:
          name === "adopt" && oneOf
            ? [{ type: "string" }, { type: "boolean" }]
            : (expect.stringMatching(/^(string|boolean|integer|array|object|#\/types\/.+)$/) as string),
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
    // `_type` would be no name that programs in Go could use.
    const names = Object.keys(profileFields).map((name) => (name === "_type" ? "kind" : name));
    expect(Object.keys(profile?.properties ?? {})).toEqual(names);
    expect(profile?.required).toEqual(names);
    const secret = Object.entries(profile?.properties ?? {}).filter(([, property]) => property.secret === true);
    expect(secret.map(([name]) => name)).toEqual(["apiKey"]);
  });
});

describe("the functions in it", () => {
  it("describe an invoice's items with the operators that occur", () => {
    expect(schema.types["reseller:index:Operator"]?.enum).toEqual([
      { value: "PRICE" },
      { value: "SUM" },
      { value: "ADJUSTPERCENTAGE" },
    ]);
    expect(schema.types["reseller:index:InvoiceItem"]?.properties["operatorUsed"]).toMatchObject({
      $ref: "#/types/reseller:index:Operator",
    });
  });

  it("require what the functions require", () => {
    const required = Object.entries(schema.functions).map(([name, { inputs }]) => [
      name.split(":")[2],
      inputs.required,
    ]);
    expect(Object.fromEntries(required)).toEqual({
      getAccount: [],
      getAccounts: [],
      getAccountMetrics: ["id"],
      getInvoices: [],
      getInvoice: ["invoiceId"],
      getInvoiceDetail: ["invoiceId"],
      getInvoiceSummary: ["invoiceId"],
      reconcileInvoice: ["invoiceId"],
    });
  });
});

describe("the settings in it", () => {
  it("are the same for the configuration and for a provider of its own, secrets marked", () => {
    const { variables } = schema.config;
    const { inputProperties } = schema.provider;
    const marks = (settings: Record<string, Typed>) =>
      Object.fromEntries(Object.entries(settings).map(([name, { type, secret }]) => [name, { type, secret }]));
    expect(marks(inputProperties)).toEqual(marks(variables));
    expect(Object.keys(variables)).toEqual(Object.keys(settingDeclarations));
    const secret = Object.keys(variables).filter((name) => variables[name]?.secret === true);
    expect(secret).toEqual(["clientSecret", "refreshToken", "accessToken"]);
  });

  it("name the environment variable each is read from", () => {
    for (const [name, { environment }] of Object.entries(settingDeclarations)) {
      expect(schema.config.variables[name]).toMatchObject({ defaultInfo: { environment: [environment] } });
      // An SDK would copy it into state, where a token is stale at the next run: the plugin reads it instead.
      expect(schema.provider.inputProperties[name]).not.toHaveProperty("defaultInfo");
      expect(schema.provider.inputProperties[name]?.description).toContain(`$${environment}`);
    }
  });
});
