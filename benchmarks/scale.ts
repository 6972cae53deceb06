/**
 * What a stack costs in seconds and requests, with `path`: node -r ts-node/register/transpile-only benchmarks/scale.ts
 * [accounts] [file|postgresql], 1,000 and both by default, after `make tools postgresql build`. Beside each figure of
 * accounts is the engine's floor: as many resources of a provider that does nothing. Variables that begin with
 * PULUMI_DIY_BACKEND_ reach the engine.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { startSimulator } from "../simulator";
import { start } from "../tests/engine/support/processes";
import { Project, settingsOf } from "../tests/engine/support/project";
import { hasPostgres, PostgresServer } from "../tests/engine/support/postgresql";

const count = Number(process.argv[2] ?? 1000);
const latencyMs = 5;

const accounts = `
import * as reseller from "pulumi-reseller";
for (let i = 0; i < ${count}; i++) {
  new reseller.Account(\`a\${i}\`, { name: \`Account \${i}\`, reference: \`EU-\${i}\`, acceptCharges: true });
}`;

const floor = `
import * as pulumi from "@pulumi/pulumi";
import * as provider from "idle-provider";
class Idle extends pulumi.dynamic.Resource {}
for (let i = 0; i < ${count}; i++) {
  new Idle(provider, \`a\${i}\`, { name: \`Account \${i}\`, reference: \`EU-\${i}\` });
}`;

const idleProvider = `
exports.create = async (inputs) => ({ id: inputs.reference, outs: inputs });
exports.read = async (id, props) => ({ id, props, inputs: props });
exports.diff = async () => ({ changes: false });`;

const operations = {
  up: "pulumi up --yes --skip-preview",
  preview: "pulumi preview",
  refresh: "pulumi refresh --yes --skip-preview",
};

async function measure(program: string, backend: Record<string, string>, title: string): Promise<void> {
  await using simulator = await startSimulator({ latencyMs });
  const engine = Object.entries(process.env).filter(([name]) => name.startsWith("PULUMI_DIY_BACKEND_"));
  const settings = { ...settingsOf(simulator), ...backend, ...(Object.fromEntries(engine) as Record<string, string>) };
  await using project = await Project.packed(settings);
  const idle = join(project.folder, "node_modules/idle-provider");
  mkdirSync(idle);
  writeFileSync(join(idle, "package.json"), JSON.stringify({ name: "idle-provider", version: "1.0.0" }));
  writeFileSync(join(idle, "index.js"), idleProvider);
  writeFileSync(join(idle, "index.d.ts"), "export const create: any, read: any, diff: any;");
  project.write("index.ts", program);
  for (const [name, command] of Object.entries(operations)) {
    simulator.clearRequests();
    // Seconds of the clock depend on what else the machine does, those of the processor hardly.
    const timed = `TIMEFORMAT="%0R s, %0U s of processor"; time ${command} --non-interactive --color=never >&2`;
    const { code, output } = await start("bash", ["-c", timed], { cwd: project.folder, env: project.env }).ended;
    if (code !== 0) throw new Error(output);
    const took = output.trim().split("\n").at(-1) ?? "";
    process.stdout.write(`${title}, ${name}: ${took}, ${simulator.requests().length} requests\n`);
  }
}

async function main(): Promise<void> {
  const memory = /MemTotal:\s+(\d+)/.exec(readFileSync("/proc/meminfo", "utf8"))?.[1] ?? "0";
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), ${Math.round(Number(memory) / 1024 ** 2)} GB`;
  process.stdout.write(`${count} accounts, service ${latencyMs} ms, ${machine}\n`);
  await using database = hasPostgres ? await PostgresServer.start() : undefined;
  for (const [backend, settings] of Object.entries({ file: {}, postgresql: database?.settings })) {
    if (!settings || (process.argv[3] ?? backend) !== backend) continue;
    for (const [name, program] of Object.entries({ floor, accounts })) {
      await measure(program, settings, `${backend}, ${name}`);
      if (settings === database?.settings) await database.query("DROP TABLE pulumi_state");
    }
  }
}

void main();
