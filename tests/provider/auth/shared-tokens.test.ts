import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemClock } from "../../../provider/clock";
import type { Settings } from "../../../provider/config";
import { type EntryKey, entryKey, type SignIn } from "../../../provider/auth/entry";
import { TokenStore } from "../../../provider/auth/store";
import { tokenSource } from "../../../provider/auth/tokens";
import { LoginRequiredError, TokenStoreError } from "../../../provider/errors";
import type { Simulator, SimulatorOptions } from "../../../simulator";
import { FakeClock, rejection, simulate, temporaryFolder } from "../support";

const tokenPath = "/connect/token";
const day = 24 * 60 * 60 * 1000;
const refreshes = (simulator: Simulator) => simulator.requests({ path: tokenPath });

async function world(options: SimulatorOptions = {}) {
  const simulator = await simulate(options);
  const path = join(temporaryFolder(), "deeper", "tokens.db");
  const clock = new FakeClock(Date.now());
  const notices: string[] = [];
  const { baseUrl, authUrl, clientId, clientSecret, refreshToken } = simulator;
  const key = entryKey({ profile: "default", baseUrl, clientId });
  const store = new TokenStore(path, systemClock);
  const signIn: SignIn = { authUrl, clientSecret, refreshToken, usedAt: clock.now() };
  return {
    ...{ simulator, path, clock, notices, key, store, signIn },
    given: { baseUrl, authUrl, clientId, clientSecret, refreshToken },
    keep: (more: Partial<SignIn> = {}) => keep(store, key, { ...signIn, ...more }),
    /** Another process: it shares the file and nothing else. */
    source: (settings: Settings = { baseUrl, signIn: key }) =>
      tokenSource(settings, new TokenStore(path, systemClock), clock, (line) => notices.push(line)),
  };
}

function keep(store: TokenStore, key: EntryKey, signIn: SignIn): Promise<void> {
  return store.exclusively("test", (transaction) => transaction.write({ key, keychain: false, signIn }));
}

describe("a sign-in in the store", () => {
  it("gives one access token to all who ask, one after the other, for one request", async () => {
    const { simulator, keep, source } = await world({ rotateRefreshTokens: true });
    await keep();
    const tokens = [];
    for (let process = 0; process < 5; process++) tokens.push(await source().current());
    expect(new Set(tokens).size).toBe(1);
    expect(refreshes(simulator)).toHaveLength(1);
  });

  it("gives one access token to all who ask at once, for one request", async () => {
    const { simulator, keep, source } = await world({ rotateRefreshTokens: true, latencyMs: 50 });
    await keep();
    const tokens = await Promise.all(Array.from({ length: 8 }, () => source().current()));
    expect(new Set(tokens).size).toBe(1);
    expect(refreshes(simulator)).toHaveLength(1);
  });

  it("renews once for all whose token was rejected", async () => {
    const { simulator, keep, source } = await world({ rotateRefreshTokens: true, latencyMs: 20 });
    await keep();
    const sources = Array.from({ length: 6 }, () => source());
    const [rejected = ""] = await Promise.all(sources.map((each) => each.current()));
    simulator.clearRequests();
    const renewed = await Promise.all(sources.map((each) => each.renew(rejected)));
    expect(new Set(renewed).size).toBe(1);
    expect(renewed[0]).not.toBe(rejected);
    expect(refreshes(simulator)).toHaveLength(1);
  });

  it("holds the new refresh token before anyone has the access token that came with it", async () => {
    const { keep, source, store, key, signIn } = await world({ rotateRefreshTokens: true });
    await keep();
    const token = await source().current();
    const kept = (await store.read(key))?.signIn;
    expect(kept?.refreshToken).not.toBe(signIn.refreshToken);
    expect(kept?.access?.token).toBe(token);
    expect(kept?.rotates).toBe(true);
  });

  it("that the server no longer takes is cleared once, and keeps the connection for the next login", async () => {
    const { simulator, keep, source, store, key } = await world();
    await keep();
    simulator.revokeRefreshTokens();
    for (let process = 0; process < 3; process++) {
      const error = await rejection(source().current());
      expect(error).toBeInstanceOf(LoginRequiredError);
      expect(error.message).toContain("Sign in again: npx pulumi-reseller login.");
    }
    expect(refreshes(simulator)).toHaveLength(1);
    const kept = (await store.read(key))?.signIn;
    expect(kept).not.toHaveProperty("refreshToken");
    expect(kept).not.toHaveProperty("access");
    expect(kept).toMatchObject({ authUrl: simulator.authUrl, clientSecret: simulator.clientSecret });
  });

  it("that another process renewed is read again, not asked for", async () => {
    const { simulator, keep, source } = await world({ rotateRefreshTokens: true });
    await keep();
    const [one, other] = [source(), source()];
    const first = await one.current();
    await other.current();
    const second = await one.renew(first);
    expect(await other.renew(first)).toBe(second);
    expect(refreshes(simulator)).toHaveLength(2);
  });

  it("that was removed meanwhile asks for a login", async () => {
    const { source, key } = await world();
    const error = await rejection(source().current());
    expect(error).toBeInstanceOf(LoginRequiredError);
    expect(error.message).toContain(`nobody is signed in to ${key.baseUrl} any more (profile default)`);
  });

  it("names its profile in what to do", async () => {
    const { store, key, signIn, source, simulator } = await world();
    const prod = { ...key, profile: "prod" };
    await keep(store, prod, signIn);
    simulator.revokeRefreshTokens();
    const error = await rejection(source({ baseUrl: key.baseUrl, signIn: prod }).current());
    expect(error.message).toContain("npx pulumi-reseller login --profile prod");
  });

  it.each([
    ["of before the clock was set back", { obtainedAt: 600_000 + 60_001, expiresAt: 3_600_000 }],
    ["in its last minute", { obtainedAt: -3_000_000, expiresAt: 59_999 }],
  ])("is renewed when its access token is one %s", async (_, { obtainedAt, expiresAt }) => {
    const { simulator, keep, source, clock } = await world();
    const now = clock.now();
    await keep({ access: { token: "old", obtainedAt: now + obtainedAt, expiresAt: now + expiresAt } });
    expect(await source().current()).not.toBe("old");
    expect(refreshes(simulator)).toHaveLength(1);
  });

  it("is used as it is while its access token is good", async () => {
    const { simulator, keep, source, clock } = await world();
    const now = clock.now();
    await keep({ access: { token: "good", obtainedAt: now + 50_000, expiresAt: now + 61_000 } });
    expect(await source().current()).toBe("good");
    expect(refreshes(simulator)).toEqual([]);
  });
});

describe("the 90 days after which an unused refresh token ends", () => {
  it("are warned of with the dates when fewer than fourteen are left", async () => {
    const { keep, source, notices, clock } = await world();
    await keep({ usedAt: clock.now() - 76 * day - 1 });
    await source().current();
    const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    expect(notices).toEqual([
      `The sign-in default was last used on ${date(clock.now() - 76 * day - 1)} and would have ended on ${date(clock.now() + 14 * day - 1)}. Each use keeps it for 90 days: run pulumi-reseller token refresh on a schedule.`,
    ]);
  });

  it("are not spoken of before, and begin again with each use", async () => {
    const { keep, source, notices, clock, store, key } = await world();
    await keep({ usedAt: clock.now() - 76 * day });
    await source().current();
    expect(notices).toEqual([]);
    expect((await store.read(key))?.signIn.usedAt).toBe(clock.now());
  });
});

describe("a refresh token from the settings", () => {
  it("is the beginning of a sign-in that all processes with the same one share", async () => {
    const { simulator, source, given } = await world({ rotateRefreshTokens: true });
    const tokens = [];
    for (let process = 0; process < 4; process++) tokens.push(await source(given).current());
    expect(new Set(tokens).size).toBe(1);
    expect(refreshes(simulator)).toHaveLength(1);
    // And on, when the access token has been rejected: never with the token that is spent.
    const renewed = await source(given).renew(tokens[0] ?? "");
    expect(await source(given).current()).toBe(renewed);
    expect(refreshes(simulator).map(({ status }) => status)).toEqual([200, 200]);
  });

  it("is kept under its hash, so that a new one begins anew", async () => {
    const { simulator, source, given, store } = await world();
    await source(given).current();
    await rejection(source({ ...given, refreshToken: "another" }).current());
    expect(refreshes(simulator)).toHaveLength(2);
    const profiles = store.keys().map(({ profile }) => profile);
    expect(profiles).toHaveLength(2);
    for (const profile of profiles) expect(profile).toMatch(/^given:[0-9a-f]{12}$/);
  });

  it("is not sent when what comes back could not be kept", async () => {
    const { simulator, source, given, path } = await world();
    // A file where the store's folder would have to be.
    writeFileSync(dirname(path), "");
    const error = await rejection(source(given).current());
    expect(error).toBeInstanceOf(TokenStoreError);
    expect(error.message).toContain("$RESELLER_TOKEN_STORE");
    expect(refreshes(simulator)).toEqual([]);
  });
});
