import { type Simulator, startSimulator } from "../../simulator";
import { Random } from "../../simulator/random";
import { pulumiReseller } from "./support/cli";
import { Project, settingsOf, type Step } from "./support/project";
import { patch, writes } from "./support/requests";

/** An enterprise of 800 accounts that nobody made with Pulumi: taken into code, drifting, found out and repaired. */

jest.setTimeout(600_000);

const count = 800;
const drifting = 25;

let simulator: Simulator;
let project: Project;

beforeAll(async () => {
  simulator = await startSimulator({
    seedAccounts: Array.from({ length: count }, (_, index) => ({
      name: `Reseller ${String(index).padStart(4, "0")} "Voice" & Söhne`,
      description: index % 3 === 0 ? `Region ${index % 7}` : null,
      reference: index % 5 === 0 ? null : `CRM-${index}`,
    })),
  });
  // The file backend writes the whole state at every step: minutes that say nothing of what is tested here.
  const skipping = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
  project = await Project.packed({ ...settingsOf(simulator), ...skipping });
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await simulator.close();
});

const program = ["--cwd", "resellers"];

/** What changed elsewhere: tenant id → the field, what the program says, and what the service says now. */
const changes = new Map<string, { field: string; was: unknown; is: unknown }>();

async function measured<T>(what: string, work: () => Promise<T>): Promise<T> {
  simulator.clearRequests();
  const started = performance.now();
  const result = await work();
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const requests = simulator.requests();
  const sent = writes(simulator).length;
  process.stdout.write(`${what}, ${count} accounts: ${requests.length} requests, ${sent} writes, ${seconds} s\n`);
  return result;
}

async function drift(): Promise<{ code: number | null; rows: unknown[] }> {
  const { code, stdout, output } = await pulumiReseller(project, "drift", "--json", ...program);
  if (!stdout.startsWith("{")) throw new Error(output);
  const { stacks } = JSON.parse(stdout) as { stacks: { stack: string; drift: Record<string, unknown>[] }[] };
  const rows = stacks.flatMap((one) =>
    one.drift.map(({ resource, property, inCode, inService }) => ({
      stack: one.stack,
      resource,
      property,
      inCode,
      inService,
    })),
  );
  return { code, rows };
}

async function names(): Promise<Map<string, string>> {
  const { deployment } = JSON.parse(await project.succeed("stack", "export", ...program)) as {
    deployment: { resources: { urn: string; id?: string }[] };
  };
  return new Map(deployment.resources.map(({ urn, id = "" }) => [id, urn.slice(urn.lastIndexOf("::") + 2)]));
}

test("import writes a program that `up` adopts without a single write, and the next preview is empty", async () => {
  const { code, output } = await measured("import", () => pulumiReseller(project, "import"));
  expect(output).toContain("Next:");
  expect(code).toBe(0);
  expect(simulator.requests()).toHaveLength(1);
  await project.succeed("stack", "init", "dev", ...program);
  const planned = await project.succeed("preview", ...program);
  expect(planned).toContain(`+ ${count + 1} to create`);
  await measured("up that adopts", () => project.up(...program));
  expect(writes(simulator)).toEqual([]);
  const { steps } = JSON.parse(await project.succeed("preview", "--refresh", "--json", ...program)) as {
    steps: Step[];
  };
  expect(new Set(steps.map(({ op }) => op))).toEqual(new Set(["refresh", "same"]));
  expect((await names()).size).toBeGreaterThanOrEqual(count);
});

test("an unchanged enterprise has no drift", async () => {
  expect(await measured("drift", drift)).toEqual({ code: 0, rows: [] });
  expect(simulator.requests().length).toBeLessThanOrEqual(2);
});

test("drift names exactly what was changed elsewhere", async () => {
  const seed = Date.now();
  process.stdout.write(`Changing ${drifting} accounts at random, seed ${seed}.\n`);
  const random = new Random(seed);
  const shuffled = simulator.accounts().map((account) => ({ account, at: random.next() }));
  shuffled.sort((one, other) => one.at - other.at);
  for (const [number, { account }] of shuffled.slice(0, drifting).entries()) {
    const fields = ["name", "enabled", ...(account.description ? ["description"] : [])];
    if (account.reference) fields.push("reference");
    const field = fields[number % fields.length] as "name" | "enabled" | "description" | "reference";
    const is = field === "enabled" ? false : `Changed ${number}`;
    changes.set(account.id, { field, was: account[field], is });
    simulator.editAccount(account.id, { [field]: is });
  }
  const resources = await names();
  const expected = [...changes].map(([id, { field, was, is }]) => ({
    stack: "dev",
    resource: resources.get(id),
    property: field,
    inCode: was,
    inService: is,
  }));
  expect(expected).toHaveLength(drifting);
  const { code, rows } = await measured("drift", drift);
  expect(code).toBe(2);
  expect(rows).toHaveLength(drifting);
  expect(rows).toEqual(expect.arrayContaining(expected));
  expect(writes(simulator)).toEqual([]);
});

test("`up` repairs exactly those, one PATCH each, and nothing was ever charged", async () => {
  await measured("up that repairs", () => project.up("--refresh", ...program));
  const sent = writes(simulator);
  expect(sent).toHaveLength(drifting);
  const expected = [...changes].map(([id, { field, was }]) => patch(id, { [field]: was }, { acceptCharges: false }));
  expect(sent).toEqual(expect.arrayContaining(expected));
  expect(await measured("drift", drift)).toEqual({ code: 0, rows: [] });
  expect(simulator.charges()).toEqual([]);
  expect(simulator.accounts()).toHaveLength(count);
});
