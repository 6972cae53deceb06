import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { addImport } from "../../../cli/import";
import { type Simulator, startSimulator } from "../../../simulator";

/** `pulumi-reseller import`, in this process, against a simulator. */

let simulator: Simulator;
let folder: string;
let printed: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "reseller-import-"));
  printed = "";
  jest.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  await use(await startSimulator());
});

afterEach(async () => {
  jest.restoreAllMocks();
  await simulator.close();
  delete process.env["RESELLER_BASE_URL"];
  delete process.env["RESELLER_ACCESS_TOKEN"];
  rmSync(folder, { recursive: true, force: true });
});

async function use(other: Simulator): Promise<void> {
  const before = simulator as Simulator | undefined;
  simulator = other;
  process.env["RESELLER_BASE_URL"] = simulator.baseUrl;
  process.env["RESELLER_ACCESS_TOKEN"] = simulator.accessToken;
  await before?.close();
}

const out = () => join(folder, "resellers");
const text = (file: string) => readFileSync(join(out(), file), "utf8");
const files = () =>
  readdirSync(out(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(out().length + 1))
    .sort();
const contents = () => Object.fromEntries(files().map((file) => [file, text(file)]));

async function run(...args: string[]): Promise<void> {
  const program = new Command().exitOverride();
  addImport(program);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => undefined });
  await program.parseAsync(["import", "--out", out(), ...args], { from: "user" });
}

test("writes a whole project, says what to do next, and puts no secret into it", async () => {
  const { id } = simulator.seedAccount({ name: "Acme Telecom", reference: "CRM-1042" });
  await run();
  expect(files()).toEqual([
    ".gitignore",
    "Pulumi.yaml",
    "README.md",
    "accounts/001.ts",
    "imported.json",
    "index.ts",
    "package.json",
    "tsconfig.json",
  ]);
  expect(text("accounts/001.ts")).toContain(`adopt: "${id}",\n    name: "Acme Telecom",\n    reference: "CRM-1042",`);
  expect(JSON.parse(text("imported.json"))).toEqual({ [id]: "acme-telecom" });
  expect(text("Pulumi.yaml")).toContain(`name: "resellers"`);
  expect(text("Pulumi.yaml")).toContain(simulator.baseUrl);
  expect(Object.values(contents()).join("\n")).not.toContain(simulator.accessToken);
  expect(printed).toMatch(/^Accounts read: 1\n {2}1 written to .*resellers\n/);
  expect(printed).toMatch(/Next:\n {2}cd .*resellers\n {2}npm install\n {2}pulumi stack init dev\n {2}pulumi up {3}#/);
});

test("5,000 accounts take 10 requests at most, each of which only reads", async () => {
  await use(await startSimulator({ seedAccounts: 5_000 }));
  await run();
  const requests = simulator.requests();
  process.stderr.write(`Import of 5,000 accounts: ${requests.length} requests.\n`);
  expect(requests.length).toBeLessThanOrEqual(10);
  expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(Object.keys(JSON.parse(text("imported.json")) as object)).toHaveLength(5_000);
});

test("run again, it adds what is new and keeps every edit", async () => {
  const acme = simulator.seedAccount({ name: "Acme", reference: "CRM-1" });
  simulator.seedAccount({ name: "Globex" });
  await run();
  const edited = text("accounts/001.ts").replace('"acme"', '"acme-renamed"');
  writeFileSync(join(out(), "accounts/001.ts"), edited);
  writeFileSync(join(out(), "index.ts"), `${text("index.ts")}// mine, without a line break`);
  writeFileSync(join(out(), "Pulumi.yaml"), `name: mine\nruntime: nodejs\n`);
  const before = contents();
  await run();
  expect(contents()).toEqual(before);
  expect(printed).toContain("2 imported before\nNothing was written.");

  const { id } = simulator.seedAccount({ name: "ACME" });
  await run();
  const added = contents();
  expect(added).toEqual({
    ...before,
    "index.ts": `${before["index.ts"] ?? ""}\nimport "./accounts/002";\n`,
    "accounts/002.ts": added["accounts/002.ts"],
    "imported.json": added["imported.json"],
  });
  expect(added["accounts/002.ts"]).toContain(`new reseller.Account(\n  "acme-${id.slice(0, 8)}",`);
  expect(Object.keys(JSON.parse(added["imported.json"] ?? "") as object)).toEqual(
    expect.arrayContaining([acme.id, id]),
  );
});

test("an account that was removed from the program is not added again", async () => {
  simulator.seedAccount({ name: "Acme" });
  await run();
  writeFileSync(join(out(), "accounts/001.ts"), "export {};\n");
  const before = contents();
  await run();
  expect(contents()).toEqual(before);
});

test("an account that the program created, or declares by its reference, is not declared twice", async () => {
  simulator.seedAccount({ name: "Acme" });
  await run();
  writeFileSync(join(out(), "own.ts"), `// It's by hand.\nconst reference = 'CRM-7';\n`);
  simulator.seedAccount({ name: "By hand", reference: "CRM-7" });
  simulator.seedAccount({ name: "Created here", reference: "resellers/dev/created" });
  const before = contents();
  await run();
  expect(contents()).toEqual(before);
  expect(printed).toContain("2 left out, each for its own reason:");
  expect(printed).toMatch(/"By hand" \(.*\): its reference occurs in the program\n/);
  expect(printed).toMatch(/"Created here" \(.*\): its reference is one that this project gives\n/);
});

test("what cannot be adopted or declared is left out and counted", async () => {
  simulator.seedAccount({ name: "Acme" });
  simulator.seedAccount({ name: "Closed", enabled: false });
  simulator.seedAccount({ name: "two\nlines" });
  await run();
  expect(Object.values(JSON.parse(text("imported.json")) as object)).toEqual(["acme"]);
  expect(printed).toContain("  1 left out: disabled or deleted, which the service does not tell apart\n");
  expect(printed).toMatch(/ {4}"two\\nlines" \(.*\): name must be one line, without control characters\n/);
});

test.each([
  [["name=Acme*"], ["acme", "acme-north"]],
  [["name=*North"], ["acme-north", "globex-north"]],
  [["name=A*o*h", "reference=EU-*"], ["acme-north"]],
  [["reference="], ["globex"]],
  [["name=acme"], []],
  [["name=Acme North*North"], []],
])("--filter %j chooses %j", async (filters, expected) => {
  simulator.seedAccount({ name: "Acme", reference: "US-1" });
  simulator.seedAccount({ name: "Acme North", reference: "EU-1" });
  simulator.seedAccount({ name: "Globex North", reference: "EU-2" });
  simulator.seedAccount({ name: "Globex" });
  await run(...filters.flatMap((filter) => ["--filter", filter]));
  const record = existsSync(out()) ? (JSON.parse(text("imported.json")) as object) : {};
  expect(Object.values(record).sort()).toEqual(expected);
});

test.each(["Acme", "colour=red", "=x"])("refuses --filter %j and says what it may be", async (filter) => {
  await expect(run("--filter", filter)).rejects.toThrow(
    /It must be <field>=<pattern>, the field one of id, name, reference, description\./,
  );
});

test("refuses a folder that holds something else, before anything is asked of the service", async () => {
  mkdirSync(out());
  writeFileSync(join(out(), "index.ts"), "mine");
  await expect(run()).rejects.toThrow(
    /is not empty, and without imported\.json, Pulumi\.yaml it is no earlier import\. Name another folder with --out\./,
  );
  expect(simulator.requests()).toEqual([]);
  expect(contents()).toEqual({ "index.ts": "mine" });
});

test("a record that cannot be read stops it", async () => {
  simulator.seedAccount({ name: "Acme" });
  await run();
  writeFileSync(join(out(), "imported.json"), "{ <<<<<<< mine");
  simulator.seedAccount({ name: "Globex" });
  await expect(run()).rejects.toThrow(/imported\.json in .* is no JSON object of tenant ids and names\./);
  expect(files()).not.toContain("accounts/002.ts");
});

test("a list that breaks off leaves nothing behind", async () => {
  await use(await startSimulator({ seedAccounts: 1_500 }));
  simulator.revokeAccessTokens();
  await expect(run()).rejects.toThrow(/Could not list the accounts: the service answered 401/);
  expect(existsSync(out())).toBe(false);
});
