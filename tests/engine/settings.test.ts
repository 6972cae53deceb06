import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join, sep } from "node:path";
import { type Simulator, startSimulator } from "../../simulator";
import { Project } from "./support/project";
import { post, remove, writes } from "./support/requests";

/** Where the settings come from, what is said when they do not work, and that the token stays secret. */

jest.setTimeout(240_000);

const canary = "canary-token-8c1f0f6d2b";
const acme = { name: "Acme Telecom", acceptCharges: true };

let simulator: Simulator;
let project: Project;

beforeAll(async () => {
  simulator = await startSimulator({ accessToken: canary });
  project = await Project.packed({});
  project.declare({ acme });
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await simulator.close();
});

beforeEach(() => {
  simulator.clearRequests();
});

/** The lines of the engine's diagnostics that carry an error of this package. */
function errorsIn(output: string): string[] {
  const lines = output.split("\n").map((line) => line.trim());
  return lines.filter((line) => line.startsWith("error: Could not"));
}

test("without a token, one line says which setting is missing and how to set it", async () => {
  await project.succeed("config", "set", "reseller:baseUrl", simulator.baseUrl);
  expect(errorsIn(await project.failUp())).toEqual([
    `error: Could not read the settings: nobody is signed in to ${simulator.baseUrl} (profile default), and no token is set. Run: npx pulumi-reseller login, or set $RESELLER_ACCESS_TOKEN or $RESELLER_REFRESH_TOKEN. Nothing was sent.`,
  ]);
  expect(await project.state()).toEqual({});
  expect(simulator.requests()).toEqual([]);
});

test("when the service rejects the token, each account says so in one line of its own", async () => {
  project.env["RESELLER_ACCESS_TOKEN"] = "rejected";
  project.declare({ acme, globex: { name: "Globex Voice", acceptCharges: true } });
  const rejected =
    "error: Could not list the accounts: the service answered 401: the access token is missing, invalid or expired. Get a new access token and set $RESELLER_ACCESS_TOKEN (it lives for one hour), then run again.";
  expect(errorsIn(await project.failUp())).toEqual([rejected, rejected]);
  expect(writes(simulator)).toEqual([]);
  expect(await project.state()).toEqual({});
  delete project.env["RESELLER_ACCESS_TOKEN"];
  project.declare({ acme });
});

test("a token in secret configuration works, and is written nowhere in plain text", async () => {
  await project.succeed("config", "set", "--secret", "reseller:accessToken", canary);
  const { code, output } = await project.run("up", "--yes", "--skip-preview", "--logtostderr", "-v=9");
  expect(code).toBe(0);
  expect(writes(simulator)).toEqual([post({ name: "Acme Telecom", enabled: true, reference: "demo/dev/acme" })]);
  const files = [...filesBelow(project.backend), ...filesBelow(project.folder)];
  expect(files.some((file) => file.endsWith("dev.json"))).toBe(true);
  expect(files.filter((file) => readFileSync(file, "utf8").includes(canary))).toEqual([]);
  // At this verbosity the engine itself logs what it configures any provider with. Nothing else may show it.
  const telling = output.split("\n").filter((line) => line.includes(canary));
  const configuring = /Marshaling property for RPC\[Provider\[\w+\]\.Configure\(\)\.inputs\]: value=\{/;
  expect(telling.filter((line) => !configuring.test(line))).toEqual([]);
});

test("while the service is down, one line says so and the state stays as it was", async () => {
  const before = await project.state();
  project.env["RESELLER_BASE_URL"] = await closedAddress();
  project.declare({ acme: { ...acme, description: "Changed" } });
  expect(errorsIn(await project.failUp())).toEqual([
    `error: Could not list the accounts: nothing answers (connection refused) at ${project.env["RESELLER_BASE_URL"]}. Check reseller:baseUrl, the network and the proxy settings, then run again.`,
  ]);
  expect(await project.state()).toEqual(before);
  expect(Object.keys(before)).toEqual(["acme"]);
  delete project.env["RESELLER_BASE_URL"];
});

test("refresh and destroy work without the program, with the settings in the stack", async () => {
  const [account] = simulator.accounts();
  rmSync(join(project.folder, "index.ts"));
  await project.refresh("--expect-no-changes");
  await project.destroy();
  expect(writes(simulator)).toEqual([remove(account?.id ?? "none")]);
  expect(await project.state()).toEqual({});
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.split(sep).includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** An address of this machine at which nothing listens. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
