import { startSimulator } from "../../simulator";
import { accept, ask, customers, dataOf, unknownId, utcDate } from "./client";

const body = {
  name: "C",
  description: "d",
  enabled: true,
  timezone: "Europe/Rome",
  culture: "it-IT",
  pbxConnectionProfile: {
    _type: "ExamplePbxConnectionProfile",
    hostRest: "https://pbx.example/rest",
    hostWebsocket: "wss://pbx.example/ws",
    accountId: "7",
    apiKey: "key-canary",
    region: "eu",
  },
};

describe("creating a customer", () => {
  it("stores and charges it, and never returns the key", async () => {
    await using simulator = await startSimulator();
    const answer = await ask(simulator, "POST", customers, { json: body, headers: accept });
    expect(answer.status).toBe(201);
    expect(answer.text).not.toContain("key-canary");
    expect(dataOf(answer)).toMatchObject({ name: "C", culture: "it-IT", pbxConnectionProfile: { accountId: "7" } });
    const [customer] = simulator.customers();
    expect(customer).toMatchObject(body);
    expect(simulator.charges()).toEqual([
      { id: 1, kind: "customer", tenantId: customer?.id, name: "C", at: expect.stringMatching(utcDate) as unknown },
    ]);
  });

  it("echoes the body with 402 and does nothing without accept-charges", async () => {
    await using simulator = await startSimulator();
    const answer = await ask(simulator, "POST", customers, { json: body });
    expect([answer.status, answer.json()]).toEqual([402, body]);
    expect(simulator.customers()).toEqual([]);
    expect(simulator.charges()).toEqual([]);
  });

  it("checks the types of its fields", async () => {
    await using simulator = await startSimulator();
    const json = { name: "C", pbxConnectionProfile: { hostRest: 1 } };
    const answer = await ask(simulator, "POST", customers, { json, headers: accept });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json()["errors"] as object)).toEqual(["pbxConnectionProfile.hostRest"]);
  });
});

describe("a customer by id", () => {
  it.each(["GET", "PATCH", "DELETE"])("is a bare 404 to %s where customers can only be created", async (method) => {
    await using simulator = await startSimulator();
    await ask(simulator, "POST", customers, { json: body, headers: accept });
    const path = `${customers}/${simulator.customers()[0]?.id ?? ""}`;
    const answer = await ask(simulator, method, path, method === "PATCH" ? { json: [] } : {});
    expect([answer.status, answer.text]).toEqual([404, ""]);
    expect((await ask(simulator, "GET", customers)).headers.get("allow")).toBe("POST");
  });

  it("can be read, patched and deleted with the option full", async () => {
    await using simulator = await startSimulator({ customers: "full" });
    await ask(simulator, "POST", customers, { json: body, headers: accept });
    const path = `${customers}/${simulator.customers()[0]?.id ?? ""}`;
    expect((await ask(simulator, "GET", path)).text).not.toContain("key-canary");
    const json = [
      { op: "replace", path: "/culture", value: "de-DE" },
      { op: "replace", path: "/pbxConnectionProfile/apiKey", value: "new-canary" },
    ];
    const patched = await ask(simulator, "PATCH", path, { json });
    expect(dataOf(patched)["culture"]).toBe("de-DE");
    expect(patched.text).not.toContain("new-canary");
    expect(simulator.customers()[0]?.pbxConnectionProfile?.apiKey).toBe("new-canary");
    expect((await ask(simulator, "DELETE", path)).status).toBe(204);
    expect(dataOf(await ask(simulator, "GET", path))["enabled"]).toBe(false);
    expect(simulator.charges()).toHaveLength(1);
  });

  it("answers 400 and 404 with the envelope with the option full", async () => {
    await using simulator = await startSimulator({ customers: "full" });
    expect((await ask(simulator, "GET", `${customers}/x`)).json()["message"]).toBe("The value 'x' is not valid.");
    expect((await ask(simulator, "DELETE", `${customers}/${unknownId}`)).json()["message"]).toBe("Not Found");
  });
});
