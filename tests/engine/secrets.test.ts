import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator } from "../../simulator";
import { Project } from "./support/project";

jest.setTimeout(180_000);

const clientSecret = "canary-client-secret-51c0";
const apiKey = "canary-api-key-9e7d";

// At its highest verbosity the engine prints what it sends to and receives from any provider or program.
const engineTrace = /(?:[Mm]arshaling property for RPC|RegisterResource RPC finished)/;

test("with a refresh token from the environment, no secret is written or logged in plain text, at any verbosity", async () => {
  await using simulator = await startSimulator({ clientSecret });
  const { baseUrl, authUrl, refreshToken, clientId } = simulator;
  await using project = await Project.packed({
    RESELLER_BASE_URL: baseUrl,
    RESELLER_AUTH_URL: authUrl,
    RESELLER_REFRESH_TOKEN: refreshToken,
    RESELLER_CLIENT_ID: clientId,
    RESELLER_CLIENT_SECRET: clientSecret,
  });
  const profile = { kind: "Example", hostRest: "https://a.example", hostWebsocket: "wss://a.example", accountId: "1" };
  project.write(
    "index.ts",
    `import * as reseller from "pulumi-reseller";
new reseller.Account("acme", { name: "Acme Telecom", acceptCharges: true });
new reseller.Customer("shop", {
  name: "Shop",
  acceptCharges: true,
  pbxConnectionProfile: ${JSON.stringify(profile).slice(0, -1)}, apiKey: process.env.PBX_KEY! },
});
`,
  );
  project.env["PBX_KEY"] = apiKey;

  const output = await project.up("--logtostderr", "-v=9");
  const { output: again } = await project.run("refresh", "--yes", "--skip-preview", "--logtostderr", "-v=9");

  // One request for a token for all runs of an hour, made as the service document has it.
  const asked = simulator.requests().filter(({ path }) => path === "/connect/token");
  expect(asked.map(({ method }) => method)).toEqual(["POST"]);
  expect(asked[0]?.headers["content-type"]).toContain("application/x-www-form-urlencoded");
  expect(asked[0]?.body).toMatchObject({ grant_type: "refresh_token", client_id: clientId });
  expect(simulator.charges()).toHaveLength(2);

  const lines = `${output}\n${again}`.split("\n");
  for (const secret of [clientSecret, refreshToken]) {
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  }
  expect(lines.filter((line) => line.includes(apiKey) && !engineTrace.test(line))).toEqual([]);
  const files = readdirSync(project.backend, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  expect(files.length).toBeGreaterThan(0);
  for (const secret of [clientSecret, refreshToken, apiKey]) {
    expect(files.filter((text) => text.includes(secret))).toEqual([]);
  }
});
