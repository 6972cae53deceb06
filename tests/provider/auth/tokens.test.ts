import { TokenStore } from "../../../provider/auth/store";
import { tokenSource, type TokenSource } from "../../../provider/auth/tokens";
import { join } from "node:path";
import { type Clock, systemClock } from "../../../provider/clock";
import type { Settings } from "../../../provider/config";
import { LoginRequiredError, NetworkError, UnauthorizedError } from "../../../provider/errors";
import type { Simulator } from "../../../simulator";
import { everything, FakeClock, rejection, simulate, start, temporaryFolder } from "../support";

const tokenPath = "/connect/token";
const refreshes = (simulator: Simulator) => simulator.requests({ path: tokenPath });

function refreshing(simulator: Simulator, clock: Clock, more: Partial<Settings> = {}): TokenSource {
  const { baseUrl, authUrl, clientId, clientSecret, refreshToken } = simulator;
  const settings = { baseUrl, authUrl, clientId, clientSecret, refreshToken, ...more };
  return tokenSource(
    settings,
    new TokenStore(join(temporaryFolder(), "tokens.db"), systemClock),
    clock,
    () => undefined,
  );
}

describe("an access token from a refresh token", () => {
  it("is asked for as the service document says", async () => {
    const simulator = await simulate();
    await refreshing(simulator, new FakeClock()).current();
    const [sent, ...more] = refreshes(simulator);
    expect(more).toEqual([]);
    expect(sent).toMatchObject({
      method: "POST",
      path: tokenPath,
      body: {
        grant_type: "refresh_token",
        refresh_token: "<redacted>",
        client_id: simulator.clientId,
        client_secret: "<redacted>",
      },
    });
    expect(sent?.headers["content-type"]).toMatch(/^application\/x-www-form-urlencoded/);
    expect(sent?.headers).not.toHaveProperty("authorization");
  });

  it("is the one in the settings for as long as the service takes it", async () => {
    const simulator = await simulate();
    const source = refreshing(simulator, new FakeClock(), { accessToken: "given" });
    expect(await source.current()).toBe("given");
    expect(refreshes(simulator)).toEqual([]);
    expect(await source.renew("given")).not.toBe("given");
    expect(refreshes(simulator)).toHaveLength(1);
  });

  it("is asked for below an authorization server's path, with or without a slash at its end", async () => {
    const simulator = await simulate();
    for (const end of ["/", "//"]) {
      await refreshing(simulator, new FakeClock(), { authUrl: simulator.authUrl + end }).current();
    }
    expect(refreshes(simulator).map(({ path }) => path)).toEqual([tokenPath, tokenPath]);
  });

  it.each([
    ["expires", 3600],
    ["expires_in", 1800],
    ["string", 3600],
    ["epoch", 3600],
    ["missing", 3600],
  ] as const)("whose lifetime is told by %s is used until a minute before its end", async (expiresForm, seconds) => {
    const simulator = await simulate({ expiresForm, accessTokenLifetimeSeconds: seconds });
    const clock = new FakeClock();
    const source = refreshing(simulator, clock);
    const first = await source.current();
    clock.advance((seconds - 61) * 1000);
    expect(await source.current()).toBe(first);
    clock.advance(1_000);
    expect(await source.current()).not.toBe(first);
    expect(refreshes(simulator)).toHaveLength(2);
  });

  it.each([{ expires_in: null, expires: 600 }, { expires_in: 600 }, { expires_in: "600" }, { expires: 600.5 }])(
    "with %j lives for ten minutes",
    async (lifetime) => {
      const simulator = await simulate();
      const body = { access_token: "short", token_type: "bearer", refresh_token: null, ...lifetime };
      simulator.arm({ action: "json", body, path: tokenPath });
      const clock = new FakeClock();
      const source = refreshing(simulator, clock);
      expect(await source.current()).toBe("short");
      clock.advance(539_000);
      expect(await source.current()).toBe("short");
      clock.advance(2_000);
      expect(await source.current()).not.toBe("short");
    },
  );

  it.each([-1, 0, "soon", {}, [], true, 1e18])("with the lifetime %j does no harm", async (expires) => {
    const simulator = await simulate();
    const body = { access_token: "odd", token_type: "Bearer", expires };
    simulator.arm({ action: "json", body, path: tokenPath });
    expect(await refreshing(simulator, new FakeClock()).current()).toBe("odd");
  });

  it("outlives a wall clock that jumps by ten minutes", async () => {
    const simulator = await simulate();
    const clock = new FakeClock();
    const source = refreshing(simulator, clock);
    const first = await source.current();
    for (const jump of [600_000, -600_000]) {
      clock.now = () => clock.started + jump;
      expect(await source.current()).toBe(first);
    }
  });

  it.each(["now", "monotonic"] as const)("ends on whichever clock says so first, here %s", async (name) => {
    const simulator = await simulate();
    const clock = new FakeClock();
    const source = refreshing(simulator, clock);
    const first = await source.current();
    const before = clock[name]();
    clock[name] = () => before + 3_600_000;
    expect(await source.current()).not.toBe(first);
  });

  it("is asked for with the newest refresh token when the server changes it", async () => {
    const simulator = await simulate({ rotateRefreshTokens: true });
    const source = refreshing(simulator, new FakeClock());
    let token = await source.current();
    for (let round = 0; round < 3; round++) token = (await source.renew(token)) ?? "";
    expect(refreshes(simulator).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

describe("many requests at once", () => {
  it("share one refresh", async () => {
    const world = await start({ rotateRefreshTokens: true, latencyMs: 5, tokens: refreshing });
    const reading = () => world.http.read({ doing: "list", path: "/accounts" });
    await Promise.all(Array.from({ length: 20 }, reading));
    expect(refreshes(world.simulator)).toHaveLength(1);
  });

  it("share one refresh after the token was refused, and each is sent once more", async () => {
    const world = await start({ rotateRefreshTokens: true, latencyMs: 5, tokens: refreshing });
    const reading = () => world.http.read({ doing: "list", path: "/accounts" });
    await reading();
    world.simulator.revokeAccessTokens();
    world.simulator.clearRequests();
    await Promise.all(Array.from({ length: 20 }, reading));
    expect(refreshes(world.simulator)).toHaveLength(1);
    const statuses = world.simulator.requests({ path: "/accounts" }).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(20);
  });

  it("that all fail do not keep the next one from trying", async () => {
    const simulator = await simulate();
    simulator.arm({ action: "status", status: 503, path: tokenPath, times: 2 });
    const source = refreshing(simulator, new FakeClock());
    const failed = await Promise.allSettled(Array.from({ length: 5 }, () => source.current()));
    expect(failed.every(({ status }) => status === "rejected")).toBe(true);
    expect(refreshes(simulator)).toHaveLength(2);
    await expect(source.current()).resolves.toEqual(expect.any(String));
  });
});

describe("a token refused in the middle of a run", () => {
  it("costs one refresh and one replay of a POST, and one charge", async () => {
    const world = await start({ tokens: refreshing });
    await world.http.read({ doing: "list", path: "/accounts" });
    world.simulator.revokeAccessTokens();
    await world.accounts.create({ name: "A" }, true);
    expect(world.simulator.requests({ method: "POST", path: "/accounts" }).map(({ status }) => status)).toEqual([
      401, 201,
    ]);
    expect(refreshes(world.simulator)).toHaveLength(2);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("ends the request when the new token is refused too", async () => {
    const world = await start({ tokens: refreshing });
    world.simulator.arm({ action: "status", status: 401, path: "/accounts", times: Infinity });
    const error = await rejection(world.http.read({ doing: "list", path: "/accounts" }));
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect(error.message).toContain("Sign in again");
    expect(world.simulator.requests({ path: "/accounts" })).toHaveLength(2);
    expect(refreshes(world.simulator)).toHaveLength(2);
  });
});

describe("an answer of the token endpoint that is lost", () => {
  it.each([
    { action: "cut-before" },
    { action: "cut-after" },
    { action: "truncate" },
    { action: "status", status: 503 },
    { action: "html", status: 502 },
  ] as const)("by %j, is asked for once more", async (fault) => {
    const simulator = await simulate();
    simulator.arm({ ...fault, path: tokenPath });
    await expect(refreshing(simulator, new FakeClock()).current()).resolves.toEqual(expect.any(String));
    expect(refreshes(simulator)).toHaveLength(2);
  });

  it("twice, is not asked for a third time", async () => {
    const simulator = await simulate();
    simulator.arm({ action: "cut-before", path: tokenPath, times: Infinity });
    await rejection(refreshing(simulator, new FakeClock()).current());
    expect(refreshes(simulator)).toHaveLength(2);
  });

  it("ends in a login when the server had changed the refresh token", async () => {
    const simulator = await simulate({ rotateRefreshTokens: true });
    simulator.arm({ action: "cut-after", path: tokenPath });
    const source = refreshing(simulator, new FakeClock());
    const error = await rejection(source.current());
    expect(error).toBeInstanceOf(LoginRequiredError);
    expect(error.message).toContain("Sign in again");
    // It is known to be dead now: nobody asks with it again.
    await rejection(source.current());
    expect(refreshes(simulator)).toHaveLength(2);
  });
});

describe("when there is no access token to be had", () => {
  it("because the refresh token is no longer good, the error asks for a login", async () => {
    const simulator = await simulate();
    simulator.revokeRefreshTokens();
    const error = await rejection(refreshing(simulator, new FakeClock()).current());
    expect(error).toBeInstanceOf(LoginRequiredError);
    expect(error.message).toMatch(
      /^Could not get an access token: the authorization server answered 400: invalid_grant \([^\n]+\)\. Sign in again [^\n]+$/,
    );
  });

  it("because the client is not known, the error says that", async () => {
    const simulator = await simulate();
    const error = await rejection(refreshing(simulator, new FakeClock(), { clientSecret: "wrong" }).current());
    expect(error.message).toMatch(/401: invalid_client/);
  });

  it.each([
    { action: "html", status: 502 },
    { action: "html", status: 200 },
    { action: "status", status: 204 },
    { action: "cut-before" },
    { action: "truncate" },
    { action: "empty-body" },
    { action: "status", status: 500, body: { title: "Oops" } },
    { action: "json", body: [] },
    { action: "json", body: { token_type: "bearer" } },
    { action: "redirect", location: "https://elsewhere.example/" },
  ] as const)("because of %j, the error names the server in one line", async (fault) => {
    const simulator = await simulate();
    simulator.arm({ ...fault, path: tokenPath, times: Infinity });
    const error = await rejection(refreshing(simulator, new FakeClock()).current());
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.message).toContain(new URL(simulator.authUrl).host);
    expect(error.message).toMatch(/^[^\n<]{1,600}$/);
  });

  it("a redirect takes neither secret nor refresh token elsewhere", async () => {
    const elsewhere = await simulate();
    const simulator = await simulate();
    const location = elsewhere.authUrl + tokenPath;
    simulator.arm({ action: "redirect", location, status: 307, path: tokenPath, times: Infinity });
    await rejection(refreshing(simulator, new FakeClock()).current());
    expect(elsewhere.requests()).toEqual([]);
  });

  it("no POST of the caller has been sent", async () => {
    const world = await start({ tokens: refreshing });
    world.simulator.revokeRefreshTokens();
    await rejection(world.accounts.create({ name: "A" }, true));
    expect(world.simulator.requests({ path: "/accounts" })).toEqual([]);
  });

  it.each([
    { action: "status", status: 500, body: { error: "canary-refresh", error_description: "canary-secret" } },
    {
      action: "status",
      status: 400,
      body: { error: "invalid_grant", error_description: "canary-refresh canary-secret" },
    },
    { action: "status", status: 400, body: "canary-refresh canary-secret" },
    { action: "cut-after" },
    { action: "html", status: 502 },
  ] as const)("the error shows neither secret nor refresh token after %j", async (fault) => {
    const simulator = await simulate({ clientSecret: "canary-secret" });
    simulator.arm({ ...fault, path: tokenPath, times: Infinity });
    const source = refreshing(simulator, new FakeClock(), { refreshToken: "canary-refresh" });
    expect(everything(await rejection(source.current()))).not.toMatch(/canary/);
  });
});

describe("an access token alone", () => {
  it("is used as it is, and has no successor", async () => {
    const settings = { baseUrl: "https://api.example.com", accessToken: "only" };
    const store = new TokenStore(join(temporaryFolder(), "tokens.db"), systemClock);
    const source = tokenSource(settings, store, new FakeClock(), () => undefined);
    expect(await source.current()).toBe("only");
    expect(await source.renew("only")).toBeUndefined();
    expect(source.remedy).toContain("$RESELLER_ACCESS_TOKEN");
  });
});
