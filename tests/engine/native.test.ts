import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type Simulator, startSimulator } from "../../simulator";
import { root } from "./support/installed";
import { Project, settingsOf } from "./support/project";
import { patch, post, writes } from "./support/requests";

/** What only the native plugin can do, in YAML programs on the real engine. */

jest.setTimeout(120_000);

const acme = { name: "Acme Telecom", reference: "CRM-1042" };

async function inYaml(
  test: (project: Project, simulator: Simulator) => Promise<void>,
  options?: Parameters<typeof startSimulator>[0],
): Promise<void> {
  await using simulator = await startSimulator(options);
  await using project = await Project.yaml(settingsOf(simulator));
  await test(project, simulator);
}

test("a preview shows what is not known yet, warns about charges, and sends nothing", () =>
  inYaml(async (project, simulator) => {
    project.declare({ acme, globex: { name: "Globex", description: "${acme.parentTenantId}", acceptCharges: true } });
    const preview = await project.succeed("preview", "--diff");
    expect(preview).toMatch(/description +: \[unknown\]/);
    const { output } = await project.run("preview");
    // Once as it comes, and once in the summary.
    expect([...new Set(output.match(/warning: .*/g))]).toEqual([
      'warning: Account "Acme Telecom": creating it may incur charges that are not accepted; the service will refuse it unless acceptCharges: true is set.',
    ]);
    expect(simulator.requests()).toEqual([]);
  }));

test("a bulk import of 100 accounts gives code that previews without changes", () =>
  inYaml(
    async (project, simulator) => {
      const resources = simulator.accounts().map(({ id }, index) => {
        return { type: "reseller:index:Account", name: `account${index}`, id };
      });
      project.write("bulk.json", JSON.stringify({ resources }));
      const imported = await project.succeed(
        "import",
        "-f",
        "bulk.json",
        "--yes",
        "--skip-preview",
        "--out",
        "code.yaml",
      );
      expect(imported).toContain("= 100 imported");
      expect(imported).not.toContain("warning");
      project.writeYaml(readFileSync(join(project.folder, "code.yaml"), "utf8"));
      expect(await project.plan()).toEqual({});
      await project.succeed("preview", "--expect-no-changes");
      expect(writes(simulator)).toEqual([]);
      expect(simulator.charges()).toEqual([]);
    },
    { seedAccounts: 100 },
  ));

test("an import of what does not exist, or of what has no form of an id, says so", () =>
  inYaml(async (project) => {
    const missing = "3f0aad32-6053-41ce-a8b0-a0b1d8af9ead";
    const imported = ["import", "reseller:index:Account", "acme"];
    expect(await project.fail(...imported, missing, "--yes")).toContain(`resource '${missing}' does not exist`);
    expect(await project.fail(...imported, "..", "--yes")).toContain('Could not use ".." as id');
  }));

test("ignoreChanges leaves a property as it is, drift included", () =>
  inYaml(async (project, simulator) => {
    const properties = { ...acme, description: "First", acceptCharges: true };
    const resource = { type: "reseller:Account", properties, options: { ignoreChanges: ["description"] } };
    project.writeYaml({ resources: { acme: resource } });
    await project.up();
    simulator.clearRequests();
    project.writeYaml({ resources: { acme: { ...resource, properties: { ...properties, description: "Second" } } } });
    await project.up("--expect-no-changes");
    const [account] = simulator.accounts();
    simulator.editAccount(account?.id ?? "", { description: "By hand" });
    await project.refresh();
    project.writeYaml({
      resources: { acme: { ...resource, properties: { ...properties, name: "Acme", description: "Third" } } },
    });
    await project.up();
    expect(writes(simulator)).toEqual([patch(account?.id ?? "", { name: "Acme" })]);
  }));

test("two providers of one program reach a service each, whatever the environment says", () =>
  inYaml(async (project, production) => {
    await using sandbox = await startSimulator({ seed: 2, enterpriseTenantId: "6f1c7f0e-1111-4222-8333-944445555666" });
    Object.assign(project.env, { RESELLER_BASE_URL: "https://environment.invalid", RESELLER_ACCESS_TOKEN: "no-token" });
    const provider = ({ baseUrl, accessToken }: Simulator) => ({
      type: "pulumi:providers:reseller",
      properties: { baseUrl, accessToken: { "fn::secret": accessToken } },
    });
    const account = (name: string) => ({
      type: "reseller:Account",
      properties: { ...acme, acceptCharges: true },
      options: { provider: `\${${name}}` },
    });
    project.writeYaml({
      resources: {
        production: provider(production),
        sandbox: provider(sandbox),
        acme: account("production"),
        trial: account("sandbox"),
      },
    });
    await project.up();
    for (const simulator of [production, sandbox]) {
      expect(writes(simulator)).toEqual([post({ ...acme, enabled: true })]);
      expect(simulator.charges()).toHaveLength(1);
    }
    await project.up("--expect-no-changes");
    await project.destroy();
    for (const simulator of [production, sandbox]) {
      expect(simulator.accounts()).toMatchObject([{ enabled: false, flaggedForDeletion: true }]);
    }
  }));

test("a customer whose creation is not confirmed stays in state, is not sent again, and is resolved by adopt", () =>
  inYaml(async (project, simulator) => {
    const canary = "canary-api-key-9e7d";
    const profile = {
      kind: "Example",
      hostRest: "https://a.example",
      hostWebsocket: "wss://a.example",
      accountId: "1",
    };
    const shop = (more: object = {}) => {
      const properties = {
        name: "Shop",
        acceptCharges: true,
        pbxConnectionProfile: { ...profile, apiKey: canary },
        ...more,
      };
      project.writeYaml({ resources: { shop: { type: "reseller:Customer", properties } } });
    };
    shop();
    simulator.arm({ method: "POST", path: "/customers", action: "cut-after" });
    let output = await project.failUp();
    expect(output).toContain("its creation was sent but not confirmed");
    output += await project.failUp();
    expect(writes(simulator)).toHaveLength(1);
    const [charge] = simulator.charges();
    shop({ adopt: charge?.tenantId });
    output += await project.up("--diff");
    expect(writes(simulator)).toHaveLength(1);
    output += await project.up("--expect-no-changes");

    const files = readdirSync(project.backend, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    expect([...files, output].filter((text) => text.includes(canary))).toEqual([]);
    expect(files.filter((text) => text.includes("wss://a.example"))).not.toEqual([]);
  }));

test("an interrupt lets the POST that was sent finish, and records it", () =>
  inYaml(
    async (project, simulator) => {
      project.declare({ acme: { ...acme, acceptCharges: true } });
      const { child, ended } = project.start("up", "--yes", "--skip-preview");
      while (simulator.charges().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      child.kill("SIGINT");
      await ended;
      expect((await project.state())["acme"]?.id).toBe(simulator.accounts()[0]?.id);
      await project.up();
      expect(simulator.charges()).toHaveLength(1);
      expect(writes(simulator)).toHaveLength(1);
    },
    { latencyMs: 1_500 },
  ));

test("a stack is moved from dynamic resources without a write, and what import cannot read is one PATCH", () =>
  inYaml(async (project, simulator) => {
    const unread = { countryCode: "NL", timezone: "Europe/Amsterdam" };
    const globex = { name: "Globex", description: "Voice", reference: "CRM-7", acceptCharges: true };
    await using before = await Project.packed(settingsOf(simulator));
    before.declare({ acme: { ...acme, ...unread, acceptCharges: true }, globex });
    await before.up();
    simulator.clearRequests();

    const resources = Object.entries(await before.state()).map(([name, { id }]) => {
      return { type: "reseller:index:Account", name, id };
    });
    project.write("accounts.json", JSON.stringify({ resources }));
    const importing = ["import", "--file", "accounts.json", "--out", "accounts.yaml", "--yes", "--skip-preview"];
    expect(await project.succeed(...importing)).toContain("= 2 imported");
    const code = readFileSync(join(project.folder, "accounts.yaml"), "utf8");
    project.writeYaml(code);
    await project.succeed("preview", "--expect-no-changes");
    await before.succeed("stack", "rm", "--force", "--yes", "dev");
    await project.refresh("--expect-no-changes");
    expect(writes(simulator)).toEqual([]);

    const program = parse(code) as { resources: Record<string, { properties: object }> };
    Object.assign(program.resources["acme"]?.properties ?? {}, unread, { acceptCharges: true });
    project.writeYaml(program);
    await project.up();
    const [id = ""] = resources.filter(({ name }) => name === "acme").map((resource) => resource.id);
    expect(writes(simulator)).toEqual([patch(id, unread)]);
    expect(simulator.charges()).toHaveLength(2);
  }));

test("`pulumi do` lists the accounts", () =>
  inYaml(
    async (project, simulator) => {
      const plugin = join(root, "provider/plugin/pulumi-resource-reseller");
      const list = ["do", "--package", plugin, "reseller:Account", "list"];
      const listed = JSON.parse(await project.succeed(...list)) as object;
      expect(listed).toEqual(simulator.accounts().map(({ id, name }) => ({ id, name })));
      const counted = await project.succeed(...list, "--count", "2", "--name-prefix", "Reseller");
      expect(JSON.parse(counted)).toHaveLength(2);
      expect(writes(simulator)).toEqual([]);
    },
    { seedAccounts: 3 },
  ));
