import { type Simulator, startSimulator } from "../../simulator";
import { Terminal } from "../browser/support/cli";
import { freeAddress } from "../free-address";
import { Project } from "./support/project";

/** After one login the stack needs an address and nothing else. Rotation and reuse detection are on throughout. */

jest.setTimeout(240_000);

const acme = { name: "Acme Telecom", acceptCharges: true };
const globex = { name: "Globex Voice", acceptCharges: true };

let simulator: Simulator;
let project: Project;
let onRequest: () => void;

beforeAll(async () => {
  simulator = await startSimulator({
    autoApprove: true,
    rotateRefreshTokens: true,
    onRequest: ({ method }) => {
      if (method === "POST") onRequest();
    },
  });
  onRequest = () => undefined;
  project = await Project.packed({});
  await project.succeed("config", "set", "reseller:baseUrl", simulator.baseUrl);
  await signIn();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await simulator.close();
});

beforeEach(() => {
  simulator.clearRequests();
});

/** A real login; a fetch plays the browser, and the portal approves at once. */
async function signIn(): Promise<void> {
  const { RESELLER_TOKEN_STORE: store = "" } = project.env;
  const settings = { RESELLER_TOKEN_STORE: store, RESELLER_CLIENT_SECRET: simulator.clientSecret };
  await using terminal = new Terminal(settings);
  const { baseUrl, authUrl, clientId } = simulator;
  const flags = ["--base-url", baseUrl, "--auth-url", authUrl, "--client-id", clientId];
  const { running, address } = await terminal.login(...flags, "--redirect-uri", await freeAddress());
  await (await fetch(address)).text();
  expect(await running.ended).toMatchObject({ code: 0 });
}

/** How the token endpoint answered since the test began. */
const grants = () => simulator.requests({ path: "/connect/token" }).map(({ status }) => status);
const refusals = () => simulator.requests({ path: "/api/", status: 401 });

test("up, preview, refresh and destroy work, with no token request while the access token is good", async () => {
  project.declare({ acme });
  await project.up();
  await project.succeed("preview", "--expect-no-changes");
  await project.refresh("--run-program=false", "--expect-no-changes");
  await project.destroy();
  expect(simulator.charges()).toHaveLength(1);
  expect(grants()).toEqual([]);
  expect(refusals()).toEqual([]);
});

test("tokens in configuration, which go stale in state, never win over the sign-in", async () => {
  const stale = { accessToken: "stale-access", refreshToken: "stale-refresh", clientSecret: "stale-secret" };
  for (const [name, value] of Object.entries(stale)) {
    await project.succeed("config", "set", "--secret", `reseller:${name}`, value);
  }
  await project.succeed("config", "set", "reseller:authUrl", simulator.authUrl);
  await project.up();
  await project.destroy();
  expect(grants()).toEqual([]);
  expect(refusals()).toEqual([]);
  for (const name of [...Object.keys(stale), "authUrl"]) await project.succeed("config", "rm", `reseller:${name}`);
});

test("access tokens that end in the middle of a run cost one token request, and no second charge", async () => {
  const before = simulator.charges().length;
  project.declare({ acme, globex });
  onRequest = () => {
    onRequest = () => undefined;
    simulator.revokeAccessTokens();
  };
  await project.up();
  expect(refusals()).not.toEqual([]);
  expect(grants()).toEqual([200]);
  expect(simulator.charges()).toHaveLength(before + 2);
});

test("a program that reads and a provider that writes share one token, however often it ends", async () => {
  project.write(
    "index.ts",
    `import * as reseller from "pulumi-reseller";
new reseller.Account("acme", ${JSON.stringify({ ...acme, description: "Changed" })});
new reseller.Account("globex", ${JSON.stringify(globex)});
export const names = reseller.getAccountsOutput().accounts.apply((all) => all.map(({ name }) => name));
`,
  );
  for (const command of [() => project.up(), () => project.plan(), () => project.destroy()]) {
    simulator.clearRequests();
    simulator.revokeAccessTokens();
    await command();
    expect(grants()).toEqual([200]);
  }
  expect(await project.state()).toEqual({});
  const enabled = simulator.accounts().filter((account) => account.enabled);
  expect(enabled).toEqual([]);
});
