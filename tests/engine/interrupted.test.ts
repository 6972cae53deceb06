import { setTimeout as wait } from "node:timers/promises";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator";
import { killTree } from "./support/processes";
import { Project, settingsOf } from "./support/project";
import { post, writes } from "./support/requests";

/** Runs that break off between a charge and the news of it. The charge ledger is the judge: one charge, always. */

jest.setTimeout(300_000);

const acme = { name: "Acme Telecom", description: "Reseller for the Benelux", acceptCharges: true };
const body = { name: acme.name, description: acme.description, enabled: true, reference: "demo/dev/acme" };

let simulator: Simulator;
let project: Project;

async function begin(options: SimulatorOptions = {}): Promise<void> {
  simulator = await startSimulator(options);
  project = await Project.packed(settingsOf(simulator));
  project.declare({ acme });
}

afterEach(async () => {
  await project[Symbol.asyncDispose]();
  await simulator.close();
});

/** One POST was ever sent, one charge made, and the account it made is the one in state. */
async function expectOneCharge(): Promise<void> {
  expect(writes(simulator)).toEqual([post(body)]);
  const [account, ...others] = simulator.accounts();
  expect(others).toEqual([]);
  expect(simulator.charges()).toMatchObject([{ tenantId: account?.id }]);
  const { acme: record } = await project.state();
  expect(record).toMatchObject({ id: account?.id, outputs: { ...body, parentTenantId: account?.parentTenantId } });
}

test("a POST whose answer is lost is settled by looking, within the same run", async () => {
  await begin();
  simulator.arm({ method: "POST", action: "cut-after" });
  const output = await project.up();
  await expectOneCharge();
  expect(output).toContain("already exists with reference");
  await project.up("--expect-no-changes");
});

test("an account that does not show in the list yet is taken over by the next run", async () => {
  await begin({ listDelayMs: 600_000 });
  simulator.arm({ method: "POST", action: "cut-after" });
  const output = await project.failUp();
  const line = output.split("\n").find((text) => text.trim().startsWith("error: Could not create"));
  expect(line).toContain('"Acme Telecom"');
  expect(line).toContain("its answer was lost");
  expect(line).toContain('run again: if the account with reference "demo/dev/acme" exists by then, it is taken over');
  expect(await project.state()).toEqual({});
  simulator.advanceClock(601);
  await project.up();
  await expectOneCharge();
});

test("an answer that is lost just before the service goes down is told as what it is: unknown", async () => {
  await begin();
  simulator.arm({ method: "POST", action: "cut-after" });
  simulator.arm({ method: "GET", action: "status", status: 401, skip: 1, times: Infinity });
  const output = await project.failUp();
  const line = output.split("\n").find((text) => text.trim().startsWith("error: Could not create"));
  expect(line).toContain("the request was sent but its answer was lost, and whether it exists cannot be seen");
  expect(line).toContain("Nothing was sent again.");
  expect(await project.state()).toEqual({});
  simulator.disarm();
  await project.up();
  await expectOneCharge();
});

test("a run that is killed with everything it started leaves nothing that is charged twice", async () => {
  await begin();
  simulator.arm({ method: "POST", action: "delay-headers", ms: 3_600_000 });
  const first = project.start("up", "--yes", "--skip-preview");
  while (simulator.charges().length === 0) await wait(20);
  await killTree(first.child.pid ?? 0);
  expect((await first.ended).code).toBeNull();
  expect(simulator.requests({ method: "POST" })[0]?.status).toBeNull();
  // The engine's own lock is still there, and says how to be rid of it.
  expect(await project.failUp()).toContain("pulumi cancel");
  await project.succeed("cancel", "--yes");
  expect(await project.up()).toContain("already exists with reference");
  await expectOneCharge();
});
