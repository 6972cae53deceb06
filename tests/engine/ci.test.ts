import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Simulator, startSimulator } from "../../simulator";
import { root } from "./support/installed";
import { type Run, start } from "./support/processes";
import { Project, settingsOf } from "./support/project";
import { writes } from "./support/requests";

/** The scripts of examples/ci as the workflows call them, on the program of examples/environments. */

jest.setTimeout(240_000);

let simulator: Simulator;
let project: Project;

/** What a step of a workflow leaves for the host. */
interface Step extends Run {
  outputs: string;
  summary: string;
}

async function step(script: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Step> {
  const files = {
    GITHUB_OUTPUT: join(project.backend, "output"),
    GITHUB_STEP_SUMMARY: join(project.backend, "summary"),
  };
  for (const file of Object.values(files)) writeFileSync(file, "");
  const options = { cwd: project.folder, env: { ...project.env, ...files, ...env } };
  const run = await start(join(root, "examples/ci", script), args, options).ended;
  return {
    ...run,
    outputs: readFileSync(files.GITHUB_OUTPUT, "utf8"),
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, "utf8"),
  };
}

beforeAll(async () => {
  simulator = await startSimulator();
  project = await Project.packed(settingsOf(simulator));
  for (const file of ["Pulumi.yaml", "Pulumi.prod.yaml", "index.ts"]) {
    copyFileSync(join(root, "examples/environments", file), join(project.folder, file));
  }
  await project.succeed("stack", "init", "prod");
});

beforeEach(() => {
  simulator.clearRequests();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await simulator.close();
});

test("preview.sh names each creation that may be charged, counts them, and writes nothing", async () => {
  const { code, stdout, outputs } = await step("preview.sh", ["prod"]);
  expect(code).toBe(0);
  expect(stdout).toContain("### Preview of `prod`");
  for (const name of ["Acme Telecom", "Globex Voice"]) {
    expect(stdout).toContain(`- Account \`${name}\`: creating it may cost money, and the program accepts that.`);
  }
  expect(outputs).toBe("charges=2\n");
  expect(writes(simulator)).toEqual([]);
});

test("preview.sh says which creation the service will refuse, and counts no charge for it", async () => {
  await project.succeed("config", "set", "acceptCharges", "false", "--stack", "prod");
  const { stdout, outputs } = await step("preview.sh", ["prod"]);
  await project.succeed("config", "set", "acceptCharges", "true", "--stack", "prod");
  expect(stdout.match(/may cost money that is \*\*not accepted\*\*/g)).toHaveLength(2);
  expect(outputs).toBe("charges=0\n");
});

test("preview.sh fails with the error in its text when the program cannot run", async () => {
  const { code, stdout, outputs } = await step("preview.sh", ["prod"], { NODE_OPTIONS: "--no-such-option" });
  expect(code).not.toBe(0);
  expect(outputs).toBe("");
  expect(stdout).not.toContain("Nothing to change.");
});

/** Puts a `gh` on the PATH, which is this shell script: GitHub itself is not here. */
function stubHost(body: string): Record<string, string> {
  const bin = join(project.backend, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "gh"), `#!/bin/sh\n${body}\n`);
  chmodSync(join(bin, "gh"), 0o755);
  return { PATH: `${bin}${delimiter}${project.env["PATH"] ?? ""}` };
}

test("comment.sh hands the text to the host as this account's one comment", async () => {
  const { stdout } = await step("comment.sh", ["7", "comment.md"], stubHost('echo "$@"'));
  expect(stdout).toBe("pr comment 7 --body-file comment.md --edit-last --create-if-none\n");
});

test("up.sh stops before the first write when more would be charged than was approved", async () => {
  const { code, output } = await step("up.sh", ["prod", "1"], { RESELLER_CHARGE_POLICY: "ask" });
  expect(code).not.toBe(0);
  expect(output).toContain("2 creations may be charged; 1 were approved. Nothing was written.");
  expect(writes(simulator)).toEqual([]);
});

test("up.sh creates what was approved, one charge each, and a preview then finds nothing to do", async () => {
  const { code, output } = await step("up.sh", ["prod", "2"], { RESELLER_CHARGE_POLICY: "ask" });
  expect([code, output]).toEqual([0, expect.stringContaining('Charges accepted: created account "Acme Telecom"')]);
  expect(simulator.charges()).toHaveLength(2);
  const { stdout, outputs } = await step("preview.sh", ["prod"]);
  expect(stdout).toContain("Nothing to change.");
  expect(outputs).toBe("charges=0\n");
});

test("up.sh repairs drift without any approval, since that costs nothing", async () => {
  const [account] = simulator.accounts();
  simulator.editAccount(account?.id ?? "", { name: "Edited in the portal" });
  expect((await step("preview.sh", ["prod"])).stdout).toContain("| update | ");
  const { code, output } = await step("up.sh", ["prod", "0"], { RESELLER_CHARGE_POLICY: "never" });
  expect([code, output]).toEqual([0, expect.stringContaining("1 updated")]);
  expect(simulator.accounts()[0]?.name).toBe(account?.name);
  expect(simulator.charges()).toHaveLength(2);
});

test("drift.sh puts the drift into the summary and ends with 2, and with 0 when there is none", async () => {
  expect(await step("drift.sh", ["prod"])).toMatchObject({ code: 0 });
  const [account] = simulator.accounts();
  simulator.editAccount(account?.id ?? "", { name: "Edited in the portal" });
  const { code, summary } = await step("drift.sh", ["prod"]);
  expect([code, summary]).toEqual([2, expect.stringContaining("Edited in the portal")]);
  expect(writes(simulator)).toEqual([]);
});

/** A machine where nobody has signed in yet, with nothing set. */
function runner(): NodeJS.ProcessEnv {
  const store = join(mkdtempSync(join(project.backend, "runner-")), "tokens.db");
  return { RESELLER_TOKEN_STORE: store, RESELLER_BASE_URL: undefined, RESELLER_ACCESS_TOKEN: undefined };
}

/** A sign-in to the simulator as `pulumi-reseller token export` prints it. */
function signIn({ baseUrl, authUrl, clientId, clientSecret, refreshToken }: Simulator): string {
  const kept = { authUrl, clientSecret, refreshToken, usedAt: Date.now(), rotates: false };
  const word = { version: 1, profile: "default", baseUrl, clientId, signIn: kept };
  return Buffer.from(JSON.stringify(word)).toString("base64url");
}

test("keep-alive.sh uses the refresh token once, saves the one that came for it, and leaves a sign-in that works", async () => {
  await using rotating = await startSimulator({ rotateRefreshTokens: true });
  const saved = join(project.backend, "saved");
  const host = stubHost(`[ "$*" = "secret set RESELLER_SIGN_IN --env prod" ] && cat >"${saved}"`);
  const secret = signIn(rotating);
  const { code, output } = await step("keep-alive.sh", ["prod"], { ...runner(), ...host, RESELLER_SIGN_IN: secret });
  expect([code, output]).toEqual([0, expect.stringContaining("Renewed")]);
  expect(rotating.requests({ path: "/connect/token" })).toHaveLength(1);
  expect(output).not.toContain(rotating.refreshToken);

  const next = readFileSync(saved, "utf8").trim();
  expect(next).not.toBe(secret);
  const again = await step("keep-alive.sh", ["prod"], { ...runner(), ...host, RESELLER_SIGN_IN: next });
  expect([again.code, again.output]).toEqual([0, expect.stringContaining("Renewed")]);
});

test("keep-alive.sh does not use the token where the new one could not be saved", async () => {
  const host = stubHost("echo denied >&2; exit 1");
  simulator.clearRequests();
  const { code } = await step("keep-alive.sh", ["prod"], { ...runner(), ...host, RESELLER_SIGN_IN: signIn(simulator) });
  expect(code).not.toBe(0);
  expect(simulator.requests()).toEqual([]);
});
