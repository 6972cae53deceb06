import { createHash } from "node:crypto";
import { startSimulator, type Simulator } from "../../simulator";
import { accounts, ask } from "./client";

const redirectUri = "http://127.0.0.1:8000";
const asked = {
  client_id: "simulator-client",
  response_type: "code",
  state: "s 1",
  redirect_uri: redirectUri,
  scope: "openid offline_access onboarding",
};

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.close());

function authorize(changes: Record<string, string | undefined> = {}): Promise<Response> {
  return fetch(`${simulator.authUrl}/connect/authorize?${form(asked, changes).toString()}`, { redirect: "manual" });
}

function decide(decision: string, changes: Record<string, string | undefined> = {}): Promise<Response> {
  const body = form(asked, { decision, ...changes });
  return fetch(`${simulator.authUrl}/connect/authorize`, { method: "POST", body, redirect: "manual" });
}

async function token(
  fields: Record<string, string | undefined>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const body = form({ client_id: simulator.clientId, client_secret: simulator.clientSecret }, fields);
  const response = await fetch(`${simulator.authUrl}/connect/token`, { method: "POST", body });
  expect(response.headers.get("cache-control")).toBe("no-store");
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

function form(fields: Record<string, string>, changes: Record<string, string | undefined>): URLSearchParams {
  const entries = Object.entries({ ...fields, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return new URLSearchParams(entries);
}

function location(response: Response): URL {
  return new URL(response.headers.get("location") ?? "");
}

async function codeFor(changes: Record<string, string | undefined> = {}): Promise<string> {
  return location(await decide("approve", changes)).searchParams.get("code") ?? "";
}

const exchange = (code: string, changes: Record<string, string | undefined> = {}): ReturnType<typeof token> =>
  token({ grant_type: "authorization_code", code, redirect_uri: redirectUri, ...changes });
const refresh = (refreshToken: unknown): ReturnType<typeof token> =>
  token({ grant_type: "refresh_token", refresh_token: String(refreshToken) });

describe("authorizing", () => {
  it("shows a page that carries the request on, with every value escaped", async () => {
    const response = await authorize({ state: '"><script>' });
    const page = await response.text();
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page).toContain('<form method="post" action="/connect/authorize">');
    expect(page).toContain('name="redirect_uri" value="http://127.0.0.1:8000"');
    expect(page).not.toContain("<script>");
  });

  it("gives a code and the state when approved", async () => {
    const target = location(await decide("approve"));
    expect(target.origin).toBe(redirectUri);
    expect(target.searchParams.get("state")).toBe("s 1");
    expect(target.searchParams.get("code")).toMatch(/^[\w-]{43}$/);
  });

  it("gives access_denied and the state when denied", async () => {
    const { searchParams } = location(await decide("deny"));
    expect([searchParams.get("error"), searchParams.get("state")]).toEqual(["access_denied", "s 1"]);
    expect(searchParams.has("code")).toBe(false);
  });

  it("gives a code at once with autoApprove, at any loopback port", async () => {
    await simulator.close();
    simulator = await startSimulator({ autoApprove: true });
    const target = location(await authorize({ redirect_uri: "http://localhost:4711/back" }));
    expect([target.origin, target.pathname]).toEqual(["http://localhost:4711", "/back"]);
    expect(target.searchParams.has("code")).toBe(true);
  });

  it.each([
    ["unsupported_response_type", { response_type: "token" }],
    ["invalid_scope", { scope: "admin" }],
    ["invalid_scope", { scope: undefined }],
    ["invalid_request", { state: undefined }],
    ["invalid_request", { code_challenge: "x", code_challenge_method: "plain" }],
  ])("redirects with %s for %o", async (error, changes) => {
    expect(location(await authorize(changes)).searchParams.get("error")).toBe(error);
    expect(location(await decide("approve", changes)).searchParams.get("error")).toBe(error);
  });

  it.each([{ client_id: "other" }, { redirect_uri: "https://evil.example/" }, { redirect_uri: "nonsense" }])(
    "shows a page and doesn't redirect for %o",
    async (changes) => {
      const response = await authorize(changes);
      expect([response.status, response.headers.get("location")]).toEqual([400, null]);
      await response.text();
    },
  );

  it("falls back to the documented redirect address", async () => {
    expect(location(await decide("approve", { redirect_uri: undefined })).origin).toBe("http://127.0.0.1:8000");
  });
});

describe("exchanging a code", () => {
  it("gives the documented token response, and the access token works", async () => {
    const { status, body } = await exchange(await codeFor());
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as unknown,
      refresh_token: expect.any(String) as unknown,
      token_type: "bearer",
      expires: 5400,
    });
    const headers = { authorization: `Bearer ${String(body["access_token"])}` };
    expect((await ask(simulator, "GET", accounts, { headers })).status).toBe(200);
  });

  it("gives no refresh token without offline_access", async () => {
    const { body } = await exchange(await codeFor({ scope: "openid onboarding" }));
    expect(body).not.toHaveProperty("refresh_token");
  });

  it("works once; a second use revokes what the first gave", async () => {
    const code = await codeFor();
    const { body } = await exchange(code);
    expect(await exchange(code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect((await refresh(body["refresh_token"])).body["error"]).toBe("invalid_grant");
  });

  it("wants the same redirect_uri, and not too late", async () => {
    const other = { redirect_uri: "http://127.0.0.1:9" };
    expect((await exchange(await codeFor(), other)).body["error"]).toBe("invalid_grant");
    const code = await codeFor();
    simulator.advanceClock(301);
    expect((await exchange(code)).body["error"]).toBe("invalid_grant");
  });

  it("wants the code_verifier where there was a code_challenge", async () => {
    const challenge = createHash("sha256").update("verifier").digest("base64url");
    const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
    expect((await exchange(await codeFor(pkce))).body["error"]).toBe("invalid_grant");
    expect((await exchange(await codeFor(pkce), { code_verifier: "verifier" })).status).toBe(200);
  });
});

describe("the token endpoint", () => {
  it.each([
    [401, "invalid_client", { client_secret: "wrong", grant_type: "refresh_token" }],
    [401, "invalid_client", { client_id: undefined }],
    [400, "unsupported_grant_type", { grant_type: "code" }],
    [400, "invalid_request", { grant_type: undefined }],
    [400, "invalid_request", { grant_type: "refresh_token" }],
    [400, "invalid_request", { grant_type: "authorization_code" }],
    [400, "invalid_grant", { grant_type: "authorization_code", code: "x" }],
    [400, "invalid_grant", { grant_type: "refresh_token", refresh_token: "x" }],
  ])("answers %d %s for %o", async (status, error, fields) => {
    expect(await token(fields)).toMatchObject({
      status,
      body: { error, error_description: expect.any(String) as unknown },
    });
  });

  it("takes a form and nothing else", async () => {
    const answer = await ask(simulator, "POST", "/connect/token", { json: { grant_type: "refresh_token" } });
    expect([answer.status, answer.json()["error"]]).toEqual([400, "invalid_request"]);
  });

  it("is in the request log with its secrets redacted", async () => {
    await refresh(simulator.refreshToken);
    const [entry] = simulator.requests({ path: "/connect/token" });
    expect(entry).toMatchObject({
      method: "POST",
      status: 200,
      body: { client_id: "simulator-client", client_secret: "<redacted>", refresh_token: "<redacted>" },
    });
  });

  it.each([
    ["expires_in", { expires_in: 3600 }],
    ["string", { expires: "5400" }],
    ["missing", {}],
  ] as const)("tells the lifetime in the form %s", async (expiresForm, part) => {
    await simulator.close();
    simulator = await startSimulator({ expiresForm });
    const { body } = await refresh(simulator.refreshToken);
    const told = Object.entries(body).filter(([name]) => name.startsWith("expires"));
    expect(Object.fromEntries(told)).toEqual(part);
  });

  it("tells the lifetime as an epoch", async () => {
    await simulator.close();
    simulator = await startSimulator({ expiresForm: "epoch" });
    const { body } = await refresh(simulator.refreshToken);
    expect(Math.abs(Number(body["expires"]) - (Date.now() / 1000 + 3600))).toBeLessThan(10);
  });
});

describe("refreshing", () => {
  it("keeps the refresh token by default", async () => {
    const { body } = await refresh(simulator.refreshToken);
    expect(body["refresh_token"]).toBe(simulator.refreshToken);
    expect(body["access_token"]).not.toBe(simulator.accessToken);
    expect((await refresh(simulator.refreshToken)).status).toBe(200);
  });

  it("gives a new refresh token with rotation, and a used one revokes its successors", async () => {
    await simulator.close();
    simulator = await startSimulator({ rotateRefreshTokens: true });
    const second = (await refresh(simulator.refreshToken)).body["refresh_token"];
    expect(second).not.toBe(simulator.refreshToken);
    const third = (await refresh(second)).body["refresh_token"];
    expect(await refresh(second)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect((await refresh(third)).body["error"]).toBe("invalid_grant");
  });

  it("ends after 90 days without use, and each use starts them again", async () => {
    const day = 24 * 60 * 60;
    simulator.advanceClock(89 * day);
    expect((await refresh(simulator.refreshToken)).status).toBe(200);
    simulator.advanceClock(89 * day);
    expect((await refresh(simulator.refreshToken)).status).toBe(200);
    simulator.advanceClock(91 * day);
    expect((await refresh(simulator.refreshToken)).body["error"]).toBe("invalid_grant");
  });

  it("ends when refresh tokens are revoked", async () => {
    simulator.revokeRefreshTokens();
    expect((await refresh(simulator.refreshToken)).body["error"]).toBe("invalid_grant");
  });
});
