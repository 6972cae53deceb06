import { LocalWorkspace } from "@pulumi/pulumi/automation";
import * as reseller from "pulumi-reseller-native";

/** One account and one customer, declared in TypeScript on the generated SDK, through the Automation API. */

const program = (description: string) => async () => {
  const acme = new reseller.Account("acme", {
    name: "Acme Telecom",
    description,
    timezone: "Europe/Amsterdam",
    countryCode: "NL",
    acceptCharges: true,
  });
  const shop = new reseller.Customer("shop", {
    name: "Shop",
    pbxConnectionProfile: {
      kind: "Example",
      hostRest: "https://pbx.example",
      hostWebsocket: "wss://pbx.example",
      accountId: "1",
      apiKey: process.env["PBX_KEY"] ?? "",
    },
    acceptCharges: true,
  });
  const found = reseller.getAccountOutput({ id: acme.id }).name;
  const kind = shop.pbxConnectionProfile.apply((profile) => profile?.kind);
  return { id: acme.id, owner: acme.parentTenantId, kind, found };
};

async function main(): Promise<void> {
  const named = { stackName: "dev", projectName: "demo" };
  const stack = await LocalWorkspace.createOrSelectStack({ ...named, program: program("First") });
  await stack.up();
  stack.workspace.program = program("Second");
  const { outputs } = await stack.up();
  const { changeSummary } = await stack.preview();
  await stack.destroy();
  const values = Object.entries(outputs).map(([name, { value }]) => [name, value as unknown]);
  process.stdout.write(JSON.stringify({ outputs: Object.fromEntries(values), changes: changeSummary }));
}

void main();
