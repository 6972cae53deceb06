import type { dynamic } from "@pulumi/pulumi";
import { accountHost, customerHost } from "../../provider/dynamic-host";
import { unknownValue } from "../../provider/resources/check";
import { everything, rejection, simulate, writes } from "./support";
import type { Simulator } from "../../simulator";

const canary = "canary-5e1f0b";
const inputs = { name: "Acme", reference: "shop/dev/acme", enabled: true, acceptCharges: true };

function configure(settings: Record<string, string>): void {
  const config = { get: (key: string) => settings[key], require: (key: string) => settings[key] ?? "" };
  accountHost.configure({ config });
}

async function simulateAndConfigure(): Promise<Simulator> {
  const simulator = await simulate({ accessToken: canary });
  configure({ "reseller:baseUrl": simulator.baseUrl, "reseller:accessToken": canary });
  return simulator;
}

let told: string[];
const environment = Object.entries(process.env).filter(
  ([name]) => name.startsWith("RESELLER_") && name !== "RESELLER_TOKEN_STORE",
);
beforeEach(() => {
  told = [];
  jest.spyOn(process.stderr, "write").mockImplementation((text) => told.push(String(text)) > 0);
  for (const [name] of environment) Reflect.deleteProperty(process.env, name);
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const [name, value] of environment) process.env[name] = value;
  configure({});
});

describe("what the engine's dynamic host calls", () => {
  it("checks and compares without settings and without a request", async () => {
    configure({});
    const simulator = await simulate();
    const news = { name: "Acme", __provider: "code", __defaultReference: "shop/dev/acme", description: unknownValue };
    const checked = await accountHost.check({}, news);
    expect(checked).toMatchObject({
      inputs: { name: "Acme", enabled: true, reference: "shop/dev/acme", description: unknownValue },
      failures: [],
    });
    expect(checked.inputs).not.toHaveProperty("__defaultReference");
    expect(await accountHost.diff("id", { ...inputs, name: "Old" }, inputs)).toMatchObject({
      changes: true,
      replaces: [],
    });
    expect(simulator.requests()).toEqual([]);
  });

  it("checks and compares without a request when there are settings", async () => {
    const simulator = await simulateAndConfigure();
    await accountHost.check({}, inputs);
    await accountHost.diff("id", inputs, { ...inputs, name: "New" });
    expect(simulator.requests()).toEqual([]);
  });

  it("buys nothing beside what belongs to another enterprise", async () => {
    const simulator = await simulateAndConfigure();
    const elsewhere = { ...inputs, parentTenantId: "11111111-1111-4111-8111-111111111111" };
    await accountHost.diff("id", elsewhere, inputs);
    const error = await rejection(accountHost.create({ ...inputs, reference: "shop/dev/new" }));
    expect(error.message).toContain("this token sees no account at all");
    expect((await rejection(customerHost.create({ name: "Acme", acceptCharges: true }))).message).toContain(
      "this token sees no account at all",
    );
    expect(writes(simulator)).toEqual([]);
    expect(simulator.charges()).toEqual([]);
  });

  it("shows what taking over would change where the front says that it is a preview, and nowhere else", async () => {
    const simulator = await simulateAndConfigure();
    const { id } = simulator.seedAccount({ name: "Acme", description: "From the portal" });
    const news = { name: "Acme", adopt: id, description: "In code" };
    await accountHost.check({}, news);
    expect(simulator.requests()).toEqual([]);
    const checked = await accountHost.check({}, { ...news, __preview: true });
    expect(checked).toMatchObject({ inputs: { ...news, enabled: true }, failures: [] });
    expect(checked.inputs).not.toHaveProperty("__preview");
    expect(told).toEqual([`Account "Acme" (${id}) would be taken over: description "From the portal" → "In code".\n`]);
    configure({});
    expect(await accountHost.check({}, { ...news, __preview: true })).toMatchObject({ failures: [] });
    expect(writes(simulator)).toEqual([]);
  });

  it("takes a default reference only as text", async () => {
    const { inputs } = await accountHost.check({}, { name: "Acme", __defaultReference: { a: 1 } });
    expect(inputs).not.toHaveProperty("reference");
  });

  it("configures at once, for the host calls others before a promise would end", () => {
    const { configure: synchronous }: { configure: (request: dynamic.ConfigureRequest) => unknown } = accountHost;
    const config = { get: () => undefined, require: () => "" };
    expect(synchronous({ config })).toBeUndefined();
  });

  it("keeps what this run took over when another kind of resource is configured, as the host does for each", async () => {
    const simulator = await simulateAndConfigure();
    const { id: existing } = simulator.seedAccount({ name: "Acme", reference: "shop/dev/acme" });
    const { id, outs } = await accountHost.create(inputs);
    expect(id).toBe(existing);
    customerHost.configure({
      config: {
        get: (key: string) => ({ "reseller:baseUrl": simulator.baseUrl, "reseller:accessToken": canary })[key],
        require: () => "",
      },
    });
    await accountHost.delete(id, outs);
    expect(writes(simulator)).toEqual([]);
  });

  it("leads an account through its life", async () => {
    const simulator = await simulateAndConfigure();
    const { id, outs } = await accountHost.create(inputs);
    expect(outs).toMatchObject(inputs);
    expect(await accountHost.read(id, outs)).toMatchObject({ id, props: inputs, inputs });
    const renamed = { ...inputs, name: "Acme BV" };
    expect(await accountHost.update(id, outs, renamed)).toMatchObject({ outs: renamed });
    await accountHost.delete(id, outs);
    expect(writes(simulator).map(({ method }) => method)).toEqual(["POST", "PATCH", "DELETE"]);
    expect(simulator.charges()).toHaveLength(1);
  });

  it("returns nothing the host could not put into state", async () => {
    await simulateAndConfigure();
    const { id, outs } = await accountHost.create(inputs);
    for (const result of [outs, await accountHost.read(id, outs), await accountHost.update(id, outs, inputs)]) {
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      expect(everything(result)).not.toContain("undefined");
    }
  });

  it("uses the settings it was given last", async () => {
    await simulateAndConfigure();
    await accountHost.create(inputs);
    const other = await simulateAndConfigure();
    await accountHost.create(inputs);
    expect(other.charges()).toHaveLength(1);
  });

  it("says what is missing when there are no settings", async () => {
    configure({});
    const error = await rejection(accountHost.create(inputs));
    expect(error.message).toContain("reseller:baseUrl is not set");
  });

  it("shows an expected failure without a stack, and by its name", async () => {
    await simulateAndConfigure();
    const error = await rejection(accountHost.create({ ...inputs, acceptCharges: false }));
    expect(error).toMatchObject({ name: "PaymentRequiredError", stack: 'could not create account "Acme"' });
    expect(String(error)).toBe("PaymentRequiredError");
  });

  it("shows the token in no error and no notice", async () => {
    const simulator = await simulateAndConfigure();
    simulator.arm({ action: "cut-after", method: "POST" });
    const { id, outs } = await accountHost.create(inputs);
    simulator.arm({ action: "status", status: 400, body: { error: 400, message: canary, status: "error" } });
    const errors = [
      await rejection(accountHost.read(id, outs)),
      await rejection(accountHost.create({ ...inputs, reference: "other", acceptCharges: false })),
      await rejection(accountHost.update("../x", outs, { ...inputs, name: "B" })),
    ];
    expect(told.join("")).toContain("Acme");
    expect(told.join("") + errors.map(everything).join()).not.toContain(canary);
    for (const line of told) expect(line).toMatch(/^[^\n]+\n$/);
  });
});
