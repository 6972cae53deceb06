import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Simulator, startSimulator } from "../../simulator";
import { root } from "./support/installed";
import { Project } from "./support/project";
import { post, writes } from "./support/requests";

/** examples/environments as it stands, with a service and an enterprise of its own for each environment. */

jest.setTimeout(240_000);

const hosts = {
  dev: "https://api.dev.example.com",
  staging: "https://api.staging.example.com",
  prod: "https://api.example.com",
};
type Environment = keyof typeof hosts;
const environments = Object.keys(hosts) as Environment[];

const services = {} as Record<Environment, Simulator>;
let project: Project;

const acme = {
  name: "Acme Telecom",
  enabled: true,
  reference: "CRM-1042",
  timezone: "Europe/Amsterdam",
  countryCode: "NL",
};
const globex = {
  name: "Globex Voice",
  enabled: true,
  reference: "CRM-1043",
  timezone: "Europe/Berlin",
  countryCode: "DE",
};

/** Makes the commands those of someone who logged in to `login`. An empty variable counts as not set. */
function logIn(login: Environment, more: Record<string, string> = {}): void {
  const { accessToken } = services[login];
  const unset = { RESELLER_BASE_URL: "", RESELLER_CHARGE_POLICY: "" };
  Object.assign(project.env, { RESELLER_ACCESS_TOKEN: accessToken, ...unset, ...more });
}

const up = (stack: Environment): string[] => ["up", "--yes", "--skip-preview", "--stack", stack];
const allWrites = (): unknown[] => environments.flatMap((name) => writes(services[name]));
const requests = (): number[] => environments.map((name) => services[name].requests().length);

beforeAll(async () => {
  for (const [index, name] of environments.entries()) services[name] = await startSimulator({ seed: index + 1 });
  project = await Project.packed({});
  const example = join(root, "examples/environments");
  for (const file of ["Pulumi.yaml", "index.ts"]) copyFileSync(join(example, file), join(project.folder, file));
  for (const name of environments) {
    const settings = readFileSync(join(example, `Pulumi.${name}.yaml`), "utf8");
    expect(settings).toContain(`reseller:baseUrl: ${hosts[name]}\n`);
    project.write(`Pulumi.${name}.yaml`, settings.replace(hosts[name], services[name].baseUrl));
    await project.succeed("stack", "init", name);
  }
});

beforeEach(() => {
  for (const name of environments) services[name].clearRequests();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  for (const name of environments) await services[name].close();
});

test("dev creates its accounts in its own service and asks nothing of the others", async () => {
  logIn("dev");
  await project.succeed(...up("dev"));
  expect(writes(services.dev)).toHaveLength(2);
  expect(writes(services.dev)).toEqual(expect.arrayContaining([post(acme), post(globex)]));
  expect(requests().slice(1)).toEqual([0, 0]);
});

test.each(["staging", "prod"] as const)("%s creates nothing until one command allows it", async (name) => {
  logIn(name);
  expect(await project.fail(...up(name))).toContain("it may incur charges, and reseller:chargePolicy is never.");
  expect(requests()).toEqual([0, 0, 0]);

  logIn(name, { RESELLER_CHARGE_POLICY: "ask" });
  await project.succeed(...up(name));
  expect(services[name].charges()).toHaveLength(2);
  const others = environments.filter((other) => other !== name);
  expect(others.map((other) => services[other].requests())).toEqual([[], []]);
});

test("production's accounts are protected, and the sandbox's are not", async () => {
  logIn("prod");
  expect(await project.fail("destroy", "--yes", "--skip-preview", "--stack", "prod")).toContain("protected");
  expect(allWrites()).toEqual([]);
  logIn("dev");
  expect(await project.succeed("destroy", "--preview-only", "--stack", "dev")).toContain("3 to delete");
});

// Something for an update to buy.
const addition = `
new reseller.Account("initech", { name: "Initech Voice", reference: "CRM-1044", acceptCharges });
`;

test("production's token in the development stack is refused before the first write", async () => {
  project.write("index.ts", readFileSync(join(root, "examples/environments/index.ts"), "utf8") + addition);
  logIn("prod");
  expect(await project.fail(...up("dev"))).toContain("the access token is missing, invalid or expired");
  expect(allWrites()).toEqual([]);
  expect(services.prod.requests()).toEqual([]);
});

test("a sandbox's token and address with production's state are refused before the first write", async () => {
  logIn("dev", { RESELLER_BASE_URL: services.dev.baseUrl, RESELLER_CHARGE_POLICY: "ask" });
  const refusal =
    `the account belongs to enterprise ${services.prod.enterpriseTenantId}, ` +
    `but this token sees enterprise ${services.dev.enterpriseTenantId}.`;
  expect(await project.fail(...up("prod"), "--refresh")).toContain(refusal);
  // All that this update has to send is the creation, which would be charged to the sandbox.
  expect(await project.fail(...up("prod"))).toContain(refusal);
  expect(allWrites()).toEqual([]);
  expect(services.prod.requests()).toEqual([]);
  expect(services.prod.charges()).toHaveLength(2);
});
