import { once } from "node:events";
import { connect, createServer } from "node:net";
import { listenForRedirect } from "../../cli/redirect";
import { freeAddress } from "../free-address";
import { closeAfterwards } from "../provider/support";
import { clientSecret, type Outcome, portal, run, type RunOptions, signIns } from "./support";

/** The address with one parameter of its query changed. */
const changed = (address: string, name: string, value: string) => {
  const url = new URL(address);
  url.searchParams.set(name, value);
  return url.href;
};
/** Straight back to the command, past the portal. */
const back = (address: string, answer: Record<string, string>) => {
  const asked = new URL(address).searchParams;
  const state = asked.get("state") ?? "";
  return `${asked.get("redirect_uri") ?? ""}/?${new URLSearchParams({ state, ...answer }).toString()}`;
};

async function expectNothingStored(outcome: Outcome): Promise<void> {
  expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
  expect(outcome.error).not.toContain("\n");
  expect(await signIns()).toEqual([]);
}

describe("login", () => {
  it("says who and what is connected, where the tokens are, and what to set in a stack", async () => {
    const { simulator, flags } = await portal();
    const { stdout, page, exitCode } = await run(["login", ...flags]);
    expect(exitCode).toBe(0);
    const ends = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
    expect(stdout.split("\n")).toEqual([
      `Signed in to ${simulator.baseUrl} as client simulator-client (profile default): enterprise ${simulator.enterpriseTenantId}.`,
      `The tokens are kept in ${process.env["RESELLER_TOKEN_STORE"] ?? ""} and renewed as runs need them. The sign-in ends on ${ends} if no run uses it before.`,
      "In each stack that is to use it:",
      `  pulumi config set reseller:baseUrl ${simulator.baseUrl}`,
      "",
    ]);
    expect(page).toMatchObject({ status: 200 });
    expect(page?.html).toContain("<h1>You are signed in</h1>");
    expect(page?.html).toContain(simulator.enterpriseTenantId);
  });

  it("prints JSON for a script, and nothing else on that stream", async () => {
    const { simulator, flags } = await portal();
    const { stdout } = await run(["login", "--json", "--profile", "prod", ...flags]);
    expect(JSON.parse(stdout)).toEqual({
      profile: "prod",
      baseUrl: simulator.baseUrl,
      clientId: simulator.clientId,
      authUrl: simulator.authUrl,
      keychain: false,
      rotates: null,
      accessTokenEnds: expect.any(String) as unknown,
      refreshTokenEnds: expect.any(String) as unknown,
      enterprise: simulator.enterpriseTenantId,
    });
  });

  it("names the profile in what to set in a stack, and an enterprise without accounts", async () => {
    const { flags } = await portal({ seedAccounts: [] });
    const { stdout } = await run(["login", "--profile", "prod", ...flags]);
    expect(stdout).toContain("an enterprise without accounts yet");
    expect(stdout).toContain("\n  pulumi config set reseller:profile prod\n");
  });

  it("needs nothing told twice", async () => {
    const { flags, simulator } = await portal();
    await run(["login", ...flags]);
    delete process.env["RESELLER_CLIENT_SECRET"];
    simulator.clearRequests();
    expect(await run(["login"])).toMatchObject({ exitCode: 0, error: "" });
    expect(simulator.requests({ path: "/connect/authorize" })[0]?.query["redirect_uri"]).toBe(flags.at(-1));
    expect(await signIns()).toHaveLength(1);
  });

  it("takes everything from the environment, where an empty variable is not set", async () => {
    const { simulator, flags } = await portal();
    process.env["RESELLER_BASE_URL"] = simulator.baseUrl;
    process.env["RESELLER_AUTH_URL"] = simulator.authUrl;
    process.env["RESELLER_CLIENT_ID"] = simulator.clientId;
    process.env["RESELLER_PROFILE"] = "";
    expect(await run(["login", ...flags.slice(-2)])).toMatchObject({ exitCode: 0 });
    process.env["RESELLER_BASE_URL"] = "";
    expect((await run(["status"])).stdout).toContain("profile default");
  });

  it("asks for the client secret at a terminal", async () => {
    const { flags } = await portal();
    delete process.env["RESELLER_CLIENT_SECRET"];
    expect(await run(["login", ...flags], { terminal: true })).toMatchObject({ exitCode: 0 });
    expect(await signIns()).toMatchObject([{ clientSecret }]);
  });

  it("without a terminal, says that the client secret is missing", async () => {
    const { flags, simulator } = await portal();
    delete process.env["RESELLER_CLIENT_SECRET"];
    const outcome = await run(["login", ...flags]);
    await expectNothingStored(outcome);
    expect(outcome.error).toBe("the client secret is missing: set $RESELLER_CLIENT_SECRET.");
    expect(simulator.requests()).toEqual([]);
  });

  it.each([
    ["--base-url", "$RESELLER_BASE_URL"],
    ["--auth-url", "$RESELLER_AUTH_URL"],
    ["--client-id", "$RESELLER_CLIENT_ID"],
  ])("says that %s is missing", async (flag, variable) => {
    const { flags } = await portal();
    const at = flags.indexOf(flag);
    const outcome = await run(["login", ...flags.slice(0, at), ...flags.slice(at + 2)]);
    await expectNothingStored(outcome);
    expect(outcome.error).toContain(`${flag} is missing (${variable})`);
  });

  it.each([
    [["--redirect-uri", "rubbish"], "--redirect-uri must be an address such as http://127.0.0.1:8000."],
    [["--redirect-uri", "https://portal.example.com/back"], "is not an address of this machine: use --no-browser"],
    [["--redirect-uri", "http://192.0.2.1:8000"], "is not an address of this machine: use --no-browser"],
    [["--base-url", "http://api.example.com"], "--base-url must start with https://"],
    [["--auth-url", "login"], "--auth-url is not an address such as"],
    [["--profile", "a b"], "--profile may hold letters"],
  ])("refuses %j", async (flags, message) => {
    const { flags: good, simulator } = await portal();
    const outcome = await run(["login", ...good, ...flags]);
    await expectNothingStored(outcome);
    expect(outcome.error).toContain(message);
    expect(simulator.requests()).toEqual([]);
  });

  it("says which port is busy", async () => {
    const { flags } = await portal();
    const port = Number(new URL(flags.at(-1) ?? "").port);
    const busy = createServer().listen(port, "127.0.0.1");
    closeAfterwards(() => once(busy.close(), "close").then(() => undefined));
    await once(busy, "listening");
    const outcome = await run(["login", ...flags]);
    await expectNothingStored(outcome);
    expect(outcome.error).toMatch(new RegExp(`^port ${port} is in use.*--redirect-uri, or use --no-browser\\.$`));
  });

  const failures: [string, RunOptions["browse"], RegExp][] = [
    ["access was denied", (address) => back(address, { error: "access_denied" }), /denied in the portal.*approve\.$/],
    ["the state differs", (address) => changed(address, "state", "other"), /belongs to another sign-in/],
    ["the server is in trouble", (address) => back(address, { error: "server_error" }), /answered: server_error\./],
    ["the code is not known", (address) => back(address, { code: "guessed" }), /400: invalid_grant .*Sign in again/],
    ["there is no code", (address) => back(address, {}), /no authorization code/],
    [
      "the scope gives no refresh token",
      (address) => changed(address, "scope", "openid onboarding"),
      /no refresh token/,
    ],
  ];
  it.each(failures)("ends with one line, here and in the browser, when %s", async (_what, browse, message) => {
    const { flags } = await portal();
    const outcome = await run(["login", ...flags], { ...(browse ? { browse } : {}) });
    await expectNothingStored(outcome);
    expect(outcome.error).toMatch(message);
    expect(outcome.page).toMatchObject({ status: 400 });
    expect(outcome.page?.html).toContain("<h1>The sign-in failed</h1>");
  });

  it("keeps what was stored before when it fails", async () => {
    const { flags, simulator } = await portal();
    await run(["login", ...flags]);
    const before = await signIns();
    const browse = (address: string) => back(address, { error: "access_denied" });
    expect(await run(["login"], { browse })).toMatchObject({ exitCode: 1 });
    expect(await signIns()).toEqual(before);
    expect(await run(["status"])).toMatchObject({ exitCode: 0 });
    expect(simulator.charges()).toEqual([]);
  });

  it.each([
    ["the client secret is wrong", { clientSecret: "another" }, /401: invalid_client.*Check the client id/],
    ["the token endpoint answers with a page", {}, /did not answer as an OAuth server does/],
  ])("ends with one line when %s", async (_what, options, message) => {
    const { flags, simulator } = await portal(options);
    if (!("clientSecret" in options)) simulator.arm({ path: "/connect/token", action: "html" });
    const outcome = await run(["login", ...flags]);
    await expectNothingStored(outcome);
    expect(outcome.error).toMatch(message);
  });

  it("says so when the service does not take the tokens", async () => {
    const { flags, simulator } = await portal();
    simulator.arm({ path: "/api/", action: "status", status: 401, times: Infinity });
    const outcome = await run(["login", ...flags]);
    expect(outcome.error).toMatch(/^the tokens are stored, but the service did not take them\. .*401/);
    expect(outcome.page?.html).toContain("The sign-in failed");
    expect(outcome.exitCode).toBe(1);
  });

  it.each([[[]], [["--no-browser"]]])("waits five minutes and no longer %j", async (more: string[]) => {
    const { flags } = await portal();
    const real = setTimeout;
    const fiveMinutes = 300_000;
    const waits: (number | undefined)[] = [];
    jest.spyOn(global, "setTimeout").mockImplementation((then: () => void, ms?: number) => {
      waits.push(ms);
      return real(then, ms === fiveMinutes ? 50 : ms);
    });
    const outcome = await run(["login", ...more, ...flags], { browse: () => "data:," });
    expect(waits).toContain(fiveMinutes);
    await expectNothingStored(outcome);
    expect(outcome.error).toBe("nobody signed in within five minutes. Nothing was stored; run login again.");
  });
});

describe("login --no-browser", () => {
  it("takes the address that the browser ended at", async () => {
    const { flags, simulator } = await portal();
    const [outcome] = await pasting(["login", "--no-browser", ...flags], (location) => `  ${location}  \n`);
    expect(outcome.stdout).toContain(`enterprise ${simulator.enterpriseTenantId}`);
    expect(outcome.stderr).toContain("Paste that address, all of it, here:");
    expect(outcome.page).toBeUndefined();
  });

  it("takes an address that is not of this machine, where the service knows one", async () => {
    const { flags, simulator } = await portal();
    const location = "https://portal.example.com/back?state=guessed&code=x";
    const redirect = ["--redirect-uri", "https://portal.example.com/back"];
    const outcome = await run(["login", "--no-browser", ...flags, ...redirect], { stdin: `${location}\n` });
    await expectNothingStored(outcome);
    expect(outcome.error).toContain("its state differs");
    expect(simulator.requests()).toEqual([]);
  });

  it.each([
    ["", "no address was pasted. Nothing was stored."],
    ["\n", "that is not the address you were sent to"],
    ["http://127.0.0.1:8000/\n", "that is not the address you were sent to"],
    ["canary-code\n", "that is not the address you were sent to"],
  ])("refuses %j", async (stdin, message) => {
    const { flags } = await portal();
    const outcome = await run(["login", "--no-browser", ...flags], { stdin });
    await expectNothingStored(outcome);
    expect(outcome.error).toContain(message);
    expect(outcome.error).not.toContain("canary-code");
  });
});

/** Runs a command, reads the address that it prints, and types what is made of where the portal leads. */
async function pasting(args: string[], typed: (location: string) => string): Promise<[Outcome, string]> {
  let location = "";
  const outcome = await run(args, {
    answer: async (printed) => {
      const address = /^ {2}(http:\S+)$/m.exec(printed)?.[1] ?? "";
      const response = await fetch(address, { redirect: "manual" });
      location = response.headers.get("location") ?? "";
      return typed(location);
    },
  });
  return [outcome, location];
}

describe("the listener", () => {
  it("answers nothing but the redirect, and lets go of connections that ask for nothing", async () => {
    const redirectUri = await freeAddress();
    const listener = await listenForRedirect(`${redirectUri}/back`);
    const { port } = new URL(redirectUri);
    const spare = connect(Number(port), "127.0.0.1");
    await once(spare, "connect");
    for (const path of ["/favicon.ico", "/back", "/?state=s"]) {
      expect((await fetch(redirectUri + path)).status).toBe(404);
    }
    expect((await fetch(`${redirectUri}/back?state=s`, { method: "POST" })).status).toBe(404);
    const page = fetch(`${redirectUri}/back?state=s&code=c`);
    expect((await listener.arrived).searchParams.get("code")).toBe("c");
    await listener.answer("Title <b>", 'Text & "more"', false);
    listener.close();
    const response = await page;
    const html = await response.text();
    expect(html).toContain("<h1>Title &lt;b&gt;</h1><p>Text &amp; &quot;more&quot;</p>");
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    expect(response.headers.get("cache-control")).toBe("no-store");
    await once(spare, "close");
    await expect(fetch(redirectUri)).rejects.toThrow();
  });
});
