/**
 * What a front costs: node -r ts-node/register/transpile-only benchmarks/fronts.ts [accounts], 1,000 by default, after
 * `make tools build`. One run of each after the other, on one machine: the ratios mean more than the seconds.
 */
import { cpus } from "node:os";
import { join } from "node:path";
import { startSimulator } from "../simulator";
import { root } from "../tests/engine/support/installed";
import { start } from "../tests/engine/support/processes";
import { Project, settingsOf } from "../tests/engine/support/project";

const count = Number(process.argv[2] ?? 1000);
const latencyMs = 5;

const loop = (account: string) => `
for (let i = 0; i < ${count}; i++) {
  new ${account}(\`a\${i}\`, { name: \`Account \${i}\`, reference: \`EU-\${i}\`, acceptCharges: true });
}`;

/** TypeScript both times: the language has its own part in the time. */
const fronts = {
  native: `import * as pulumi from "@pulumi/pulumi";
class Account extends pulumi.CustomResource {
  constructor(name: string, args: object) {
    super("reseller:index:Account", name, { ...args, parentTenantId: undefined, dateCreated: undefined });
  }
}
${loop("Account")}`,
  dynamic: `import * as reseller from "pulumi-reseller";
${loop("reseller.Account")}`,
};

async function measure(front: keyof typeof fronts): Promise<{ seconds: number; processor: number; bytes: number }> {
  await using simulator = await startSimulator({ latencyMs });
  await using project = await Project.packed(settingsOf(simulator));
  const plugins = { providers: [{ name: "reseller", path: join(root, "provider/plugin") }] };
  // YAML reads JSON.
  project.write("Pulumi.yaml", JSON.stringify({ name: "demo", runtime: "nodejs", plugins }));
  project.write("index.ts", fronts[front]);
  const command = 'TIMEFORMAT="%R %U %S"; time pulumi up --yes --skip-preview --non-interactive >&2';
  const { code, output } = await start("bash", ["-c", command], { cwd: project.folder, env: project.env }).ended;
  if (code !== 0) throw new Error(output);
  const [seconds = 0, user = 0, system = 0] = (output.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
  if (simulator.charges().length !== count) throw new Error(`${simulator.charges().length} charges, not ${count}`);
  const { a0 } = await project.state();
  // Where the program declares it is the language's business.
  const bytes = Buffer.byteLength(JSON.stringify({ ...a0, sourcePosition: undefined, stackTrace: undefined }));
  const figures = { seconds, processor: user + system, bytes };
  process.stdout.write(`${front}: ${told(figures, 0)}\n`);
  return figures;
}

function told({ seconds, processor, bytes }: Awaited<ReturnType<typeof measure>>, digits: number): string {
  const [took, worked, kept] = [seconds, processor, bytes].map((figure) => figure.toFixed(digits));
  return `seconds ${took ?? ""}, of the processor ${worked ?? ""}; bytes of a record in state ${kept ?? ""}`;
}

async function main(): Promise<void> {
  process.stdout.write(`up of ${count} accounts, service ${latencyMs} ms, file backend, ${cpus().length} cores\n`);
  const native = await measure("native");
  const dynamic = await measure("dynamic");
  const ratios = {
    seconds: native.seconds / dynamic.seconds,
    processor: native.processor / dynamic.processor,
    bytes: native.bytes / dynamic.bytes,
  };
  process.stdout.write(`native over dynamic: ${told(ratios, 2)}\n`);
}

void main();
