import { type Simulator, startSimulator } from "../../simulator";
import { changesIn } from "./support/output";
import { Project, settingsOf } from "./support/project";
import { patch, post, remove, writes } from "./support/requests";

/** Two accounts through their whole life, the same on both fronts: the dynamic resources and the native plugin. */

jest.setTimeout(180_000);

const acme = {
  name: "Acme Telecom",
  description: "Reseller for the Benelux",
  reference: "CRM-1042",
  timezone: "Europe/Amsterdam",
  countryCode: "NL",
};
const globex = { name: "Globex Voice", timezone: "Europe/Berlin", countryCode: "DE" };
const accepted = (args: object) => ({ ...args, acceptCharges: true });

const fronts = {
  "a TypeScript program which has the packed package installed": (settings: Record<string, string>) =>
    Project.packed(settings),
  "a YAML program which uses the native plugin": (settings: Record<string, string>) => Project.yaml(settings),
};

describe.each(Object.entries(fronts))("%s", (_, make) => {
  let simulator: Simulator;
  let project: Project;

  beforeAll(async () => {
    simulator = await startSimulator();
    project = await make(settingsOf(simulator));
  });

  afterAll(async () => {
    await project[Symbol.asyncDispose]();
    await simulator.close();
  });

  beforeEach(() => {
    simulator.clearRequests();
  });

  afterEach(() => {
    // Whatever happens to them after their creation, two declared accounts cost two charges.
    const charged = simulator.charges().map(({ name }) => name);
    expect(charged.sort()).toEqual(["Acme Telecom", "Globex Voice"]);
  });

  const stored = (reference: string) => simulator.accounts().find((account) => account.reference === reference);
  const idOf = (reference: string): string => stored(reference)?.id ?? "none";

  test("creates each declared account with one POST", async () => {
    project.declare({ acme: accepted(acme), globex: accepted(globex) });
    await project.up();
    const sent = writes(simulator);
    expect(sent).toHaveLength(2);
    expect(sent).toContainEqual(post({ ...acme, enabled: true }));
    expect(sent).toContainEqual(post({ ...globex, enabled: true, reference: "demo/dev/globex" }));
    const { acme: record } = await project.state();
    const { parentTenantId, dateCreated } = stored("CRM-1042") ?? {};
    expect(record?.id).toBe(idOf("CRM-1042"));
    expect(record?.outputs).toMatchObject({ ...accepted(acme), enabled: true, parentTenantId, dateCreated });
  });

  test("keeps the record of an account small in state", async () => {
    const { acme: record } = await project.state();
    const code = Buffer.byteLength((record?.outputs?.["__provider"] as string | undefined) ?? "");
    const whole = Buffer.byteLength(JSON.stringify(record));
    // Where the program's own frames are is the language's business.
    const { stackTrace, sourcePosition } = record ?? {};
    const places = Buffer.byteLength(JSON.stringify({ stackTrace, sourcePosition }));
    process.stdout.write(
      `In state: code ${code} bytes; a whole account ${whole} bytes, ${places} of them positions in the program.\n`,
    );
    expect(record?.outputs?.["__provider"]).toBe(record?.inputs?.["__provider"]);
    expect(code).toBeLessThanOrEqual(300);
    expect(whole - places).toBeLessThanOrEqual(1_700);
    if (code === 0) expect(whole - places).toBeLessThanOrEqual(1_400);
  });

  test("sends nothing when nothing has changed", async () => {
    await project.up("--expect-no-changes");
    expect(simulator.requests()).toEqual([]);
  });

  test("changes a field with one PATCH of that field", async () => {
    project.declare({ acme: accepted({ ...acme, description: "Benelux and France" }), globex: accepted(globex) });
    await project.up();
    expect(writes(simulator)).toEqual([patch(idOf("CRM-1042"), { description: "Benelux and France" })]);
    expect(stored("CRM-1042")).toMatchObject({ ...acme, description: "Benelux and France" });
  });

  test("shows a change made elsewhere on its property, and `up` undoes it with one PATCH", async () => {
    simulator.editAccount(idOf("CRM-1042"), { description: "Changed by hand" });
    simulator.editAccount(idOf("demo/dev/globex"), { description: "Not declared, so not drift" });
    const preview = await project.succeed("preview", "--refresh", "--diff");
    expect(changesIn(preview)).toEqual([
      '~ description : "Benelux and France" => "Changed by hand"',
      '~ description : "Changed by hand" => "Benelux and France"',
    ]);
    const refresh = await project.refresh("--diff");
    expect(changesIn(refresh)).toEqual(['~ description : "Benelux and France" => "Changed by hand"']);
    expect(writes(simulator)).toEqual([]);
    await project.up();
    expect(writes(simulator)).toEqual([patch(idOf("CRM-1042"), { description: "Benelux and France" })]);
    expect(stored("CRM-1042")).toMatchObject({ ...acme, description: "Benelux and France" });
  });

  test("drops an account that was removed elsewhere from state, and plans to create it", async () => {
    simulator.removeAccount(idOf("demo/dev/globex"));
    const refresh = await project.refresh();
    expect(refresh).toMatch(/Resources:\n\s+- 1 deleted\n\s+2 unchanged\n/);
    expect(Object.keys(await project.state())).toEqual(["acme"]);
    expect(await project.plan("--refresh")).toEqual({ globex: "create" });
    expect(writes(simulator)).toEqual([]);
  });

  test("clears a text that is no longer declared, and patches what the service never returns", async () => {
    const changes = { description: "", timezone: "Europe/Brussels", countryCode: "BE" };
    project.declare({ acme: accepted({ ...acme, ...changes, description: undefined }) });
    await project.up();
    const expected = patch(idOf("CRM-1042"), changes);
    const [sent, ...others] = writes(simulator);
    expect(others).toEqual([]);
    expect(sent).toEqual({ ...expected, body: expect.arrayContaining(expected.body) as unknown });
    expect(sent?.body).toHaveLength(3);
    expect(stored("CRM-1042")).toMatchObject(changes);
  });

  test("deletes with one DELETE, which deactivates the account and flags it", async () => {
    const id = idOf("CRM-1042");
    await project.destroy();
    expect(writes(simulator)).toEqual([remove(id)]);
    expect(stored("CRM-1042")).toMatchObject({ enabled: false, flaggedForDeletion: true });
    expect(await project.state()).toEqual({});
  });
});
