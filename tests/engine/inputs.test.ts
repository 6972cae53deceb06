import { type Simulator, startSimulator } from "../../simulator";
import { Project, settingsOf } from "./support/project";
import { post, writes } from "./support/requests";

/** What a program may declare: what is refused before anything is sent, and values known only later. */

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

test("refuses what is misspelt or not allowed, each with its reason, and sends nothing", async () => {
  const args = { name: "Acme Telecom", timezone: "Europe/Amsterdm", descripton: "Benelux", acceptCharges: true };
  project.write(
    "index.ts",
    `import * as reseller from "pulumi-reseller";
     const args: any = ${JSON.stringify(args)};
     new reseller.Account("acme", args);`,
  );
  const output = await project.failUp();
  expect(output).toContain("descripton is not a property here; did you mean description?");
  expect(output).toMatch(/timezone must be an IANA time zone .*did you mean Europe\/Amsterdam\?/);
  expect(simulator.requests()).toEqual([]);
  expect(await project.state()).toEqual({});
});

test("the types that come with the package refuse a misspelt property when the program is compiled", async () => {
  project.declare({ acme: { name: "Acme Telecom", descripton: "Benelux" } });
  const output = await project.fail("preview");
  expect(output).toContain(`'"descripton"' does not exist in type 'AccountArgs'`);
  expect(simulator.requests()).toEqual([]);
});

const chained = `
  import * as pulumi from "@pulumi/pulumi";
  import * as reseller from "pulumi-reseller";
  const first = new reseller.Account("first", { name: "First", timezone: "Europe/Amsterdam", acceptCharges: true });
  const second = new reseller.Account("second", {
    name: pulumi.interpolate\`Follows \${first.id}\`,
    description: first.dateCreated,
    reference: pulumi.interpolate\`after-\${first.id}\`,
    enabled: first.id.apply((id) => id !== ""),
    timezone: first.id.apply(() => "Europe/Berlin"),
    countryCode: first.id.apply(() => "DE"),
    acceptCharges: first.id.apply(() => true),
  });
  export const parent: pulumi.Output<string> = second.parentTenantId;
`;

test("previews and creates an account made of values that are not known before", async () => {
  project.write("index.ts", chained);
  expect(await project.plan()).toEqual({ first: "create", second: "create" });
  expect(simulator.requests()).toEqual([]);
  await project.up();
  const first = simulator.accounts().find(({ name }) => name === "First");
  const fields = {
    name: `Follows ${first?.id ?? ""}`,
    description: first?.dateCreated,
    reference: `after-${first?.id ?? ""}`,
    enabled: true,
    timezone: "Europe/Berlin",
    countryCode: "DE",
  };
  expect(writes(simulator)).toEqual([
    post({ name: "First", enabled: true, reference: "demo/dev/first", timezone: "Europe/Amsterdam" }),
    post(fields),
  ]);
  expect(simulator.charges()).toHaveLength(2);
  expect((await project.succeed("stack", "output", "parent")).trim()).toBe(simulator.enterpriseTenantId);
  await project.up("--expect-no-changes");
});

test("a value that turns out not to be allowed is refused before anything is sent for it", async () => {
  project.write("index.ts", chained.replace('"Europe/Berlin"', '"Berlin"').replace('"second"', '"third"'));
  const output = await project.failUp();
  expect(output).toContain("timezone must be an IANA time zone");
  expect(simulator.charges()).toHaveLength(2);
});

test("a preview of creating, changing and deleting writes nothing, and without --refresh asks nothing", async () => {
  project.declare({
    first: { name: "First", timezone: "Europe/Brussels", acceptCharges: true },
    fourth: { name: "Fourth", acceptCharges: true },
  });
  expect(await project.plan()).toEqual({ first: "update", fourth: "create", second: "delete" });
  expect(simulator.requests()).toEqual([]);
  expect(await project.plan("--refresh")).toEqual({ first: "update", fourth: "create", second: "delete" });
  await project.succeed("destroy", "--preview-only");
  expect(writes(simulator)).toEqual([]);
});
