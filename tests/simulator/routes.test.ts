import { startSimulator, type Simulator } from "../../simulator";
import { accounts, ask, billing } from "./client";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());

describe("requests the document doesn't show", () => {
  it.each(["/", "/api/v1.0", "/v1.0/accounts", "/api/v2.0/accounts", "/api/v1.0/accounts/", "/api/v1.0/users"])(
    "get a bare 404 at %s",
    async (path) => {
      const answer = await ask(simulator, "GET", path);
      expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual([404, "", null]);
    },
  );

  it.each([
    ["PUT", accounts, "GET, POST"],
    ["POST", `${accounts}/x`, "GET, PATCH, DELETE"],
    ["DELETE", billing, "GET"],
    ["GET", "/connect/token", "POST"],
  ])("get 405 with Allow for %s %s", async (method, path, allow) => {
    const answer = await ask(simulator, method, path);
    expect([answer.status, answer.text, answer.headers.get("allow")]).toEqual([405, "", allow]);
  });

  it("get 400 for an id that can't be decoded", async () => {
    expect((await ask(simulator, "GET", `${accounts}/%zz`)).status).toBe(400);
  });

  it("get 413 for a body above 30 MB", async () => {
    const answer = await ask(simulator, "POST", accounts, { json: { name: "x".repeat(30_000_001) } });
    expect(answer.status).toBe(413);
  });
});

describe("the access token", () => {
  it.each([undefined, "Bearer", "Bearer wrong", "Basic abc"])("is missed with a bodiless 401: %s", async (value) => {
    for (const path of [accounts, `${accounts}/x`, billing]) {
      const response = await fetch(
        simulator.baseUrl + path,
        value === undefined ? {} : { headers: { authorization: value } },
      );
      expect([response.status, await response.text()]).toEqual([401, ""]);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
    }
  });

  it("looks like a JWT and ends after its lifetime", async () => {
    await using brief = await startSimulator({ accessTokenLifetimeSeconds: 60 });
    const parts = brief.accessToken.split(".");
    const claims = JSON.parse(Buffer.from(parts[1] ?? "", "base64url").toString()) as { exp: number; iat: number };
    expect([parts.length, claims.exp - claims.iat]).toEqual([3, 60]);
    expect((await ask(brief, "GET", accounts)).status).toBe(200);
    brief.advanceClock(60);
    expect((await ask(brief, "GET", accounts)).status).toBe(401);
  });

  it("may be a fixed one, which doesn't expire but can be revoked", async () => {
    await using fixed = await startSimulator({ accessToken: "fixed-token" });
    fixed.advanceClock(1_000_000);
    expect(fixed.accessToken).toBe("fixed-token");
    expect((await ask(fixed, "GET", accounts)).status).toBe(200);
    fixed.revokeAccessTokens();
    expect((await ask(fixed, "GET", accounts)).status).toBe(401);
  });
});
