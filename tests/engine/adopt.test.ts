import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Simulator, startSimulator } from "../../simulator";
import { root } from "./support/installed";
import { Project, settingsOf } from "./support/project";
import { patch, writes } from "./support/requests";

/** Taking over accounts that Pulumi did not make: nothing is created or charged, and nothing sent that is the same. */

jest.setTimeout(360_000);

let simulator: Simulator;
let project: Project;

beforeEach(async () => {
  simulator = await startSimulator();
  project = await Project.packed(settingsOf(simulator));
});

afterEach(async () => {
  expect(simulator.charges()).toEqual([]);
  expect(writes(simulator).filter(({ method }) => method !== "PATCH")).toEqual([]);
  await project[Symbol.asyncDispose]();
  await simulator.close();
});

test("an enterprise of forty is taken over with no write and few reads, and is then at rest", async () => {
  for (let number = 1; number <= 40; number++) {
    simulator.seedAccount({
      name: `Reseller ${number}`,
      reference: number % 4 === 0 ? null : `CRM-${number}`,
      description: number % 3 === 0 ? null : "Made in the portal",
    });
  }
  const before = simulator.accounts();
  const declared = before.map(({ id, name, reference, description, enabled }, index) => [
    `reseller${index + 1}`,
    { adopt: id, name, reference: reference ?? undefined, description: description ?? undefined, enabled },
  ]);
  const resources = Object.fromEntries(declared) as Record<string, { adopt?: string; name: string }>;
  project.declare(resources);

  const preview = await project.succeed("preview");
  expect(told(preview, /would be taken over as it is/)).toBe(40);
  expect(preview).not.toContain("may incur charges");
  const previewed = simulator.requests().length;
  simulator.clearRequests();

  const output = await project.succeed("up", "--yes", "--skip-preview");
  expect(told(output, /was taken over; no new one was created or charged/)).toBe(40);
  const requests = simulator.requests().length;
  process.stdout.write(`Taking over 40 accounts: ${previewed} requests in the preview, ${requests} in the update.\n`);
  expect(writes(simulator)).toEqual([]);
  expect(Math.max(previewed, requests)).toBeLessThanOrEqual(5);
  const ids = Object.fromEntries(Object.entries(await project.state()).map(([name, { id }]) => [name, id]));
  expect(ids).toEqual(Object.fromEntries(Object.entries(resources).map(([name, { adopt }]) => [name, adopt])));

  await project.up("--expect-no-changes");
  await project.succeed("preview", "--refresh", "--expect-no-changes");
  await project.refresh("--expect-no-changes");
  const kept = Object.entries(resources).map(([name, { adopt: _done, ...args }]) => [name, args]);
  project.declare(Object.fromEntries(kept) as Record<string, object>);
  await project.up("--expect-no-changes");
  await project.refresh("--expect-no-changes");
  expect(writes(simulator)).toEqual([]);
  expect(simulator.accounts()).toEqual(before);
});

test("one that differs is shown in the preview, and patched in what is declared", async () => {
  const { id } = simulator.seedAccount({ name: "Acme", description: "Made in the portal", reference: "CRM-7" });
  const acme = { name: "Acme Telecom", reference: "CRM-7", timezone: "Europe/Amsterdam" };
  project.declare({ acme: { ...acme, adopt: true } });
  expect(await project.succeed("preview")).toContain(
    `Account "Acme" (${id}) would be taken over: name "Acme" → "Acme Telecom".`,
  );
  expect(writes(simulator)).toEqual([]);
  // With its preview, as most people run it.
  expect(await project.succeed("up", "--yes")).toContain(
    `Account "Acme Telecom" (${id}) was taken over, name "Acme" → "Acme Telecom"; no new one was created or charged.`,
  );
  expect(writes(simulator)).toEqual([patch(id, { name: "Acme Telecom" }, { acceptCharges: false })]);

  simulator.clearRequests();
  project.declare({ acmeTelecom: { ...acme, adopt: true, timezone: "Europe/Brussels" } });
  expect(await project.up()).toContain("was not deleted: another resource of this program has taken it over");
  project.declare({ acmeTelecom: { ...acme, timezone: "Europe/Paris" } });
  await project.up();
  expect(writes(simulator)).toEqual([patch(id, { timezone: "Europe/Paris" }, { acceptCharges: false })]);
  expect(simulator.accounts()).toMatchObject([{ id, description: "Made in the portal", enabled: true }]);
});

test("what cannot be taken over fails in the preview and in the update, with what to do next", async () => {
  const missing = "00000000-0000-4000-8000-000000000000";
  const gone = simulator.seedAccount({ name: "Gone", enabled: false, flaggedForDeletion: true }).id;
  project.declare({ acme: { name: "Acme", adopt: missing } });
  expect(await project.fail("preview")).toContain(
    `Could not take over account ${missing} as "Acme": the service answered 404: Not Found.`,
  );
  project.declare({ gone: { name: "Gone", adopt: gone } });
  const disabled = `${gone} ("Gone", disabled) is disabled; a deleted account looks the same.`;
  expect(await project.fail("preview")).toContain(disabled);
  expect(await project.failUp()).toContain(disabled);
  expect(writes(simulator)).toEqual([]);
  expect(await project.state()).toEqual({});
});

test("an account is one resource, in this run and in later ones, and a resource stays its account", async () => {
  const { id } = simulator.seedAccount({ name: "Acme" });
  const other = simulator.seedAccount({ name: "Globex" }).id;
  const acme = { name: "Acme", adopt: id };
  const refusal = `another resource of this program stands for account ${id} already.`;
  project.declare({ one: acme, again: acme });
  expect(await project.fail("preview")).toContain(refusal);
  expect(await project.failUp()).toContain(refusal);
  const [kept = "none", ...more] = Object.keys(await project.state());
  expect(more).toEqual([]);
  expect(await project.failUp()).toContain(refusal);
  expect(Object.keys(await project.state())).toEqual([kept]);

  project.declare({ [kept]: { ...acme, adopt: other } });
  expect(await project.fail("preview")).toContain(
    `Could not take over account ${other}: this resource stands for account ${id} already, and that cannot change.`,
  );
  expect(writes(simulator)).toEqual([]);
});

test("pulumi import fails as docs/adopt.md says, and adopt takes its place", async () => {
  const { id } = simulator.seedAccount({ name: "Acme" });
  const message = "error: Preview failed: code must be a string, not undefined";
  expect(readFileSync(join(root, "docs/adopt.md"), "utf8")).toContain(message);
  project.declare({});
  const type = "pulumi-nodejs:dynamic/reseller:Account";
  expect(await project.fail("import", type, "acme", id, "--yes")).toContain(message);
  const program = (args: object, options: object) =>
    `import * as reseller from "pulumi-reseller";
     new reseller.Account("acme", ${JSON.stringify(args)}, ${JSON.stringify(options)});`;
  project.write("index.ts", program({ name: "Acme" }, { import: id }));
  expect(await project.fail("preview")).toContain(message);
  expect(simulator.requests()).toEqual([]);
  expect(await project.state()).toEqual({});
  project.write("index.ts", program({ name: "Acme", adopt: id }, {}));
  await project.up();
  expect((await project.state())["acme"]?.id).toBe(id);
});

/** How many different lines match: the engine prints each as it comes, and again at the end. */
function told(output: string, line: RegExp): number {
  const matching = output.split("\n").filter((text) => line.test(text));
  return new Set(matching.map((text) => /Account ".*/.exec(text)?.[0])).size;
}
