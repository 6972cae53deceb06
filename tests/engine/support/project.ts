import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Simulator } from "../../../simulator";
import { buildWhenStale, installedPackage, linkTree, root } from "./installed";
import { killTree, type Run, type Running, start } from "./processes";

/** One resource in `pulumi stack export`. */
export interface StateRecord {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  sourcePosition?: string;
  stackTrace?: unknown[];
}

/** One step of `pulumi preview --json`. */
export interface Step {
  op: string;
  urn: string;
  oldState?: StateRecord;
  newState?: StateRecord;
}

const accountTypes = ["pulumi-nodejs:dynamic/reseller:Account", "reseller:index:Account"];
const compilerOptions = { strict: true, target: "es2022", module: "node16", moduleResolution: "node16" };

/** A Pulumi project in a temporary folder with its own backend and one stack, `demo/dev`. */
export class Project implements AsyncDisposable {
  /** Environment of the commands, apart from what every machine has. Change it to change the settings. */
  readonly env: Record<string, string>;
  readonly #running = new Set<Running>();

  private constructor(
    readonly folder: string,
    readonly backend: string,
    settings: Record<string, string>,
    private readonly language: "nodejs" | "yaml",
  ) {
    // Nothing else of this environment: no settings, proxies or Pulumi variables of the person who runs the tests.
    const kept = ["HOME", "TMPDIR", "USER", "LANG"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    });
    const path = [join(root, ".tools/bin"), join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
    this.env = {
      ...(Object.fromEntries(kept) as Record<string, string>),
      PATH: path,
      PULUMI_HOME: join(backend, "home"),
      PULUMI_BACKEND_URL: `file://${backend}`,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      PULUMI_CONFIG_PASSPHRASE: "a passphrase",
      RESELLER_TOKEN_STORE: join(`${backend}-tokens`, "tokens.db"),
      ...settings,
    };
  }

  /** A program which has the packed package installed by npm. */
  static async packed(settings: Record<string, string>): Promise<Project> {
    const installed = await installedPackage();
    const project = Project.#make(settings);
    linkTree(join(installed, "node_modules"), join(project.folder, "node_modules"));
    copyFileSync(join(installed, "package.json"), join(project.folder, "package.json"));
    project.write("Pulumi.yaml", "name: demo\nruntime: nodejs\n");
    project.write("tsconfig.json", JSON.stringify({ compilerOptions: { ...compilerOptions, types: ["node"] } }));
    return project.#initialized();
  }

  /** A YAML program, which reaches the native plugin of this checkout. */
  static async yaml(settings: Record<string, string>): Promise<Project> {
    if (!existsSync(join(root, ".tools/bin/pulumi-language-yaml"))) {
      throw new Error("There is no language host for YAML here yet: run make yaml-host.");
    }
    await buildWhenStale();
    const project = Project.#make(settings, "yaml");
    project.writeYaml({});
    return project.#initialized();
  }

  /** The example `name` as it stands in this repository, its package a link to this repository. */
  static async linked(name: string, settings: Record<string, string>): Promise<Project> {
    await installedPackage();
    const project = Project.#make(settings);
    const program = join("examples", name);
    mkdirSync(join(project.folder, program), { recursive: true });
    for (const file of ["Pulumi.yaml", "tsconfig.json", join(program, "index.ts"), join(program, "package.json")]) {
      copyFileSync(join(root, file), join(project.folder, file));
    }
    symlinkSync(join(root, "node_modules"), join(project.folder, "node_modules"));
    return project.#initialized();
  }

  static #make(settings: Record<string, string>, language: "nodejs" | "yaml" = "nodejs"): Project {
    if (!existsSync(join(root, ".tools/bin/pulumi"))) throw new Error("There is no pulumi here yet: run make tools.");
    const folder = mkdtempSync(join(tmpdir(), "reseller-program-"));
    return new Project(folder, mkdtempSync(join(tmpdir(), "reseller-backend-")), settings, language);
  }

  async #initialized(): Promise<Project> {
    await this.succeed("stack", "init", "dev");
    return this;
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Makes the program declare these accounts, each with exactly these arguments, and export their ids. */
  declare(accounts: Record<string, object>): void {
    if (this.language === "yaml") {
      const resources: Record<string, object> = {};
      const outputs: Record<string, string> = {};
      for (const [name, properties] of Object.entries(accounts)) {
        resources[name] = { type: accountTypes[1], properties };
        outputs[name] = `\${${name}.id}`;
      }
      this.writeYaml({ resources, outputs });
      return;
    }
    const lines = Object.entries(accounts).map(
      ([name, args]) => `export const ${name} = new reseller.Account("${name}", ${JSON.stringify(args)}).id;`,
    );
    this.write("index.ts", ['import * as reseller from "pulumi-reseller";', ...lines, ""].join("\n"));
  }

  /** Makes the program declare one customer, `customer`, with exactly these arguments. */
  declareCustomer(properties: object): void {
    if (this.language === "yaml") {
      this.writeYaml({ resources: { customer: { type: "reseller:index:Customer", properties } } });
      return;
    }
    const line = `new reseller.Customer("customer", ${JSON.stringify(properties)});`;
    this.write("index.ts", `import * as reseller from "pulumi-reseller";\n${line}\n`);
  }

  /** Writes a YAML program that uses the plugin of this checkout: its sections, or their text. */
  writeYaml(program: object | string): void {
    const plugins = { providers: [{ name: "reseller", path: join(root, "provider/plugin") }] };
    // YAML reads JSON.
    const sections = (from: object) => Object.entries(from).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
    const text = typeof program === "string" ? program : sections(program).join("");
    this.write("Pulumi.yaml", sections({ name: "demo", runtime: "yaml", plugins }).join("") + text);
  }

  /** Starts `pulumi` with these arguments. */
  start(...args: string[]): Running {
    const common = ["--non-interactive", "--color=never"];
    const running = start("pulumi", [...args, ...common], { cwd: this.folder, env: this.env });
    this.#running.add(running);
    void running.ended.finally(() => this.#running.delete(running));
    return running;
  }

  run(...args: string[]): Promise<Run> {
    return this.start(...args).ended;
  }

  /** Runs a command that has to succeed. @returns what it printed */
  async succeed(...args: string[]): Promise<string> {
    const { code, output, stdout } = await this.run(...args);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${String(code)}:\n${output}`);
    return stdout;
  }

  /** Runs a command that has to fail. @returns what it printed */
  async fail(...args: string[]): Promise<string> {
    const { code, output } = await this.run(...args);
    if (code === 0) throw new Error(`pulumi ${args.join(" ")} succeeded:\n${output}`);
    return output;
  }

  up(...args: string[]): Promise<string> {
    return this.succeed("up", "--yes", "--skip-preview", ...args);
  }

  /** `up`, which has to fail. */
  failUp(...args: string[]): Promise<string> {
    return this.fail("up", "--yes", "--skip-preview", ...args);
  }

  refresh(...args: string[]): Promise<string> {
    return this.succeed("refresh", "--yes", "--skip-preview", ...args);
  }

  destroy(): Promise<string> {
    return this.succeed("destroy", "--yes", "--skip-preview");
  }

  /** What `preview --json` plans for accounts: resource name → operation. */
  async plan(...args: string[]): Promise<Record<string, string>> {
    const { steps } = JSON.parse(await this.succeed("preview", "--json", ...args)) as { steps: Step[] };
    const accounts = steps.filter(({ op, urn }) => accountTypes.includes(urn.split("::")[2] ?? "") && op !== "refresh");
    return Object.fromEntries(accounts.map(({ op, urn }) => [nameOf(urn), op]));
  }

  /** The accounts in state by resource name, as `stack export` shows them. */
  async state(): Promise<Record<string, StateRecord>> {
    const { deployment } = JSON.parse(await this.succeed("stack", "export")) as {
      deployment: { resources?: StateRecord[] };
    };
    const accounts = (deployment.resources ?? []).filter(({ type }) => accountTypes.includes(type));
    return Object.fromEntries(accounts.map((record) => [nameOf(record.urn), record]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child, ended } of this.#running) {
      if (child.pid !== undefined) await killTree(child.pid);
      await ended;
    }
    for (const folder of [this.folder, this.backend, `${this.backend}-tokens`]) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

/** The settings that reach a simulator. */
export function settingsOf({ baseUrl, accessToken }: Simulator): Record<string, string> {
  return { RESELLER_BASE_URL: baseUrl, RESELLER_ACCESS_TOKEN: accessToken };
}

function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}
