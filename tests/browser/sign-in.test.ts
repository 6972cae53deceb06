import { once } from "node:events";
import { createServer } from "node:http";
import type { Page } from "playwright-core";
import { startSimulator } from "../../simulator";
import type { Run } from "../engine/support/processes";
import { freeAddress } from "../free-address";
import { Chromium, describeInBrowser, keepScreenshot } from "./support/chromium";
import { Terminal } from "./support/cli";
import { startOidcServer } from "./support/oidc";

/** Signing in as a person does it: the real command, a real browser, a real authorization server. */

jest.setTimeout(120_000);

/** What the tests need of an authorization server and the API behind it. */
interface Portal {
  url: string;
  clientId: string;
  clientSecret: string;
  enterprise: string;
  approve(page: Page): Promise<void>;
  deny(page: Page): Promise<void>;
  breakTokenEndpoint(): void;
}

const seedAccounts = [{ name: "Acme Telecom" }];

/** What a test has started, the newest first. */
const belongings: AsyncDisposable[] = [];

function keep<T extends AsyncDisposable>(thing: T): T {
  belongings.unshift(thing);
  return thing;
}

afterEach(async () => {
  for (const thing of belongings.splice(0)) await thing[Symbol.asyncDispose]();
});

async function simulated(rotates: boolean): Promise<Portal> {
  const simulator = keep(await startSimulator({ seedAccounts, rotateRefreshTokens: rotates }));
  return {
    url: simulator.baseUrl,
    clientId: simulator.clientId,
    clientSecret: simulator.clientSecret,
    enterprise: simulator.enterpriseTenantId,
    approve: (page) => page.getByRole("button", { name: "Log in and approve" }).click(),
    deny: (page) => page.getByRole("button", { name: "Deny" }).click(),
    breakTokenEndpoint: () => {
      simulator.arm({ path: "/connect/token", action: "html", times: Infinity });
    },
  };
}

async function independent(rotates: boolean): Promise<Portal> {
  const simulator = keep(await startSimulator({ seedAccounts }));
  const server = keep(await startOidcServer(simulator, rotates));
  const logIn = async (page: Page) => {
    await page.getByLabel("User").fill("pat");
    await page.getByLabel("Password").fill("a password");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL(/interaction/);
    await page.getByText("asks for access").waitFor();
  };
  return {
    url: server.url,
    clientId: server.clientId,
    clientSecret: server.clientSecret,
    enterprise: simulator.enterpriseTenantId,
    approve: async (page) => {
      // Whoever has logged in before is only asked for consent.
      if (await page.getByLabel("User").isVisible()) await logIn(page);
      await page.getByRole("button", { name: "Continue" }).click();
    },
    deny: async (page) => {
      await logIn(page);
      await page.getByRole("button", { name: "Deny" }).click();
    },
    breakTokenEndpoint: () => {
      server.breakTokenEndpoint();
    },
  };
}

const portals = [
  ["the simulator", simulated],
  ["an independent server", independent],
] as const;

describeInBrowser.each(portals)("against %s", (name, start) => {
  let chromium: Chromium;
  let portal: Portal;
  let terminal: Terminal;
  let redirectUri: string;
  let page: Page;
  let flags: string[];

  beforeAll(async () => {
    chromium = await Chromium.start();
  });
  afterAll(() => chromium[Symbol.asyncDispose]());

  async function begin(rotates: boolean): Promise<void> {
    portal = await start(rotates);
    terminal = keep(new Terminal({ RESELLER_CLIENT_SECRET: portal.clientSecret }));
    redirectUri = await freeAddress();
    page = await chromium.page();
    flags = ["--base-url", portal.url, "--auth-url", portal.url, "--client-id", portal.clientId];
    flags.push("--redirect-uri", redirectUri);
  }

  /** What every failure has in common. @returns the line that it ends with */
  async function failed(run: Run): Promise<string> {
    expect(run).toMatchObject({ code: 1, stdout: "" });
    const { signIns } = JSON.parse((await terminal.run("status", "--json")).stdout) as { signIns: unknown[] };
    expect(signIns).toEqual([]);
    const lines = run.stderr.trimEnd().split("\n");
    expect(lines.filter((line) => line.startsWith("pulumi-reseller: "))).toEqual(lines.slice(-1));
    expect(run.stderr).not.toContain(portal.clientSecret);
    return lines.at(-1) ?? "";
  }

  async function seesFailure(text: string): Promise<void> {
    await page.getByRole("heading", { name: "The sign-in failed" }).waitFor();
    expect(await page.getByRole("main").innerText()).toContain(text);
  }

  test.each([false, true])("a person signs in once, and it lasts (rotation: %s)", async (rotates) => {
    await begin(rotates);
    const { running, address } = await terminal.login(...flags);
    await page.goto(address);
    await keepScreenshot(page, `login-${name.replaceAll(" ", "-")}`);
    await portal.approve(page);
    await page.getByRole("heading", { name: "You are signed in" }).waitFor();
    await keepScreenshot(page, `signed-in-${name.replaceAll(" ", "-")}`);
    expect(await page.getByRole("main").innerText()).toContain(`enterprise ${portal.enterprise}`);
    const { code, stdout } = await running.ended;
    expect(stdout).toContain(`Signed in to ${portal.url} as client ${portal.clientId}`);
    expect(code).toBe(0);

    delete terminal.env["RESELLER_CLIENT_SECRET"];
    expect(await status()).toMatchObject({ problem: null, enterprise: portal.enterprise, rotates: null });
    for (let use = 0; use < 3; use++) expect(await terminal.run("token", "refresh")).toMatchObject({ code: 0 });
    expect(await status()).toMatchObject({ problem: null, rotates });

    const again = await terminal.login("--json");
    await page.goto(again.address);
    await portal.approve(page);
    await page.getByRole("heading", { name: "You are signed in" }).waitFor();
    const second = await again.running.ended;
    expect(second.code).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({ baseUrl: portal.url, enterprise: portal.enterprise });
    expect(await status()).toMatchObject({ problem: null });
  });

  async function status(): Promise<Record<string, unknown>> {
    const { stdout } = await terminal.run("status", "--json");
    return (JSON.parse(stdout) as { signIns: Record<string, unknown>[] }).signIns[0] ?? {};
  }

  test("a denied login says so in the browser and in the terminal", async () => {
    await begin(false);
    const { running, address } = await terminal.login(...flags);
    await page.goto(address);
    await portal.deny(page);
    await seesFailure("access was denied in the portal");
    await keepScreenshot(page, `failed-${name.replaceAll(" ", "-")}`);
    expect(await failed(await running.ended)).toBe(
      "pulumi-reseller: Could not sign in: access was denied in the portal. Nothing was stored. Run login again and approve.",
    );
  });

  test("an answer with another state is refused", async () => {
    await begin(false);
    const { running, address } = await terminal.login(...flags);
    const other = new URL(address);
    other.searchParams.set("state", "of-another-sign-in");
    await page.goto(other.href);
    await portal.approve(page);
    await seesFailure("its state differs");
    expect(await failed(await running.ended)).toContain(
      "belongs to another sign-in (its state differs). Nothing was stored.",
    );
  });

  test("a code that was used before is refused", async () => {
    await begin(false);
    const first = await terminal.login(...flags);
    await page.goto(first.address);
    await portal.approve(page);
    await page.getByRole("heading", { name: "You are signed in" }).waitFor();
    const code = new URL(page.url()).searchParams.get("code") ?? "";
    expect(await first.running.ended).toMatchObject({ code: 0 });
    await terminal.run("logout", "--all");

    const { running, address } = await terminal.login(...flags);
    const state = new URL(address).searchParams.get("state") ?? "";
    await page.goto(`${redirectUri}/?${new URLSearchParams({ code, state }).toString()}`);
    await seesFailure("invalid_grant");
    const line = await failed(await running.ended);
    expect(line).toMatch(/the authorization server answered 400: invalid_grant .*Sign in again/);
    expect(line).not.toContain(code);
  });

  test("a page instead of tokens is one line, not a dump", async () => {
    await begin(false);
    portal.breakTokenEndpoint();
    const { running, address } = await terminal.login(...flags);
    await page.goto(address);
    await portal.approve(page);
    await seesFailure("did not answer as an OAuth server does");
    const line = await failed(await running.ended);
    expect(line).toContain("Check reseller:authUrl");
    expect(line).not.toContain("<");
  });

  test("a busy port is said before anybody types a password", async () => {
    await begin(false);
    const busy = createServer().listen(Number(new URL(redirectUri).port), "127.0.0.1");
    await once(busy, "listening");
    keep({ [Symbol.asyncDispose]: () => once(busy.close(), "close").then(() => undefined) });
    expect(await failed(await terminal.run("login", ...flags))).toMatch(/port \d+ is in use.*--redirect-uri/);
  });

  test("without a listener, the address that the browser ends at is pasted", async () => {
    await begin(false);
    const { running, address } = await terminal.login("--no-browser", ...flags);
    const wentTo = page.waitForRequest((request) => request.url().startsWith(redirectUri));
    await page.goto(address);
    // Nothing listens there: the browser shows an error of its own and keeps the address.
    await portal.approve(page);
    running.child.stdin?.end(`${(await wentTo).url()}\n`);
    const { code, stdout } = await running.ended;
    expect(stdout).toContain(`enterprise ${portal.enterprise}`);
    expect(code).toBe(0);
    expect(await status()).toMatchObject({ problem: null });
  });
});
