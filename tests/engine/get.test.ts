import { type Simulator, startSimulator } from "../../simulator";
import { Project, settingsOf } from "./support/project";
import { writes } from "./support/requests";

/** Looking up an account that the program does not manage. */

jest.setTimeout(180_000);

let simulator: Simulator;
let project: Project;

beforeAll(async () => {
  simulator = await startSimulator();
  project = await Project.packed(settingsOf(simulator));
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await simulator.close();
});

const lookUp = (id: string) => {
  project.write(
    "index.ts",
    `import * as reseller from "pulumi-reseller";
     const known = reseller.Account.get("known", ${JSON.stringify(id)});
     export const { id, name, description, reference, enabled, parentTenantId, dateCreated } = known;`,
  );
};

test("reads an existing account, changes nothing, and leaves it alone when the stack goes", async () => {
  const account = simulator.seedAccount({
    name: "Globex Voice",
    description: "Made in the portal",
    reference: "CRM-7",
  });
  lookUp(account.id);
  await project.succeed("preview");
  await project.up();
  const { id, name, description, reference, enabled, parentTenantId, dateCreated } = account;
  expect(JSON.parse(await project.succeed("stack", "output", "--json"))).toEqual({
    id,
    name,
    description,
    reference,
    enabled,
    parentTenantId,
    dateCreated,
  });
  await project.destroy();
  expect(writes(simulator)).toEqual([]);
  expect(simulator.accounts()).toEqual([account]);
});

test("an id that no account has is an error which names it", async () => {
  const missing = "00000000-0000-4000-8000-000000000000";
  lookUp(missing);
  for (const output of [await project.fail("preview"), await project.failUp()]) {
    expect(output).toMatch(new RegExp(`error: .*Could not read account ${missing}: the service answered 404`));
  }
  expect(writes(simulator)).toEqual([]);
});
