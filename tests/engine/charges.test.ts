import { type Simulator, startSimulator } from "../../simulator";
import { Project, settingsOf } from "./support/project";
import { post, writes } from "./support/requests";

/** What may cost money happens only when the program accepts it, and once for each account declared. */

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

beforeEach(() => {
  simulator.clearRequests();
});

const body = { name: "Acme Telecom", enabled: true, reference: "demo/dev/acme" };

test("refuses to create without acceptCharges, and says what was not done and what to set", async () => {
  project.declare({ acme: { name: "Acme Telecom" } });
  const output = await project.failUp();
  expect(writes(simulator)).toEqual([post(body, { acceptCharges: false })]);
  expect(simulator.requests({ method: "POST" })[0]?.status).toBe(402);
  const line = output.split("\n").find((text) => text.trim().startsWith("error: Could not create"));
  expect(line?.trim()).toBe(
    'error: Could not create account "Acme Telecom": the service answered 402 Payment Required: this may incur extra charges, so nothing was done. To accept the charges, set acceptCharges: true on this resource and run again.',
  );
  expect(await project.state()).toEqual({});
  expect(simulator.charges()).toEqual([]);
  expect(simulator.accounts()).toEqual([]);
});

test("creates the account for one charge once acceptCharges is true", async () => {
  project.declare({ acme: { name: "Acme Telecom", acceptCharges: true } });
  await project.up();
  expect(writes(simulator)).toEqual([post(body)]);
  expect(simulator.charges()).toMatchObject([{ name: "Acme Telecom" }]);
});

test("shows a change of acceptCharges alone, and sends nothing for it", async () => {
  project.declare({ acme: { name: "Acme Telecom" } });
  const preview = await project.succeed("preview", "--diff");
  expect(preview).toMatch(/^\s*- acceptCharges\s*: true$/m);
  expect(preview).toMatch(/Resources:\n\s+~ 1 to update\n/);
  await project.up();
  expect(simulator.requests()).toEqual([]);
  const { acme } = await project.state();
  expect(acme?.inputs).not.toHaveProperty("acceptCharges");
  expect(simulator.charges()).toHaveLength(1);
});

test("declared again after its deletion, an account is a new one: the disabled one is not taken over", async () => {
  project.declare({ acme: { name: "Acme Telecom", acceptCharges: true } });
  await project.up();
  const [first] = simulator.accounts();
  await project.destroy();
  simulator.clearRequests();
  await project.up();
  expect(writes(simulator)).toEqual([post(body)]);
  expect(simulator.charges()).toHaveLength(2);
  expect(simulator.accounts().map(({ id, enabled }) => [id === first?.id, enabled])).toEqual(
    expect.arrayContaining([
      [true, false],
      [false, true],
    ]),
  );
  const { acme } = await project.state();
  expect(acme?.id).not.toBe(first?.id);
  await project.up("--expect-no-changes");
  expect(acme?.inputs?.["reference"]).toBe("demo/dev/acme");
});
