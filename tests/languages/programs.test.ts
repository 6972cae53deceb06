import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startSimulator } from "../../simulator";
import { root } from "../engine/support/installed";
import { succeed } from "../engine/support/processes";
import { settingsOf } from "../engine/support/project";
import { post, writes } from "../engine/support/requests";
import { compileTypeScript, go, withGoSdk, withPythonSdk, withTypeScriptSdk } from "./sdks";

/** Programs on the SDKs that `make sdks` makes, run by the real engine against the native plugin. */

jest.setTimeout(600_000);

const canary = "canary-api-key-9e7d";
const created = { name: "Acme Telecom", timezone: "Europe/Amsterdam", countryCode: "NL", enabled: true };

interface Told {
  outputs: { id: string; owner: string; kind: string; found: string };
  changes: Record<string, number>;
}

/** Runs a program in a folder of its own. `prepare` makes it ready and says with which command it starts. */
async function run(prepare: (folder: string) => Promise<[string, ...string[]]>): Promise<void> {
  await using simulator = await startSimulator({ customers: "full" });
  const folder = mkdtempSync(join(tmpdir(), "reseller-language-"));
  const backend = join(folder, "backend");
  mkdirSync(backend);
  try {
    const [command, ...args] = await prepare(folder);
    const path = [join(root, ".tools/bin"), join(root, "node_modules/.bin"), join(root, "provider/plugin")];
    const env = {
      ...settingsOf(simulator),
      PBX_KEY: canary,
      HOME: process.env["HOME"],
      PATH: [...path, process.env["PATH"]].join(delimiter),
      PULUMI_HOME: join(backend, "home"),
      PULUMI_BACKEND_URL: `file://${backend}`,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      PULUMI_CONFIG_PASSPHRASE: "a passphrase",
    };
    const { stdout, output } = await succeed(command, args, { cwd: folder, env });
    const { outputs, changes } = JSON.parse(stdout) as Told;
    const [account] = simulator.accounts();
    expect(outputs).toEqual({
      id: account?.id,
      owner: account?.parentTenantId,
      kind: "ExamplePbxConnectionProfile",
      found: "Acme Telecom",
    });
    expect(changes).toEqual({ same: 3 });
    const accounts = writes(simulator).filter(({ path }) => path.includes("/accounts"));
    expect(accounts).toMatchObject([
      post({ ...created, description: "First", reference: "demo/dev/acme" }),
      { method: "PATCH", body: [{ op: "replace", path: "/description", value: "Second" }] },
      { method: "DELETE" },
    ]);
    expect(simulator.charges()).toHaveLength(2);
    const files = readdirSync(backend, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    expect([...texts, output].filter((text) => text.includes(canary))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a Python program", () => run(async (folder) => [await withPythonSdk(folder), join(__dirname, "program.py")]));

test("a TypeScript program", () =>
  run(async (folder) => {
    await withTypeScriptSdk(folder);
    cpSync(join(__dirname, "program.ts"), join(folder, "program.ts"));
    await compileTypeScript(folder, "program.ts");
    return [process.execPath, join(folder, "program.js")];
  }));

test("a Go program", () =>
  run(async (folder) => {
    withGoSdk(folder);
    cpSync(join(__dirname, "program.go.txt"), join(folder, "main.go"));
    await go(folder, "build", "-o", "program", ".");
    return [join(folder, "program")];
  }));
