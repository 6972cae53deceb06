import { setTimeout as wait } from "node:timers/promises";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator";
import { killTree } from "./support/processes";
import { Project, settingsOf } from "./support/project";

/** What costs money, in one table of cases for both fronts; see lifecycle.test.ts for accounts that cost nothing more. */

jest.setTimeout(240_000);

const fronts = {
  "dynamic resources": (settings: Record<string, string>) => Project.packed(settings),
  "the native plugin": (settings: Record<string, string>) => Project.yaml(settings),
};

interface Case {
  service: SimulatorOptions;
  run: (project: Project, simulator: Simulator) => Promise<void>;
}

const acme = { name: "Acme Telecom", timezone: "Europe/Amsterdam", countryCode: "NL" };
const newAcme = { ...acme, enabled: true, reference: "demo/dev/acme" };
const profile = {
  kind: "Example",
  hostRest: "https://pbx.example",
  hostWebsocket: "wss://pbx.example",
  accountId: "42",
  apiKey: "canary-2f8c-api-key",
};
const bakery = { name: "Bakery", culture: "nl-NL", acceptCharges: true, pbxConnectionProfile: profile };
const { kind, ...hosts } = profile;
const newBakery = {
  name: "Bakery",
  enabled: true,
  culture: "nl-NL",
  pbxConnectionProfile: { _type: `${kind}PbxConnectionProfile`, ...hosts },
};

const accountId43 = { op: "replace", path: "/pbxConnectionProfile/accountId", value: "43" };

/** Everything that was sent, as far as it matters who sent it. */
function sent(simulator: Simulator) {
  return simulator.requests().map(({ method, path, query, headers, body }) => {
    return { method, path, query, body, acceptCharges: headers["accept-charges"] };
  });
}

const written = (simulator: Simulator) => sent(simulator).filter(({ method }) => method !== "GET");
const creation = (of: string, body: object, acceptCharges?: string) => {
  return { method: "POST", path: `/api/v1.0/${of}`, query: {}, body, acceptCharges };
};

const cases: Record<string, Case> = {
  "an account is bought only where charges are accepted, and once": {
    service: {},
    run: async (project, simulator) => {
      project.declare({ acme });
      const { code, output } = await project.run("preview");
      expect([code, output]).toEqual([0, expect.stringContaining("may incur charges that are not accepted")]);
      expect(sent(simulator)).toEqual([]);
      expect(await project.failUp()).toContain("402 Payment Required");
      expect(written(simulator)).toEqual([creation("accounts", newAcme)]);
      expect(await project.state()).toEqual({});

      simulator.clearRequests();
      project.declare({ acme: { ...acme, acceptCharges: true } });
      project.env["RESELLER_CHARGE_POLICY"] = "never";
      expect(await project.failUp()).toContain("reseller:chargePolicy is never");
      expect(sent(simulator)).toEqual([]);
      expect(simulator.charges()).toEqual([]);

      delete project.env["RESELLER_CHARGE_POLICY"];
      await project.up();
      expect(written(simulator)).toEqual([creation("accounts", newAcme, "true")]);
      expect(simulator.charges()).toMatchObject([{ name: "Acme Telecom" }]);
    },
  },
  "a run that is killed after its POST leaves an account that the next run takes over": {
    service: {},
    run: async (project, simulator) => {
      project.declare({ acme: { ...acme, acceptCharges: true } });
      simulator.arm({ method: "POST", action: "delay-headers", ms: 3_600_000 });
      const { child, ended } = project.start("up", "--yes", "--skip-preview");
      while (simulator.charges().length === 0) await wait(20);
      await killTree(child.pid ?? 0);
      await ended;
      await project.succeed("cancel", "--yes");
      await project.up();
      expect(written(simulator)).toEqual([creation("accounts", newAcme, "true")]);
      expect(simulator.charges()).toHaveLength(1);
      expect((await project.state())["acme"]?.id).toBe(simulator.charges()[0]?.tenantId);
    },
  },
  "a customer whose creation is not confirmed is not bought again, and `adopt` resolves it": {
    service: { customers: "create-only" },
    run: async (project, simulator) => {
      project.declareCustomer(bakery);
      simulator.arm({ method: "POST", path: "/customers", action: "cut-after" });
      expect(await project.failUp()).toContain("not confirmed");
      expect(await project.failUp()).toContain("not confirmed");
      project.declareCustomer({ ...bakery, adopt: simulator.charges()[0]?.tenantId });
      await project.up();
      await project.up("--expect-no-changes");
      expect(written(simulator)).toEqual([creation("customers", newBakery, "true")]);
      expect(simulator.charges()).toHaveLength(1);
    },
  },
  "a customer is changed by one PATCH and removed by one DELETE where the service offers that": {
    service: { customers: "full" },
    run: async (project, simulator) => {
      project.declareCustomer(bakery);
      await project.up();
      const path = `/api/v1.0/customers/${String(simulator.customers()[0]?.id)}`;
      project.declareCustomer({ ...bakery, pbxConnectionProfile: { ...profile, accountId: "43" } });
      await project.up();
      await project.destroy();
      expect(written(simulator)).toEqual([
        creation("customers", newBakery, "true"),
        { method: "PATCH", path, query: {}, body: [accountId43], acceptCharges: "true" },
        { method: "DELETE", path, query: {}, body: undefined, acceptCharges: undefined },
      ]);
      expect(simulator.charges()).toHaveLength(1);
    },
  },
};

describe.each(Object.entries(cases))("%s", (_, { service, run }) => {
  const logs: ReturnType<typeof sent>[] = [];

  test.each(Object.entries(fronts))("with %s", async (_front, make) => {
    await using simulator = await startSimulator(service);
    await using project = await make(settingsOf(simulator));
    await run(project, simulator);
    const ids = new RegExp(
      simulator
        .charges()
        .map(({ tenantId }) => tenantId)
        .join("|"),
      "g",
    );
    logs.push(sent(simulator).map((request) => ({ ...request, path: request.path.replace(ids, "<id>") })));
  });

  test("with the same requests, reads included", () => {
    const [dynamic, native] = logs;
    expect(native).toEqual(dynamic);
    expect(dynamic).not.toEqual([]);
  });
});
