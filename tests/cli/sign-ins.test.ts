import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { tokenStore } from "../../provider/service";
import { temporaryFolder } from "../provider/support";
import { portal, run, signIns } from "./support";

/** What there is to do with a sign-in once there is one. */

const day = 86_400;
const dateIn = (days: number) => new Date(Date.now() + days * day * 1000).toISOString().slice(0, 10);

/** Somebody who has signed in. */
async function signedIn(options: Parameters<typeof portal>[0] = {}, ...more: string[]) {
  const { simulator, flags } = await portal(options);
  expect(await run(["login", ...flags, ...more])).toMatchObject({ error: "", exitCode: 0 });
  simulator.clearRequests();
  return { simulator, flags, refreshes: () => simulator.requests({ path: "/connect/token" }) };
}

/** For each file of the token store that there is, whether it holds a text. */
function traces(text = "a refresh token"): boolean[] {
  const path = process.env["RESELLER_TOKEN_STORE"] ?? "";
  return readdirSync(dirname(path)).map((name) => readFileSync(join(dirname(path), name)).includes(text));
}

/** From now on the token store is another, empty one. */
function onAnotherMachine(): void {
  process.env["RESELLER_TOKEN_STORE"] = join(temporaryFolder(), "tokens.db");
}

describe("status", () => {
  it("shows who is signed in where, for how long, and that it works", async () => {
    const { simulator } = await signedIn();
    const { stdout, exitCode } = await run(["status"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`${simulator.baseUrl}, profile default, client simulator-client\n`);
    expect(stdout).toContain(`works now     yes, enterprise ${simulator.enterpriseTenantId}\n`);
    expect(stdout).toContain(`until ${dateIn(90)} if no run uses it before\n`);
    expect(stdout).toContain("no; the file is readable by you alone\n");
    expect(stdout).toContain(`Kept in ${process.env["RESELLER_TOKEN_STORE"] ?? ""}.\n`);
  });

  it("prints JSON for a script", async () => {
    const { simulator } = await signedIn();
    const { stdout, exitCode } = await run(["status", "--json"]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      tokenStore: process.env["RESELLER_TOKEN_STORE"],
      signIns: [
        {
          profile: "default",
          baseUrl: simulator.baseUrl,
          clientId: simulator.clientId,
          authUrl: simulator.authUrl,
          keychain: false,
          rotates: null,
          accessTokenEnds: expect.any(String) as unknown,
          refreshTokenEnds: expect.stringContaining(dateIn(90)) as unknown,
          runsLow: false,
          enterprise: simulator.enterpriseTenantId,
          problem: null,
        },
      ],
    });
  });

  it("ends with 1 when nobody is signed in, and makes no file", async () => {
    const path = process.env["RESELLER_TOKEN_STORE"] ?? "";
    const { stdout, exitCode } = await run(["status"]);
    expect([exitCode, stdout]).toEqual([1, `Nobody is signed in (${path}). Run: npx pulumi-reseller login\n`]);
    expect(JSON.parse((await run(["status", "--json"])).stdout)).toEqual({ tokenStore: path, signIns: [] });
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });

  it("ends with 1 and says what to do when the sign-in was revoked", async () => {
    const { simulator } = await signedIn();
    simulator.revokeAccessTokens();
    simulator.revokeRefreshTokens();
    const { stdout, exitCode } = await run(["status"]);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/works now {5}no: .*invalid_grant.*Sign in again: npx pulumi-reseller login\./);
    expect(stdout).toContain("sign-in       ended\n");
    expect(await run(["login"])).toMatchObject({ exitCode: 0 });
  });

  it("ends with 1 and says that the service is down", async () => {
    const { simulator } = await signedIn();
    await simulator.close();
    // The seconds between its attempts are not what is tested.
    const real = setTimeout;
    jest.spyOn(global, "setTimeout").mockImplementation((then: () => void, ms = 0) => real(then, ms / 50));
    const { stdout, exitCode } = await run(["status", "--json"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("connection refused");
  });

  it("tells several sign-ins apart, and what in the environment goes before them", async () => {
    const first = await signedIn();
    await signedIn({}, "--profile", "prod");
    process.env["RESELLER_REFRESH_TOKEN"] = "given";
    const all = (await run(["status"])).stdout;
    expect(all).toContain("profile default");
    expect(all).toContain("profile prod");
    expect(all).toContain("$RESELLER_REFRESH_TOKEN is set here and goes before any sign-in.");
    const one = (await run(["status", "--profile", "prod"])).stdout;
    expect(one).not.toContain(first.simulator.baseUrl);
    expect((await run(["status", "--profile", "none"])).stdout).toContain("login --profile none");
  });
});

describe("logout", () => {
  it("forgets the sign-in of one profile, and leaves no trace of it in the file", async () => {
    const { simulator } = await signedIn();
    await signedIn({}, "--profile", "prod");
    const [mine] = await signIns();
    expect(traces(mine?.refreshToken)).toContain(true);
    const { stdout } = await run(["logout"]);
    expect(stdout).toBe(`Forgotten: ${simulator.baseUrl}, profile default, client simulator-client.\n`);
    expect(tokenStore().keys()).toMatchObject([{ profile: "prod" }]);
    expect(traces(mine?.refreshToken)).toEqual([false]);
  });

  it("forgets all of them", async () => {
    await signedIn();
    await signedIn({}, "--profile", "prod");
    process.env["RESELLER_PROFILE"] = "prod";
    expect((await run(["logout", "--all"])).stdout.match(/Forgotten/g)).toHaveLength(2);
    expect(await signIns()).toEqual([]);
    expect(await run(["logout"])).toMatchObject({ stdout: "Nobody was signed in.\n", exitCode: 0 });
  });
});

describe("token refresh", () => {
  it.each([false, true])("asks for tokens although there are good ones (rotation: %s)", async (rotateRefreshTokens) => {
    const { refreshes } = await signedIn({ rotateRefreshTokens });
    for (let use = 0; use < 3; use++) {
      expect((await run(["token", "refresh"])).stdout).toMatch(new RegExp(`^Renewed: .*until ${dateIn(90)} if`));
    }
    expect(refreshes().map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await signIns()).toMatchObject([{ rotates: rotateRefreshTokens }]);
  });

  it("says that nobody is signed in, that several are, or that the sign-in has ended", async () => {
    expect((await run(["token", "refresh", "--profile", "ci"])).error).toBe(
      "nobody is signed in with profile ci. Run: npx pulumi-reseller login --profile ci",
    );
    const { simulator } = await signedIn();
    simulator.revokeRefreshTokens();
    expect((await run(["token", "refresh"])).error).toMatch(
      /invalid_grant.*Sign in again: npx pulumi-reseller login\.$/,
    );
    expect((await run(["token", "export"])).error).toBe("the sign-in has ended. Run login first.");
    await signedIn();
    expect((await run(["token", "refresh"])).error).toMatch(/has several sign-ins: .*--base-url or --client-id\.$/);
  });
});

describe("token export and import", () => {
  it.each([false, true])("carry a sign-in to another machine, where it works (rotation: %s)", async (rotates) => {
    const { simulator } = await signedIn({ rotateRefreshTokens: rotates });
    const unused = await run(["token", "export"], { reveals: true });
    expect(unused.stderr).toContain(
      "Whether this server changes the refresh token at each use shows when it is first used",
    );
    await run(["token", "refresh"]);
    const exported = await run(["token", "export"], { reveals: true });
    expect(exported.stdout).toMatch(/^[\w-]+\n$/);
    expect(exported.stderr).toContain(`ends on ${dateIn(90)} if nothing uses it before.`);
    expect(exported.stderr.includes("changes the refresh token at each use")).toBe(rotates);
    const [here] = await signIns();

    onAnotherMachine();
    delete process.env["RESELLER_CLIENT_SECRET"];
    const imported = await run(["token", "import"], { stdin: exported.stdout });
    expect(imported).toMatchObject({ error: "", exitCode: 0 });
    expect(imported.stdout).toMatch(new RegExp(`^Imported: ${simulator.baseUrl}, .*until ${dateIn(90)}`));
    const [there] = await signIns();
    // An access token would outlive its use on the way; everything else goes along.
    expect(there).toEqual({ ...here, access: undefined });
    expect(await run(["status"])).toMatchObject({ exitCode: 0 });
    expect(await run(["token", "refresh"])).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ["nothing", ""],
    ["rubbish", "rubbish\n"],
    ["another version", Buffer.from(JSON.stringify({ version: 2 })).toString("base64url")],
    ["a bad address", exportOf({ baseUrl: "http://api.example.com" })],
    ["no refresh token", exportOf({ signIn: { authUrl: "https://a", clientSecret: "s", usedAt: 1, rotates: false } })],
  ])("import refuses %s and stores nothing", async (_what, stdin) => {
    const { error, exitCode, stdout } = await run(["token", "import"], { stdin });
    expect(error).toMatch(/^standard input does not hold what .* prints\. Nothing was stored\.$/);
    expect([exitCode, stdout, await signIns()]).toEqual([1, "", []]);
  });

  it("import takes what export would have printed", async () => {
    expect(await run(["token", "import"], { stdin: exportOf({}) })).toMatchObject({ exitCode: 0, error: "" });
  });

  it("do not put an older sign-in in place of one that was used since", async () => {
    const { simulator } = await signedIn({ rotateRefreshTokens: true });
    const { stdout: older } = await run(["token", "export"], { reveals: true });
    await run(["token", "refresh"]);
    const imported = await run(["token", "import"], { stdin: older });
    expect(imported.stdout).toContain("Kept the sign-in that is here already, which was used later: ");
    await run(["token", "refresh"]);
    expect(simulator.requests({ path: "/connect/token" }).map(({ status }) => status)).toEqual([200, 200]);
  });
});

function exportOf(changes: object): string {
  const signIn = {
    authUrl: "https://login.example.com",
    clientSecret: "secret-canary",
    refreshToken: "r-canary",
    usedAt: Date.now(),
    rotates: false,
  };
  const whole = { version: 1, profile: "ci", baseUrl: "https://api.example.com", clientId: "c", signIn, ...changes };
  return Buffer.from(JSON.stringify(whole)).toString("base64url");
}
