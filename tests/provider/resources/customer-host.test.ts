import { customerHost } from "../../../provider/dynamic-host";
import { canary, declaredCustomer, recorded, shown, unknownId } from "../customer-support";
import { rejection, simulate } from "../support";
import type { SimulatorOptions } from "../../../simulator";

// Settings of the person who runs the tests must not steer them.
const environment = { ...process.env };
const written: string[] = [];

beforeEach(() => {
  for (const name of Object.keys(process.env))
    if (name.startsWith("RESELLER_") && name !== "RESELLER_TOKEN_STORE") Reflect.deleteProperty(process.env, name);
  written.length = 0;
  jest.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
});

afterEach(() => {
  jest.restoreAllMocks();
  process.env = { ...environment };
});

async function configured(options: SimulatorOptions = {}, settings: Record<string, string> = {}) {
  const simulator = await simulate(options);
  const all: Record<string, string> = {
    "reseller:baseUrl": simulator.baseUrl,
    "reseller:accessToken": simulator.accessToken,
    ...settings,
  };
  const get = (key: string) => all[key];
  customerHost.configure({ config: { get, require: get } } as Parameters<typeof customerHost.configure>[0]);
  return simulator;
}

const inputs = (changes: object = {}) => ({ ...declaredCustomer(), ...changes, __provider: "code" });

describe("a customer in the engine's dynamic host", () => {
  it("keeps its code beside what is pending, so that the next update can run", async () => {
    const simulator = await configured({ successBody: "empty" });
    const error = await rejection(customerHost.create(inputs()));
    expect(error).toMatchObject({
      id: "pending:Acme",
      reasons: [error.message],
      properties: { ...declaredCustomer(), __provider: "code" },
    });
    shown(error);
    expect(simulator.charges()).toHaveLength(1);
  });

  it("keeps its code also when what is pending is changed", async () => {
    await configured();
    const error = await rejection(customerHost.update("pending:Acme", inputs(), inputs({ name: "Other" })));
    expect(error).toMatchObject({ id: "pending:Acme", properties: { name: "Other", __provider: "code" } });
    shown(error);
  });

  it("has no code in what is sent, nor in what it returns", async () => {
    const simulator = await configured({ customers: "full" });
    const created = await customerHost.create(inputs());
    expect(created).toEqual({ id: simulator.customers()[0]?.id, outs: recorded(simulator.customers()[0]?.id) });
    await customerHost.update(created.id, inputs(), inputs({ name: "Renamed" }));
    expect(JSON.stringify(simulator.requests().map(({ body }) => body))).not.toContain("__provider");
    expect(await customerHost.read(created.id, inputs())).toMatchObject({ id: created.id, props: { name: "Renamed" } });
    await customerHost.delete(created.id, inputs());
    expect(simulator.customers()).toMatchObject([{ name: "Renamed", flaggedForDeletion: true }]);
  });

  it("drops what is pending right after taking over what exists", async () => {
    const simulator = await configured({ successBody: "empty" });
    await rejection(customerHost.create(inputs()));
    const adopt = simulator.customers()[0]?.id ?? "";
    expect(await customerHost.diff("pending:Acme", inputs(), inputs({ adopt }))).toMatchObject({ replaces: ["adopt"] });
    await expect(customerHost.create(inputs({ adopt }))).resolves.toMatchObject({ id: adopt });
    await expect(customerHost.delete("pending:Acme", inputs())).resolves.toBeUndefined();
    expect(simulator.charges()).toHaveLength(1);
  });

  it("tells on standard error what is worth knowing, one line each, without the key", async () => {
    const simulator = await configured();
    customerHost.check({}, inputs({ acceptCharges: false }));
    customerHost.check({}, inputs());
    await customerHost.create(inputs());
    expect(written).toEqual([
      expect.stringMatching(/^Customer "Acme": creating it may incur charges that are not accepted; [^\n]+\n$/),
      `Charges accepted: created customer "Acme" (${simulator.customers()[0]?.id ?? ""}).\n`,
    ]);
    expect(written.join("")).not.toContain(canary);
  });

  it("obeys the charge policy of the configuration", async () => {
    const simulator = await configured({}, { "reseller:chargePolicy": "never" });
    expect(await rejection(customerHost.create(inputs()))).toHaveProperty("name", "ChargeForbiddenError");
    expect(simulator.requests()).toEqual([]);
  });

  it("is checked and compared without settings", async () => {
    customerHost.configure({ config: { get: () => undefined } } as unknown as Parameters<
      typeof customerHost.configure
    >[0]);
    expect(customerHost.check({}, inputs())).toMatchObject({ failures: [] });
    expect(await customerHost.diff(unknownId, inputs(), inputs())).toEqual({ changes: false, replaces: [] });
  });

  it("fails in what the host prints without a stack", async () => {
    await configured();
    const error = await rejection(customerHost.create(inputs({ acceptCharges: false })));
    expect(`${String(error)}: ${error.stack ?? ""}`).toBe('PaymentRequiredError: could not create customer "Acme"');
    shown(error);
  });
});
