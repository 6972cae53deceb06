import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Simulator, startSimulator } from "../../simulator";
import { pulumiReseller } from "./support/cli";
import { Project } from "./support/project";
import { writes } from "./support/requests";

/** `pulumi-reseller drift` over two environments, each a stack with a service of its own. */

jest.setTimeout(240_000);

let dev: Simulator;
let prod: Simulator;
let project: Project;

beforeAll(async () => {
  dev = await startSimulator({ seed: 1 });
  prod = await startSimulator({ seed: 2 });
  project = await Project.packed({});
  project.write(
    "index.ts",
    `import * as pulumi from "@pulumi/pulumi";
import * as reseller from "pulumi-reseller";
const acceptCharges = true;
new reseller.Account("acme", { name: "Acme", description: "Benelux", reference: "CRM-1", acceptCharges });
new reseller.Account("globex", { name: "Globex", reference: "CRM-2", acceptCharges });
new reseller.Account("hush", { name: "Hush", description: pulumi.secret("hidden"), reference: "CRM-3", acceptCharges });
`,
  );
  await project.succeed("stack", "init", "prod");
  for (const [stack, simulator] of [
    ["dev", dev],
    ["prod", prod],
  ] as const) {
    await project.succeed("config", "set", "reseller:baseUrl", simulator.baseUrl, "--stack", stack);
    await project.succeed("config", "set", "--secret", "reseller:accessToken", simulator.accessToken, "--stack", stack);
    await project.up("--stack", stack);
  }
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await dev.close();
  await prod.close();
});

beforeEach(() => {
  dev.clearRequests();
  prod.clearRequests();
});

const idOf = (simulator: Simulator, reference: string) =>
  simulator.accounts().find((account) => account.reference === reference)?.id ?? "none";

async function freshToken({ authUrl, refreshToken, clientId, clientSecret }: Simulator): Promise<string> {
  const form = { grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId };
  const body = new URLSearchParams({ ...form, client_secret: clientSecret });
  const answer = await fetch(`${authUrl}/connect/token`, { method: "POST", body });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Of everything that a check must leave alone: the project, the states, and which stack is selected. */
function fingerprint(): string[] {
  const kept = [project.folder, join(project.backend, ".pulumi"), join(project.backend, "home/workspaces")];
  return kept.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => `${file} ${createHash("sha256").update(readFileSync(file)).digest("hex")}`),
  );
}

test("says that there is none, of every stack of the project", async () => {
  const { code, stdout } = await pulumiReseller(project, "drift");
  expect(stdout).toBe("No drift in 2 stacks.\n");
  expect(code).toBe(0);
});

test("shows each change made elsewhere in one table, tells no secret, and writes nothing", async () => {
  dev.editAccount(idOf(dev, "CRM-1"), { enabled: false, timezone: "Europe/Rome" });
  prod.editAccount(idOf(prod, "CRM-1"), { name: "By hand | <b>`\n\u001b[31m", description: "" });
  prod.editAccount(idOf(prod, "CRM-3"), { description: "leaked" });
  prod.removeAccount(idOf(prod, "CRM-2"));
  const before = fingerprint();

  const text = await pulumiReseller(project, "drift");
  const markdown = await pulumiReseller(project, "drift", "--markdown");
  const json = await pulumiReseller(project, "drift", "--json", "--stack", "prod");

  expect(fingerprint()).toEqual(before);
  expect([...writes(dev), ...writes(prod)]).toEqual([]);
  for (const { code, output } of [text, markdown, json]) {
    expect(code).toBe(2);
    expect(output).not.toMatch(/hidden|leaked/);
    expect(output).not.toContain(dev.accessToken);
  }
  expect(text.stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
    ["stack", "resource", "property", "in code", "in service"],
    ["dev", "Account acme", "enabled", "true", "false"],
    ["prod", "Account acme", "description", '"Benelux"', '""'],
    ["prod", "Account acme", "name", '"Acme"', '"By hand | <b>`\\n\\u001b[31m"'],
    ["prod", "Account globex", "(gone)"],
    ["prod", "Account hush", "description", '"[secret]"', '"[secret], another"'],
    [""],
    ["5 differences in 2 of 2 stacks."],
    [""],
  ]);
  const rows = markdown.stdout.split("\n").filter((line) => line.startsWith("|"));
  expect(rows).toHaveLength(7);
  expect(rows[4]).toContain("By hand \\| \\<b\\>\\`");
  const { stacks } = JSON.parse(json.stdout) as { stacks: { stack: string; drift: object[] }[] };
  expect(stacks.map(({ stack }) => stack)).toEqual(["prod"]);
  expect(stacks[0]?.drift).toContainEqual(
    expect.objectContaining({ resource: "acme", property: "description", inCode: "Benelux", inService: "" }),
  );
  expect(stacks[0]?.drift).toContainEqual(expect.objectContaining({ resource: "globex", gone: true }));
});

test("a change of the program that is not applied yet is no drift, and today's token is used", async () => {
  const { stdout: before } = await pulumiReseller(project, "drift", "--stack", "dev");
  dev.revokeAccessTokens();
  const stale = await pulumiReseller(project, "drift", "--stack", "dev");
  expect(stale.code).toBe(1);
  await project.succeed("config", "set", "--secret", "reseller:accessToken", await freshToken(dev), "--stack", "dev");
  const source = readFileSync(join(project.folder, "index.ts"), "utf8");
  const changed = source.replace('"Benelux"', '"France"').replace(/^.*"globex".*$/m, "");
  project.write("index.ts", `${changed}new reseller.Account("hooli", { name: "Hooli" });\n`);
  const { stdout, code } = await pulumiReseller(project, "drift", "--stack", "dev");
  project.write("index.ts", source);
  expect(stdout).toBe(before);
  expect(code).toBe(2);
});

test("a stack that cannot be checked is a failure, and the others are still reported", async () => {
  prod.revokeAccessTokens();
  const { code, stdout } = await pulumiReseller(
    project,
    ...["drift", "--stack", "prod", "--stack", "nowhere", "--stack", "dev"],
  );
  expect(code).toBe(1);
  expect(stdout).toMatch(/^dev +Account acme +enabled +true +false$/m);
  expect(stdout).toMatch(/^Could not check stack prod: Could not list the accounts: the service answered 401/m);
  expect(stdout).toMatch(/^Could not check stack nowhere: no stack named 'nowhere' found$/m);
});

test.each([
  ["in a folder without a project", /^pulumi-reseller: could not list the stacks in .*: no Pulumi.yaml/],
  ["without an engine", /^pulumi-reseller: could not start pulumi.* Is it installed, and on the PATH\?\n$/],
])("%s, one line says so", async (what, message) => {
  const empty = join(project.backend, "empty");
  mkdirSync(empty, { recursive: true });
  const path = project.env["PATH"] ?? "";
  // Node.js itself is needed.
  if (what === "without an engine") {
    const without = path.split(delimiter).filter((folder) => !/\.tools/.test(folder));
    project.env["PATH"] = without.join(delimiter);
  }
  const { code, stderr } = await pulumiReseller(project, "drift", "--cwd", what === "without an engine" ? "." : empty);
  project.env["PATH"] = path;
  expect(stderr).toMatch(message);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(code).toBe(1);
});
