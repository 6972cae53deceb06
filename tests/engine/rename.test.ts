import { startSimulator } from "../../simulator";
import { Project, settingsOf } from "./support/project";
import { writes } from "./support/requests";

jest.setTimeout(180_000);

test("renaming a resource keeps its account: nothing is charged, changed or disabled", async () => {
  await using simulator = await startSimulator();
  await using project = await Project.packed(settingsOf(simulator));
  const acme = { name: "Acme Telecom", reference: "CRM-1042", acceptCharges: true };
  project.declare({ acme });
  await project.up();
  const [account] = simulator.accounts();
  simulator.clearRequests();

  project.declare({ acmeTelecom: acme });
  expect(await project.up()).toContain("was not deleted: another resource of this program has taken it over");
  expect(writes(simulator)).toEqual([]);
  expect(simulator.accounts()).toEqual([account]);
  expect(simulator.charges()).toHaveLength(1);
  const state = await project.state();
  expect(Object.entries(state).map(([name, { id }]) => [name, id])).toEqual([["acmeTelecom", account?.id]]);

  await project.destroy();
  expect(simulator.accounts()).toMatchObject([{ enabled: false }]);
});
