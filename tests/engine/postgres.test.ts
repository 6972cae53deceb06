import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Simulator, startSimulator } from "../../simulator";
import { hasPostgres, PostgresServer } from "./support/postgresql";
import { killTree } from "./support/processes";
import { Project, settingsOf } from "./support/project";
import { post, writes } from "./support/requests";

/** State that a team shares in a PostgreSQL database. The charge ledger is the judge here too. */

jest.setTimeout(300_000);

const testWithPostgres = hasPostgres ? test : test.skip;

const acme = { name: "Acme Telecom", acceptCharges: true };
const body = { name: acme.name, enabled: true, reference: "demo/dev/acme" };

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator();
});

afterEach(() => simulator.close());

/** The program with its stack in this database. */
async function programIn(database: PostgresServer): Promise<Project> {
  const project = await Project.packed({ ...settingsOf(simulator), ...database.settings });
  project.declare({ acme });
  return project;
}

/** From here on the commands are those of another person, who has the same program. */
function becomeSomeoneElse(project: Project): void {
  project.env["PULUMI_HOME"] = join(project.backend, "someone-else");
}

/** What the engine keeps under `.pulumi/<folder>/`; the database's name comes before it. */
function keysIn(database: PostgresServer, folder: "stacks" | "locks"): Promise<string[]> {
  return database.query(`SELECT key FROM pulumi_state WHERE key LIKE '%/.pulumi/${folder}/%'`);
}

const again = ["up", "--yes", "--skip-preview", "--stack", "dev"];

testWithPostgres("a stack lives in the database from up to destroy, after one login", async () => {
  await using database = await PostgresServer.start();
  await using project = await programIn(database);
  delete project.env["PULUMI_BACKEND_URL"];
  await project.succeed("login", database.settings.PULUMI_BACKEND_URL);

  expect(await project.plan()).toEqual({ acme: "create" });
  await project.up();
  const id = simulator.accounts()[0]?.id ?? "";
  expect(await project.state()).toMatchObject({ acme: { id, outputs: body } });
  expect(await keysIn(database, "stacks")).toContain("postgres/.pulumi/stacks/demo/dev.json");

  await project.succeed("preview", "--refresh", "--expect-no-changes");
  simulator.editAccount(id, { name: "Acme" });
  expect(await project.plan("--refresh")).toEqual({ acme: "update" });
  await project.refresh();
  expect((await project.state())["acme"]?.outputs).toMatchObject({ name: "Acme" });
  await project.up();
  expect(simulator.accounts()).toMatchObject([{ id, name: acme.name, enabled: true }]);

  await project.destroy();
  expect(await project.state()).toEqual({});
  expect(simulator.accounts()).toMatchObject([{ id, enabled: false }]);
  expect(simulator.charges()).toHaveLength(1);
});

testWithPostgres("of two updates of one stack, one proceeds and the other is told who holds the lock", async () => {
  await using database = await PostgresServer.start();
  await using project = await programIn(database);
  simulator.arm({ method: "POST", action: "delay-headers", ms: 20_000 });
  const first = project.start(...again);
  while (simulator.charges().length === 0) await wait(20);

  becomeSomeoneElse(project);
  const refusal = await project.fail(...again);
  expect(first.child.exitCode).toBeNull();
  expect(refusal).toContain("the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end");
  expect(refusal).toMatch(new RegExp(`created by \\S+@\\S+ \\(pid ${String(first.child.pid)}\\) at 20\\d\\d-`));
  expect(refusal).not.toContain(database.settings.PGPASSWORD);

  expect((await first.ended).code).toBe(0);
  expect(await project.succeed(...again, "--expect-no-changes")).toContain("2 unchanged");
  expect(writes(simulator)).toEqual([post(body)]);
  expect(simulator.charges()).toHaveLength(1);
});

testWithPostgres("what a client killed in the middle of a creation leaves, cancel and the next up heal", async () => {
  await using database = await PostgresServer.start();
  await using project = await programIn(database);
  simulator.arm({ method: "POST", action: "delay-headers", ms: 3_600_000 });
  const first = project.start(...again);
  while (simulator.charges().length === 0) await wait(20);
  await killTree(first.child.pid ?? 0);
  expect((await first.ended).code).toBeNull();
  expect(await keysIn(database, "locks")).toHaveLength(1);

  becomeSomeoneElse(project);
  expect(await project.fail(...again)).toContain("delete the lock file with `pulumi cancel`");
  await project.succeed("cancel", "--yes", "--stack", "dev");
  expect(await keysIn(database, "locks")).toEqual([]);
  expect(await project.succeed(...again)).toContain("already exists with reference");

  expect(writes(simulator)).toEqual([post(body)]);
  const [account, ...others] = simulator.accounts();
  expect(others).toEqual([]);
  expect(simulator.charges()).toMatchObject([{ tenantId: account?.id }]);
  expect(await project.succeed("stack", "output", "acme", "--stack", "dev")).toContain(account?.id);
});
