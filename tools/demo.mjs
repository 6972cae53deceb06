// Runs the quick start against a simulator with the real Pulumi engine, each command shown before it runs.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const { startSimulator } = createRequire(import.meta.url)("../lib/simulator/index.js");
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "reseller-demo-"));
const simulator = await startSimulator();

// Nothing of the person's own Pulumi or reseller settings: the demonstration must not reach a real service or state.
const own = Object.entries(process.env).filter(([name]) => !/^(PULUMI|RESELLER)_/.test(name));
const settings = {
  RESELLER_BASE_URL: simulator.baseUrl,
  RESELLER_ACCESS_TOKEN: simulator.accessToken,
  PULUMI_BACKEND_URL: `file://${folder}`,
  PULUMI_HOME: join(folder, "home"),
  PULUMI_CONFIG_PASSPHRASE: "demo",
  PULUMI_SKIP_UPDATE_CHECK: "true",
};
const env = { ...Object.fromEntries(own), ...settings };

const strong = (text) => (process.stdout.isTTY ? `\x1b[1m${text}\x1b[0m` : text);
const say = (text) => console.log(`\n${strong(`# ${text}`)}`);

function run(command, { quiet = false } = {}) {
  if (!quiet) console.log(strong(`$ ${command}`));
  const [program, ...args] = command.split(" ");
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", quiet ? "pipe" : "inherit", "inherit"] });
    let output = "";
    child.stdout?.on("data", (text) => (output += text));
    child.on("error", reject);
    child.on("exit", (code, signal) =>
      code === 0
        ? resolve(output.trim())
        : reject(new Error(`\`${command}\` ended with ${signal ?? `exit code ${code}`}`)),
    );
  });
}

// The engine keeps the stack's encryption salt beside Pulumi.yaml; one of an earlier run would not fit this passphrase.
const stackFile = join(root, "Pulumi.demo.yaml");
rmSync(stackFile, { force: true });

try {
  say(`A simulator of the service runs at ${simulator.baseUrl}; the program is examples/quickstart/index.ts`);
  await run("pulumi stack init demo");
  say("Create what the program declares");
  await run("pulumi up --yes");
  await run("pulumi stack output");

  const id = await run("pulumi stack output acmeTenantId", { quiet: true });
  say("Someone changes Acme behind Pulumi's back");
  const change = JSON.stringify({ description: "Edited in the portal" });
  const address = `${simulator.baseUrl}/_simulator/accounts/${id}`;
  console.log(strong(`$ curl -X PATCH ${address} -H content-type:application/json -d '${change}'`));
  await fetch(address, { method: "PATCH", headers: { "content-type": "application/json" }, body: change });

  say("The drift, property by property");
  await run("pulumi preview --diff --refresh");
  say("Repair it");
  await run("pulumi up --yes --refresh");
  say("Remove everything");
  await run("pulumi destroy --yes");

  const charges = simulator.charges().length;
  say(`Done. The service charged for ${charges} accounts; the program declares 2.`);
  if (charges !== 2) throw new Error(`${charges} charges for 2 declared accounts`);
} catch (error) {
  console.error(`\ndemo: ${error.message}`);
  process.exitCode = 1;
} finally {
  await simulator.close();
  rmSync(stackFile, { force: true });
  rmSync(folder, { recursive: true, force: true });
}
