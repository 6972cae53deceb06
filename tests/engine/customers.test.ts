import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator";
import { Project, settingsOf } from "./support/project";

/** Customers on the real engine, with a service that only creates them and with one that does more. */

jest.setTimeout(240_000);

const canary = "canary-0b1d6e-api-key";
const profile = {
  kind: "Example",
  hostRest: "https://pbx.example",
  hostWebsocket: "wss://pbx.example",
  accountId: "42",
  apiKey: canary,
};
const bakery = { name: "Bakery", culture: "nl-NL", acceptCharges: true, pbxConnectionProfile: profile };
const sent = {
  name: "Bakery",
  enabled: true,
  culture: "nl-NL",
  pbxConnectionProfile: {
    _type: "ExamplePbxConnectionProfile",
    hostRest: "https://pbx.example",
    hostWebsocket: "wss://pbx.example",
    accountId: "42",
    apiKey: canary,
  },
};

async function withService(
  options: SimulatorOptions,
  use: (simulator: Simulator, project: Project) => Promise<void>,
): Promise<void> {
  await using simulator = await startSimulator(options);
  await using project = await Project.packed(settingsOf(simulator));
  await use(simulator, project);
}

function declare(project: Project, args: object): void {
  const program = `new reseller.Customer("bakery", ${JSON.stringify(args)});`;
  project.write("index.ts", `import * as reseller from "pulumi-reseller";\n${program}\n`);
}

function writes(simulator: Simulator) {
  return simulator.requests().filter(({ method }) => method !== "GET");
}

/** Every file of the backend that holds the canary in plain text. */
function leaks(project: Project): string[] {
  return readdirSync(project.backend, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(canary));
}

test("a service that only creates customers: one charge, and what it cannot do is said and changes nothing", () =>
  withService({ customers: "create-only" }, async (simulator, project) => {
    declare(project, bakery);
    const output = await project.up();
    expect(writes(simulator)).toMatchObject([{ method: "POST", path: "/api/v1.0/customers", body: sent }]);
    expect(writes(simulator)[0]?.headers["accept-charges"]).toBe("true");
    expect(output).toContain('Charges accepted: created customer "Bakery"');

    await project.up("--expect-no-changes");
    await project.refresh("--expect-no-changes");
    expect(writes(simulator)).toHaveLength(1);

    declare(project, { ...bakery, pbxConnectionProfile: { ...profile, hostRest: "https://new.example" } });
    const preview = await project.succeed("preview", "--diff");
    expect(preview).toContain('"https://pbx.example" => "https://new.example"');
    const refused = await project.failUp();
    expect(refused).toContain("the service does not offer this");
    expect(refused).toContain("ignoreChanges");
    expect(await project.fail("destroy", "--yes", "--skip-preview")).toContain("It still exists.");

    // A refused change and a refused deletion leave state as it was.
    declare(project, bakery);
    await project.up("--expect-no-changes");
    expect(simulator.charges()).toHaveLength(1);
    expect([output, preview, refused].filter((text) => text.includes(canary))).toEqual([]);
    expect(leaks(project)).toEqual([]);
  }));

test("a service with every customer operation: one PATCH for a change, drift is shown and repaired, DELETE removes", () =>
  withService({ customers: "full" }, async (simulator, project) => {
    declare(project, bakery);
    await project.up();
    const [customer] = simulator.customers();
    const path = `/api/v1.0/customers/${String(customer?.id)}`;
    simulator.clearRequests();

    declare(project, {
      ...bakery,
      description: "By the station",
      pbxConnectionProfile: { ...profile, accountId: "43" },
    });
    await project.up();
    expect(writes(simulator)).toMatchObject([{ method: "PATCH", path }]);
    expect(writes(simulator)[0]?.body).toHaveLength(2);
    expect(writes(simulator)[0]?.body).toEqual(
      expect.arrayContaining([
        { op: "replace", path: "/description", value: "By the station" },
        { op: "replace", path: "/pbxConnectionProfile/accountId", value: "43" },
      ]),
    );
    await project.refresh("--expect-no-changes");
    simulator.clearRequests();

    await project.destroy();
    expect(writes(simulator)).toMatchObject([{ method: "DELETE", path }]);
    expect(simulator.charges()).toHaveLength(1);
    expect(leaks(project)).toEqual([]);
  }));

test("an answer lost: the creation stays pending, is never sent again, and adopt resolves it for one charge", () =>
  withService({ customers: "create-only" }, async (simulator, project) => {
    simulator.arm({ action: "cut-after", method: "POST", path: "/customers" });
    declare(project, bakery);
    expect(await project.failUp()).toContain("It may exist and be charged; it is not sent again.");
    expect(await project.failUp()).toContain('set adopt: "<its tenant id>"');
    await project.refresh();
    expect(await project.failUp()).toContain("not confirmed");
    expect(writes(simulator)).toHaveLength(1);

    const id = String(simulator.customers()[0]?.id);
    declare(project, { ...bakery, adopt: id });
    expect(await project.up()).toContain("was taken over; no new one was created or charged");
    declare(project, bakery);
    await project.up("--expect-no-changes");

    expect(JSON.stringify(JSON.parse(await project.succeed("stack", "export")))).toContain(`"id":"${id}"`);
    expect(await project.succeed("stack", "export")).not.toContain("pending:");
    expect(writes(simulator)).toHaveLength(1);
    expect(simulator.charges()).toHaveLength(1);
    expect(leaks(project)).toEqual([]);
  }));

test("chargePolicy never refuses a creation before any request, even with acceptCharges", () =>
  withService({}, async (simulator, project) => {
    await project.succeed("config", "set", "reseller:chargePolicy", "never");
    declare(project, bakery);
    expect(await project.failUp()).toContain("reseller:chargePolicy is never");
    expect(simulator.requests()).toEqual([]);
  }));
