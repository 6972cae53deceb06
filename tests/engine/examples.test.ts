import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { type Simulator, startSimulator } from "../../simulator";
import { root } from "./support/installed";
import { Project, settingsOf } from "./support/project";

/** The examples that people copy, run as they stand. */

jest.setTimeout(240_000);

let simulator: Simulator;
let project: Project;

async function example(name: string): Promise<Project> {
  const made = await Project.packed(settingsOf(simulator));
  cpSync(join(root, "examples", name), made.folder, { recursive: true, filter: isSource });
  return made;
}

/** The project made for the test has its own Pulumi.yaml and package.json. */
function isSource(path: string): boolean {
  return !/node_modules|package\.json$|Pulumi\..*yaml$|\/out$/.test(path);
}

beforeAll(async () => {
  simulator = await startSimulator({ seedInvoices: 4 });
  project = await example("resellers");
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await simulator.close();
});

const policy = join(root, "examples/policy");

function policyConfig(config: object): string[] {
  const file = join(project.folder, "policy.json");
  writeFileSync(file, JSON.stringify(config));
  return ["--policy-pack", policy, "--policy-pack-config", file];
}

test("resellers: the preview names each creation whose charges are not accepted", async () => {
  const preview = await project.succeed("preview");
  for (const name of ["Acme Telecom", "Globex Voice", "Bakery De Halm", "Garage Jansen", "Praxis Dr. Weber"]) {
    expect(preview).toContain(`"${name}": creating it may incur charges that are not accepted`);
  }
  expect(simulator.requests()).toEqual([]);
});

test("policy: charges in a stack that is not named, and accounts without protection, stop the preview", async () => {
  await project.succeed("config", "set", "acceptCharges", "true");
  const output = await project.fail("preview", "--policy-pack", policy);
  expect(output).toContain("Stack dev may not accept charges; allowed in: prod.");
  expect(output).toContain("Set protect: true on this account.");
});

test("policy: more charged creations than allowed stop the update before anything is sent", async () => {
  const config = {
    "charges-only-in-named-stacks": { stacks: ["dev"] },
    "accounts-are-protected": "disabled",
    "few-charged-creations-at-once": { most: 4 },
  };
  const output = await project.fail("up", "--yes", ...policyConfig(config));
  expect(output).toContain("5 charged creations; 4 are allowed in one update.");
  expect(simulator.requests()).toEqual([]);
});

test("resellers: two accounts and three customers for five charges, told one by one; then nothing more to do", async () => {
  const config = {
    "charges-only-in-named-stacks": { stacks: ["dev"] },
    "accounts-are-protected": "disabled",
    "few-charged-creations-at-once": { most: 5 },
  };
  const output = await project.succeed("up", "--yes", ...policyConfig(config));
  expect(new Set(output.match(/Charges accepted: created (account|customer) "[^"]+"/g)).size).toBe(5);
  expect(simulator.charges()).toHaveLength(5);

  // What exists is no creation: the limit does not count it.
  const none = { ...config, "few-charged-creations-at-once": { most: 0 } };
  await project.succeed("up", "--yes", "--expect-no-changes", ...policyConfig(none));
  expect(simulator.charges()).toHaveLength(5);
});

test("invoices: the last period's documents are written, added up and reconciled, without a single write", async () => {
  simulator.clearRequests();
  await using invoices = await example("invoices");
  await invoices.up();
  const outputs = JSON.parse(await invoices.succeed("stack", "output", "--json")) as {
    invoices: Record<string, { pdf: { path: string; sha256: string }; products: Record<string, string> }>;
  };
  const kept = Object.values(outputs.invoices);
  expect(kept.length).toBeGreaterThan(0);
  for (const { pdf, products } of kept) {
    const bytes = readFileSync(resolve(invoices.folder, pdf.path));
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(pdf.sha256);
    expect(Object.values(products).every((value) => /^-?\d+(\.\d+)?$/.test(value))).toBe(true);
    expect(
      readdirSync(dirname(resolve(invoices.folder, pdf.path)))
        .map((file) => extname(file))
        .sort(),
    ).toEqual([".csv", ".json", ".pdf"]);
  }
  expect(simulator.requests().filter(({ method }) => method !== "GET")).toEqual([]);
});
