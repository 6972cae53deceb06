import { type Simulator, startSimulator } from "../../simulator";
import { Project, settingsOf } from "./support/project";
import { patch, post, remove, writes } from "./support/requests";

/** The quick start as it stands in the repository, where the package is a link to the workspace. */

jest.setTimeout(180_000);

let simulator: Simulator;
let project: Project;

beforeAll(async () => {
  simulator = await startSimulator();
  project = await Project.linked("quickstart", settingsOf(simulator));
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await simulator.close();
});

beforeEach(() => {
  simulator.clearRequests();
});

const acme = {
  name: "Acme Telecom",
  description: "Reseller for the Benelux",
  reference: "CRM-1042",
  enabled: true,
  timezone: "Europe/Amsterdam",
  countryCode: "NL",
};
const globex = {
  name: "Globex Voice",
  reference: "reseller-quickstart/dev/globex",
  enabled: true,
  timezone: "Europe/Berlin",
  countryCode: "DE",
};

test("the quick start creates its two accounts, each for one charge", async () => {
  await project.up();
  const sent = writes(simulator);
  expect(sent).toHaveLength(2);
  expect(sent).toContainEqual(post(acme));
  expect(sent).toContainEqual(post(globex));
  expect(simulator.charges()).toHaveLength(2);
  const outputs = JSON.parse(await project.succeed("stack", "output", "--json")) as Record<string, string>;
  const ids = simulator.accounts().map(({ id }) => id);
  expect([outputs["acmeTenantId"], outputs["globexTenantId"]].toSorted()).toEqual(ids.toSorted());
  const code = String((await project.state()).acme?.outputs?.["__provider"]);
  // What is kept in state reaches the package by name: it works wherever the program is checked out.
  expect(code).toContain('require("pulumi-reseller/provider")');
  expect(code).not.toContain(project.folder);
});

test("it changes nothing when run again, repairs what was changed elsewhere, and deletes what it declared", async () => {
  await project.up("--expect-no-changes");
  expect(simulator.requests()).toEqual([]);
  const { acme: record, globex: other } = await project.state();
  const id = record?.id ?? "none";
  simulator.editAccount(id, { enabled: false });
  await project.up("--refresh");
  expect(writes(simulator)).toEqual([patch(id, { enabled: true })]);
  await project.destroy();
  expect(writes(simulator).slice(1)).toHaveLength(2);
  expect(writes(simulator)).toEqual(expect.arrayContaining([remove(id), remove(other?.id ?? "none")]));
  expect(simulator.accounts().map(({ flaggedForDeletion }) => flaggedForDeletion)).toEqual([true, true]);
  expect(simulator.charges()).toHaveLength(2);
});
