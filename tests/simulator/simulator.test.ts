import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { describeSimulator, startSimulator, type SimulatorOptions } from "../../simulator";
import { accept, accounts, ask, customers, unknownId } from "./client";

describe("starting", () => {
  it("listens on 127.0.0.1 and on no other address", async () => {
    await using simulator = await startSimulator();
    expect(simulator.baseUrl).toBe(`http://127.0.0.1:${simulator.port}`);
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family, internal }) => family === "IPv4" && !internal);
    for (const { address } of others) await expect(fetch(`http://${address}:${simulator.port}/`)).rejects.toThrow();
  });

  it("fails when the port is taken", async () => {
    await using first = await startSimulator();
    await expect(startSimulator({ port: first.port })).rejects.toThrow("EADDRINUSE");
  });

  it.each([
    { successBody: "xml" },
    { customers: "some" },
    { expiresForm: "never" },
    { latencyMs: -1 },
    { maxPageSize: 0 },
    { enterpriseTenantId: "me" },
  ])("refuses %o", async (options) => {
    await expect(startSimulator(options as SimulatorOptions)).rejects.toThrow(Object.keys(options)[0]);
  });

  it("seeds the same accounts for the same seed, in the number or the form asked for", async () => {
    await using first = await startSimulator({ seedAccounts: 2 });
    await using second = await startSimulator({ seedAccounts: 2 });
    await using named = await startSimulator({ seedAccounts: [{ id: unknownId, name: "Mine", reference: "r" }] });
    const ids = first.accounts().map(({ id }) => id);
    expect(second.accounts().map(({ id }) => id)).toEqual(ids);
    expect(named.accounts()).toMatchObject([{ id: unknownId, name: "Mine", reference: "r", enabled: true }]);
    expect(first.charges()).toEqual([]);
  });

  it("takes the enterprise it is told", async () => {
    await using simulator = await startSimulator({ enterpriseTenantId: unknownId, seedAccounts: 1 });
    expect(simulator.accounts()[0]?.parentTenantId).toBe(unknownId);
  });

  it("describes itself with a line to paste", async () => {
    await using simulator = await startSimulator({ accessToken: "fixed" });
    expect(describeSimulator(simulator).join("\n")).toContain(
      `export RESELLER_BASE_URL=${simulator.baseUrl} RESELLER_ACCESS_TOKEN=fixed`,
    );
  });
});

describe("changing accounts from outside the API", () => {
  it("leaves no charge and no request", async () => {
    await using simulator = await startSimulator();
    const { id } = simulator.seedAccount({ name: "A" });
    expect(simulator.editAccount(id, { name: "B" })).toMatchObject({ id, name: "B" });
    expect((await ask(simulator, "GET", `${accounts}/${id}`)).text).toContain('"name":"B"');
    expect(simulator.removeAccount(id)).toBe(true);
    expect(simulator.removeAccount(id)).toBe(false);
    expect(() => simulator.editAccount(id, {})).toThrow(id);
    expect([simulator.charges().length, simulator.requests().length]).toEqual([0, 1]);
  });

  it("can happen between two requests with onRequest", async () => {
    await using simulator = await startSimulator({
      seedAccounts: 1,
      onRequest: ({ method }) => {
        if (method === "GET") simulator.seedAccount({ name: "Late" });
      },
    });
    expect((await ask(simulator, "GET", accounts)).text).toContain("Late");
  });

  it("isn't done by changing what was returned", async () => {
    await using simulator = await startSimulator({ seedAccounts: 1 });
    for (const account of simulator.accounts()) account.name = "changed";
    expect(simulator.accounts()[0]?.name).toBe("Reseller 0001");
  });
});

describe("the request log", () => {
  it("has method, path, query, headers, body and status, without the token", async () => {
    await using simulator = await startSimulator();
    await ask(simulator, "POST", `${accounts}?a=b`, { json: { name: "A" }, headers: accept });
    const [entry] = simulator.requests();
    expect(entry).toMatchObject({
      method: "POST",
      path: accounts,
      query: { a: "b" },
      headers: { authorization: "Bearer <redacted>", "accept-charges": "true" },
      body: { name: "A" },
      status: 201,
    });
  });

  it("can be narrowed and cleared", async () => {
    await using simulator = await startSimulator();
    await ask(simulator, "GET", accounts);
    await ask(simulator, "GET", `${accounts}/x`);
    await ask(simulator, "POST", accounts, { body: "no JSON", headers: { "content-type": "text/plain" } });
    expect(simulator.requests({ method: "get" })).toHaveLength(2);
    expect(simulator.requests({ path: "accounts$", status: 200 })).toHaveLength(1);
    expect(simulator.requests({ status: 415 })[0]?.body).toBe("no JSON");
    simulator.clearRequests();
    expect(simulator.requests()).toEqual([]);
  });
});

describe("the data file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "simulator-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it("keeps accounts, customers, charges and the enterprise, and nobody else can read it", async () => {
    const data = join(folder, "data.json");
    const first = await startSimulator({ data, seedAccounts: 1, seed: 5 });
    await ask(first, "POST", accounts, { json: { name: "A" }, headers: accept });
    await ask(first, "POST", customers, { json: { name: "C" }, headers: accept });
    await first.close();
    await first.close();
    expect(readdirSync(folder)).toEqual(["data.json"]);
    expect(statSync(data).mode & 0o777).toBe(0o600);
    await using second = await startSimulator({ data, seedAccounts: 1 });
    expect(second.accounts()).toEqual(first.accounts());
    expect(second.customers()).toEqual(first.customers());
    expect(second.charges()).toEqual(first.charges());
    expect(second.enterpriseTenantId).toBe(first.enterpriseTenantId);
  });

  it("is written soon after a change", async () => {
    const data = join(folder, "data.json");
    await using simulator = await startSimulator({ data });
    simulator.seedAccount({ name: "Soon" });
    while (!existsSync(data)) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(readFileSync(data, "utf8")).toContain("Soon");
  });

  it.each(["{", "null", '{"accounts":[]}'])("is refused when it isn't one: %s", async (content) => {
    const data = join(folder, "data.json");
    writeFileSync(data, content);
    await expect(startSimulator({ data })).rejects.toThrow(data);
    expect(readFileSync(data, "utf8")).toBe(content);
  });
});
