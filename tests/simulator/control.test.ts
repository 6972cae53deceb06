import { request } from "node:http";
import { startSimulator, type Simulator } from "../../simulator";
import { accept, accounts, ask, customers, unknownId } from "./client";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startSimulator({ seedAccounts: 2 });
});
afterEach(() => simulator.close());

const anonymous = { authorization: "" };
const tell = (method: string, path: string, json?: unknown): ReturnType<typeof ask> =>
  ask(simulator, method, `/_simulator/${path}`, { headers: anonymous, ...(json === undefined ? {} : { json }) });

describe("the routes under /_simulator/", () => {
  it("show charges, requests, accounts and customers, but no key and no token", async () => {
    await ask(simulator, "POST", accounts, { json: { name: "A" }, headers: accept });
    const json = { name: "C", pbxConnectionProfile: { apiKey: "key-canary" } };
    await ask(simulator, "POST", customers, { json, headers: accept });
    expect((await tell("GET", "charges")).json()).toEqual(simulator.charges());
    expect((await tell("GET", "accounts")).json()).toEqual(simulator.accounts());
    expect((await tell("GET", "customers")).text).not.toContain("key-canary");
    const requests = await tell("GET", "requests?method=post&path=accounts");
    expect(requests.json()).toEqual(simulator.requests({ path: "accounts" }));
    expect(requests.text).not.toContain(simulator.accessToken);
    expect((await tell("DELETE", "requests")).status).toBe(204);
    expect(simulator.requests()).toEqual([]);
  });

  it("arm and disarm faults, one or a list", async () => {
    expect((await tell("POST", "faults", { action: "status", status: 503 })).status).toBe(204);
    expect((await ask(simulator, "GET", accounts)).status).toBe(503);
    await tell("POST", "faults", [{ action: "html" }, { action: "html" }]);
    await tell("DELETE", "faults");
    expect((await ask(simulator, "GET", accounts)).status).toBe(200);
    expect((await tell("POST", "faults", { action: "explode" })).status).toBe(400);
  });

  it("aren't hit by a fault, not logged, and not delayed", async () => {
    simulator.arm({ action: "status", status: 503, times: Infinity });
    expect((await tell("GET", "charges")).status).toBe(200);
    expect(simulator.requests()).toEqual([]);
  });

  it("seed, edit and remove accounts behind the API's back, free of charge", async () => {
    const seeded = await tell("POST", "accounts", { name: "Seeded", timezone: "Europe/Oslo" });
    expect([seeded.status, seeded.json()["timezone"]]).toEqual([201, "Europe/Oslo"]);
    const id = String(seeded.json()["id"]);
    expect((await tell("PATCH", `accounts/${id}`, { name: "Edited", enabled: false })).json()["name"]).toBe("Edited");
    expect(simulator.accounts().at(-1)).toMatchObject({ name: "Edited", enabled: false, timezone: "Europe/Oslo" });
    expect((await tell("PATCH", `accounts/${id}`, { nmae: "typo" })).status).toBe(400);
    expect((await tell("DELETE", `accounts/${id}`)).status).toBe(204);
    expect((await ask(simulator, "GET", `${accounts}/${id}`)).json()["error"]).toBe(404);
    expect((await tell("DELETE", `accounts/${unknownId}`)).status).toBe(404);
    expect(simulator.charges()).toEqual([]);
  });

  it("revoke access tokens and move the clock", async () => {
    await tell("POST", "clock", { seconds: 3000 });
    expect((await ask(simulator, "GET", accounts)).status).toBe(200);
    await tell("POST", "revoke");
    expect((await ask(simulator, "GET", accounts)).status).toBe(401);
  });

  it("answer 404 to anything else", async () => {
    expect((await tell("PUT", "charges")).status).toBe(404);
    expect((await tell("GET", "unknown")).status).toBe(404);
  });

  it.each([{ host: "attacker.example" }, { origin: "https://attacker.example" }])(
    "refuse a web page: %o",
    async (headers) => {
      const status = await new Promise((resolve) => {
        request(`${simulator.baseUrl}/_simulator/revoke`, { method: "POST", headers }, (response) => {
          resolve(response.resume().statusCode);
        }).end();
      });
      expect(status).toBe(403);
      expect((await ask(simulator, "GET", accounts)).status).toBe(200);
    },
  );
});
