import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startSimulator } from "../../simulator";
import { root } from "../engine/support/installed";
import { succeed } from "../engine/support/processes";
import { settingsOf } from "../engine/support/project";
import { post, writes } from "../engine/support/requests";

/** Programs on the SDKs that `make sdks` makes, run by the real engine against the native plugin. */

jest.setTimeout(600_000);

const canary = "canary-api-key-9e7d";
const sdks = join(root, "sdks");
const created = { name: "Acme Telecom", timezone: "Europe/Amsterdam", countryCode: "NL", enabled: true };

interface Told {
  outputs: { id: string; owner: string; kind: string; found: string };
  changes: Record<string, number>;
}

/** Runs a program in a folder of its own. `prepare` makes it ready and says with which command it starts. */
async function run(prepare: (folder: string) => Promise<[string, ...string[]]>): Promise<void> {
  if (!existsSync(sdks)) throw new Error("There are no SDKs here yet: run make sdks.");
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

const here = { cwd: root, env: process.env };

test("a Python program", () =>
  run(async (folder) => {
    const python = join(folder, "venv/bin/python");
    await succeed("python3", ["-m", "venv", join(folder, "venv")], here);
    // Installing leaves files beside what is installed.
    cpSync(join(sdks, "python"), join(folder, "sdk"), { recursive: true });
    await succeed(python, ["-m", "pip", "install", "--quiet", join(folder, "sdk")], here);
    return [python, join(__dirname, "program.py")];
  }));

test("a TypeScript program", () =>
  run(async (folder) => {
    const sdk = join(folder, "node_modules/pulumi-reseller-native");
    cpSync(join(sdks, "nodejs"), sdk, { recursive: true });
    symlinkSync(join(root, "node_modules/@pulumi"), join(folder, "node_modules/@pulumi"));
    const compile = ["--skipLibCheck", "--strict", "--target", "es2022", "--module", "node16", "--types", "node"];
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    cpSync(join(__dirname, "program.ts"), join(folder, "program.ts"));
    symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"));
    await succeed(process.execPath, [tsc, "-p", sdk, "--outDir", sdk], here);
    await succeed(process.execPath, [tsc, ...compile, join(folder, "program.ts")], { ...here, cwd: folder });
    return [process.execPath, join(folder, "program.js")];
  }));

test("a Go program", () =>
  run(async (folder) => {
    const pulumi = /pulumi\/sdk\/v3 (v\S+)/.exec(readFileSync(join(root, "tools/go.mod"), "utf8"))?.[1] ?? "";
    const needed = `require (\n\tgithub.com/pulumi/pulumi/sdk/v3 ${pulumi}\n)\n`;
    cpSync(join(sdks, "go/reseller"), join(folder, "sdk"), { recursive: true });
    const sdk = "pulumi-reseller/sdk/go/reseller";
    writeFileSync(join(folder, "sdk/go.mod"), `module ${sdk}\n\ngo 1.25\n\n${needed}`);
    const local = `require ${sdk} v0.0.0\n\nreplace ${sdk} => ./sdk\n`;
    writeFileSync(join(folder, "go.mod"), `module demo\n\ngo 1.25\n\n${needed}\n${local}`);
    cpSync(join(root, "tools/go.sum"), join(folder, "go.sum"));
    cpSync(join(__dirname, "program.go.txt"), join(folder, "main.go"));
    const env = { ...process.env, GOWORK: "off", GOFLAGS: "-mod=mod" };
    await succeed("go", ["build", "-o", "program", "."], { cwd: folder, env });
    return [join(folder, "program")];
  }));
