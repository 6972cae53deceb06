import { randomUUID } from "node:crypto";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import * as rpc from "@pulumi/pulumi/proto/provider_pb";
import type { Simulator, SimulatorOptions } from "../../../simulator";
import { rejection, simulate, writes } from "../support";
import { Engine, failureIn, secret, struct, unknown, urnOf } from "./engine";

jest.setTimeout(30_000);

const account = urnOf("Account");
const customer = urnOf("Customer", "shop");
const acme = { name: "Acme", reference: "CRM-1", enabled: true, acceptCharges: true };
const profile = {
  kind: "ExamplePbxConnectionProfile",
  hostRest: "https://a",
  hostWebsocket: "wss://a",
  accountId: "1",
};
const warning = 2;

let simulator: Simulator;
let engine: Engine;

async function start(options: SimulatorOptions = {}): Promise<void> {
  simulator = await simulate(options);
  engine = await Engine.start({ baseUrl: simulator.baseUrl, accessToken: secret(simulator.accessToken) });
}

describe("checking", () => {
  beforeEach(() => start());

  it("gives an account without a reference project/stack/name, once", async () => {
    const { inputs, failures } = await engine.check(account, { name: "Acme" });
    expect(failures).toEqual([]);
    expect(inputs).toEqual({ name: "Acme", enabled: true, reference: "demo/dev/acme" });
    const renamed = account.replace("::demo::", "::renamed::");
    expect((await engine.check(renamed, { name: "Acme" }, inputs)).inputs).toEqual(inputs);
  });

  it("takes the name from the end of a URN, whatever it holds", async () => {
    const nested = "urn:pulumi:dev::demo::my:index:Reseller$reseller:index:Account::a::b";
    expect((await engine.check(nested, { name: "Acme" })).inputs).toMatchObject({ reference: "demo/dev/a::b" });
  });

  it("says what is wrong by property, unknown values excepted", async () => {
    const { failures } = await engine.check(account, { name: unknown, timezone: "Amsterdam", nmae: "x" });
    expect(failures.map(({ property }) => property)).toEqual(["nmae", "timezone"]);
    expect(failures[1]?.reason).toContain("did you mean Europe/Amsterdam?");
  });

  it("marks secrets again, and a customer's key whether or not it was one", async () => {
    const { inputs } = await engine.check(customer, {
      name: secret("Shop"),
      pbxConnectionProfile: { ...profile, apiKey: "plain" },
    });
    expect(inputs).toMatchObject({
      name: secret("Shop"),
      pbxConnectionProfile: { ...profile, apiKey: secret("plain") },
    });
  });

  it("sends nothing and needs no settings", async () => {
    const unconfigured = await Engine.start();
    expect((await unconfigured.check(account, acme)).failures).toEqual([]);
    expect(simulator.requests()).toEqual([]);
  });
});

describe("comparing", () => {
  beforeEach(() => start());
  const key = (apiKey: unknown) => ({ name: "Shop", pbxConnectionProfile: { ...profile, apiKey } });

  it("finds nothing changed where nothing has", async () => {
    const state = { ...acme, parentTenantId: "p", dateCreated: "d" };
    expect(await engine.diff(account, "id", state, acme)).toEqual({ changes: false, replaces: [], detail: {} });
  });

  it("names the path of each property that changes, and replaces nothing", async () => {
    const olds = { ...acme, description: "Old", ...key("a") };
    const movedProfile = { ...profile, hostRest: "https://b", apiKey: "a" };
    const news = { name: "New", enabled: true, timezone: "Europe/Paris", pbxConnectionProfile: movedProfile };
    expect(await engine.diff(customer, "id", olds, news)).toEqual({
      changes: true,
      replaces: [],
      detail: {
        name: "UPDATE",
        description: "DELETE",
        timezone: "ADD",
        "pbxConnectionProfile.hostRest": "UPDATE",
        acceptCharges: "DELETE",
      },
    });
  });

  it("compares secrets by what they hold", async () => {
    const same = await engine.diff(customer, "id", key(secret("a")), key("a"));
    expect(same).toMatchObject({ changes: false });
    const other = await engine.diff(customer, "id", key(secret("a")), key(secret("b")));
    expect(other.detail).toEqual({ "pbxConnectionProfile.apiKey": "UPDATE" });
  });

  it("takes a value that is not known yet for a change", async () => {
    expect((await engine.diff(account, "id", acme, { ...acme, name: unknown })).detail).toEqual({ name: "UPDATE" });
  });

  it("leaves out what ignoreChanges names, also inside an object", async () => {
    const news = { name: "Other", pbxConnectionProfile: { ...profile, hostRest: "https://b", apiKey: "a" } };
    const ignored = ["name", "pbxConnectionProfile.hostRest"];
    expect(await engine.diff(customer, "id", key("a"), news, ignored)).toMatchObject({ changes: false, detail: {} });
  });
});

describe("a preview", () => {
  beforeEach(() => start());

  it("of a creation sends nothing, returns what is known, and warns about charges that are not accepted", async () => {
    const inputs = { name: "Acme", description: unknown, timezone: secret("Europe/Paris"), enabled: true };
    const { id, properties } = await engine.create(account, inputs, { preview: true });
    expect(id).toBe("");
    expect(properties).toEqual({ ...inputs, parentTenantId: unknown, dateCreated: unknown });
    expect(simulator.requests()).toEqual([]);
    expect(engine.logged).toEqual([
      {
        severity: warning,
        urn: account,
        message: expect.stringContaining("may incur charges that are not accepted") as string,
      },
    ]);
  });

  it("of a creation that accepts charges warns of nothing", async () => {
    await engine.create(account, acme, { preview: true });
    expect(engine.logged).toEqual([]);
  });

  it("of a change sends nothing, keeps what the service added, and warns when charges are not accepted", async () => {
    const olds = { ...acme, acceptCharges: undefined, parentTenantId: "p", dateCreated: "d" };
    const news = { ...acme, acceptCharges: undefined, name: "New" };
    const properties = await engine.update(account, "id", olds, news, { preview: true });
    expect(properties).toEqual({
      name: "New",
      reference: "CRM-1",
      enabled: true,
      parentTenantId: "p",
      dateCreated: "d",
    });
    expect(simulator.requests()).toEqual([]);
    expect(engine.logged.map(({ message }) => message)).toEqual([
      'Account "New": should changing name incur charges, the service will refuse it unless acceptCharges: true is set.',
    ]);
  });
});

describe("an account", () => {
  beforeEach(() => start());

  it("is created with one POST, secrets sent in plain and marked again", async () => {
    const { id, properties } = await engine.create(account, { ...acme, description: secret("canary") });
    const [stored] = simulator.accounts();
    expect(stored).toMatchObject({ id, name: "Acme", description: "canary" });
    expect(properties).toEqual({
      ...acme,
      description: secret("canary"),
      parentTenantId: stored?.parentTenantId,
      dateCreated: stored?.dateCreated,
    });
    expect(simulator.charges()).toHaveLength(1);
    expect(engine.logged).toEqual([
      { severity: 1, urn: account, message: `Charges accepted: created account "Acme" (${id}).` },
    ]);
  });

  it("is imported by its id alone: inputs a program can have, and all properties", async () => {
    const { id } = await engine.create(account, acme);
    const { parentTenantId, dateCreated } = simulator.accounts()[0] ?? {};
    const inputs = { name: "Acme", reference: "CRM-1", enabled: true };
    expect(await engine.read(account, id)).toEqual({
      id,
      inputs,
      properties: { ...inputs, parentTenantId, dateCreated },
    });
  });

  it("is refreshed with its secrets kept secret", async () => {
    const { id, properties } = await engine.create(account, { ...acme, description: secret("canary") });
    const read = await engine.read(account, id, properties, { ...acme, description: secret("canary") });
    expect(read).toEqual({ id, properties, inputs: { ...acme, description: secret("canary") } });
  });

  it("that does not exist leaves id, properties and inputs unset", async () => {
    const gone = { id: "", properties: undefined, inputs: undefined };
    expect(await engine.read(account, randomUUID())).toEqual(gone);
    expect(await engine.read(account, randomUUID(), acme, acme)).toEqual(gone);
  });

  it("is changed with one PATCH of what differs, and not of what ignoreChanges names", async () => {
    const { id, properties = {} } = await engine.create(account, acme);
    simulator.clearRequests();
    await engine.update(
      account,
      id,
      properties,
      { ...acme, name: "New", reference: "CRM-2" },
      { ignore: ["reference"] },
    );
    expect(writes(simulator).map(({ method, body }) => [method, body])).toEqual([
      ["PATCH", [{ op: "replace", path: "/name", value: "New" }]],
    ]);
  });

  it("is deleted with one DELETE", async () => {
    const { id, properties = {} } = await engine.create(account, acme);
    await engine.delete(account, id, properties);
    expect(simulator.accounts()[0]).toMatchObject({ enabled: false, flaggedForDeletion: true });
  });

  it("whose charges are not accepted fails in one line, as something that certainly did not happen", async () => {
    const refused = failureIn(await rejection(engine.create(account, { ...acme, acceptCharges: undefined })));
    expect(refused).toMatchObject({ code: "FAILED_PRECONDITION", kept: undefined });
    expect(refused.details).toMatch(/^Could not create account "Acme": .*402/);
  });

  it("whose settings are missing fails with how to set them", async () => {
    const unconfigured = await Engine.start();
    const { details } = failureIn(await rejection(unconfigured.create(account, acme)));
    expect(details).toContain("reseller:baseUrl is not set");
  });
});

describe("a customer whose creation is not confirmed", () => {
  it("is kept in state as pending, its key secret", async () => {
    await start();
    simulator.arm({ method: "POST", path: "/customers", action: "cut-after" });
    const inputs = {
      name: "Shop",
      acceptCharges: true,
      pbxConnectionProfile: { ...profile, apiKey: secret("canary") },
    };
    const { code, kept } = failureIn(await rejection(engine.create(customer, inputs)));
    expect(code).toBe("UNKNOWN");
    expect(kept).toEqual({
      id: "pending:Shop",
      properties: inputs,
      reasons: [expect.stringContaining("not confirmed")],
    });
    expect(simulator.charges()).toHaveLength(1);
    const replaced = await engine.diff(customer, "pending:Shop", inputs, { ...inputs, adopt: randomUUID() });
    expect(replaced).toEqual({ changes: true, replaces: ["adopt"], detail: { adopt: "ADD_REPLACE" } });
  });
});

describe("an account that exists already", () => {
  beforeEach(() => start({ seedAccounts: [{ name: "Acme", reference: "CRM-1", description: "Before" }] }));
  const adopting = { ...acme, adopt: true, description: "After" };

  it("is taken over by adopt, which a preview tells in full and warns of nothing", async () => {
    const { properties } = await engine.create(account, adopting, { preview: true });
    expect(properties).toMatchObject({ name: "Acme", parentTenantId: unknown });
    expect(engine.logged).toMatchObject([{ severity: 1, urn: account }]);
    expect(engine.logged[0]?.message).toContain('would be taken over: description "Before" → "After"');
    expect(writes(simulator)).toEqual([]);
    // Other settings, and so a service of its own: the engine starts another plugin for the update.
    const { baseUrl, accessToken } = simulator;
    const another = await Engine.start({ baseUrl, accessToken, chargePolicy: "ask" });
    const { id } = await another.create(account, adopting);
    expect(id).toBe(simulator.accounts()[0]?.id);
    expect(writes(simulator).map(({ method }) => method)).toEqual(["PATCH"]);
    expect(simulator.charges()).toEqual([]);
  });

  it("makes the preview fail when there is none to take over", async () => {
    const none = engine.create(account, { ...adopting, reference: "CRM-2" }, { preview: true });
    expect(failureIn(await rejection(none))).toMatchObject({ code: "FAILED_PRECONDITION" });
    expect(writes(simulator)).toEqual([]);
  });
});

describe("cancelling", () => {
  it("ends waiting, and says of a creation that was sent that it was", async () => {
    await start({ listDelayMs: 3_600_000 });
    simulator.arm({ method: "POST", action: "cut-after" });
    const creating = rejection(engine.create(account, acme));
    while (simulator.charges().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const started = Date.now();
    await engine.cancel();
    const { code, details } = failureIn(await creating);
    expect(Date.now() - started).toBeLessThan(5_000);
    expect(code).toBe("UNKNOWN");
    expect(details).toContain("the request was sent but its answer was lost");
    expect(details).toContain("the update was cancelled");
    expect(simulator.charges()).toHaveLength(1);
  });

  it("finishes and returns a creation that is under way", async () => {
    await start({ latencyMs: 500 });
    const creating = engine.create(account, acme);
    while (simulator.charges().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await engine.cancel();
    expect((await creating).id).toBe(simulator.accounts()[0]?.id);
  });
});

describe("the configuration", () => {
  const check = async (news: object) => {
    const request = new rpc.CheckRequest()
      .setUrn("urn:pulumi:dev::demo::pulumi:providers:reseller::x")
      .setNews(struct(news));
    const response = await engine.call<rpc.CheckResponse>((answer) => engine.client.checkConfig(request, answer));
    return {
      inputs: response.getInputs()?.toJavaScript(),
      failures: response.getFailuresList().map((each) => each.toObject()),
    };
  };
  beforeEach(() => start());

  afterEach(() => {
    delete process.env["RESELLER_ACCESS_TOKEN"];
    delete process.env["RESELLER_BASE_URL"];
  });

  it("is taken as it is when nothing is wrong, with what the engine adds", async () => {
    const news = { baseUrl: "https://api.example.com", accessToken: unknown, version: "0.1.0" };
    expect(await check(news)).toEqual({ inputs: news, failures: [] });
  });

  it("is refused by property, without showing a value", async () => {
    const { failures } = await check({
      baseUrl: "http://api.example.com",
      acessToken: "canary",
      clientSecret: "ca nary",
    });
    expect(failures.map(({ property }) => property)).toEqual(["acessToken", "baseUrl", "clientSecret"]);
    expect(JSON.stringify(failures)).not.toMatch(/ca ?nary/);
  });

  it("never replaces a provider, and with it all its resources", async () => {
    const request = new rpc.DiffRequest()
      .setOldInputs(struct({ baseUrl: "https://a" }))
      .setNews(struct({ baseUrl: "https://b" }));
    const response = await engine.call<rpc.DiffResponse>((answer) => engine.client.diffConfig(request, answer));
    expect(response.getReplacesList()).toEqual([]);
    expect(
      response
        .getDetaileddiffMap()
        .toArray()
        .map(([path]) => path),
    ).toEqual(["baseUrl"]);
  });

  it("of a provider in the program comes before the environment, that of the stack after it", async () => {
    process.env["RESELLER_ACCESS_TOKEN"] = "of-the-environment";
    const settings = { baseUrl: simulator.baseUrl, accessToken: simulator.accessToken };
    process.env["RESELLER_BASE_URL"] = "https://environment.invalid";
    const sandbox = await Engine.start(settings, "sandbox");
    await sandbox.create(account, acme);
    delete process.env["RESELLER_BASE_URL"];
    const byDefault = await Engine.start(settings, "default_0_1_0");
    const { details } = failureIn(await rejection(byDefault.create(account, { ...acme, reference: "CRM-2" })));
    expect(details).toContain("401");
    expect(simulator.charges()).toHaveLength(1);
  });
});

describe("functions", () => {
  const invoke = async (name: string, args: object) => {
    const request = new rpc.InvokeRequest().setTok(`reseller:index:${name}`).setArgs(struct(args));
    const response = await engine.call<rpc.InvokeResponse>((answer) => engine.client.invoke(request, answer));
    return {
      result: response.getReturn()?.toJavaScript(),
      failures: response.getFailuresList().map((failure) => failure.toObject()),
    };
  };
  beforeEach(() => start({ seedAccounts: 2, seedInvoices: 1 }));

  it("return what the core returns", async () => {
    const [first] = simulator.accounts();
    const { result } = await invoke("getAccount", { id: first?.id });
    expect(result).toMatchObject({ id: first?.id, name: first?.name });
    expect(((await invoke("getAccounts", {})).result as { accounts: object[] }).accounts).toHaveLength(2);
    const { invoices } = (await invoke("getInvoices", {})).result as { invoices: { invoiceId: string }[] };
    const { invoiceId } = invoices[0] ?? {};
    const detail = (await invoke("getInvoiceDetail", { invoiceId })).result as {
      items: object[];
      invoiceValue: string;
    };
    expect(detail.items.length).toBeGreaterThan(0);
    expect(detail.invoiceValue).toMatch(/^\d+\.\d+$/);
  });

  it("keep secret what was found by a secret", async () => {
    const [first] = simulator.accounts();
    expect((await invoke("getAccount", { id: secret(first?.id) })).result).toMatchObject({ name: secret(first?.name) });
  });

  it("say which argument is wrong", async () => {
    const { result, failures } = await invoke("getInvoice", { invoiceId: "../x" });
    expect(result).toBeUndefined();
    expect(failures).toMatchObject([{ property: "invoiceId" }]);
  });

  it("fail in one line", async () => {
    const { code, details } = failureIn(await rejection(invoke("getAccount", { name: "Nobody" })));
    expect(code).toBe("FAILED_PRECONDITION");
    expect(details).toContain('Could not look up the account with name "Nobody"');
  });

  it.each(["nothing", "constructor", "sharedService"])("answer for one that is not there: %s", async (name) => {
    expect(failureIn(await rejection(invoke(name, {})))).toMatchObject({ code: "UNIMPLEMENTED" });
  });
});

describe("the plugin", () => {
  beforeEach(() => start());

  it("offers its schema, and agrees with it on the version", async () => {
    const schema = await engine.call<rpc.GetSchemaResponse>((answer) =>
      engine.client.getSchema(new rpc.GetSchemaRequest(), answer),
    );
    expect(JSON.parse(schema.getSchema())).toMatchObject({ name: "reseller", version: "0.1.0" });
  });

  it("agrees with itself on what it understands, whichever call the engine asks with", async () => {
    const shaken = await engine.call<rpc.ProviderHandshakeResponse>((answer) =>
      engine.client.handshake(new rpc.ProviderHandshakeRequest(), answer),
    );
    const configured = await engine.call<rpc.ConfigureResponse>((answer) =>
      engine.client.configure(new rpc.ConfigureRequest().setArgs(new Struct()), answer),
    );
    expect(shaken.getAcceptSecrets()).toBe(configured.getAcceptsecrets());
    expect(shaken.getAcceptResources()).toBe(configured.getAcceptresources());
    expect(shaken.getAcceptOutputs()).toBe(configured.getAcceptoutputs());
    expect(configured.getSupportspreview()).toBe(true);
  });

  it.each(["reseller:index:Nothing", "constructor"])("answers for a resource it does not have: %s", async (type) => {
    expect(failureIn(await rejection(engine.check(`urn:pulumi:dev::demo::${type}::x`, {})))).toMatchObject({
      code: "UNIMPLEMENTED",
      details: `The reseller provider has no resource ${type}.`,
    });
  });
});
