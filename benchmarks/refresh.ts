/**
 * What looking for drift costs on the real engine, after make tools build: node -r ts-node/register/transpile-only
 * benchmarks/refresh.ts [accounts], 1,000 by default. State is written, not earned by creating them.
 */
import { randomUUID } from "node:crypto";
import { startSimulator } from "../simulator";
import { Project, settingsOf, type StateRecord } from "../tests/engine/support/project";

interface Export {
  version: number;
  deployment: { resources: StateRecord[] };
}

async function main(): Promise<void> {
  const count = Number(process.argv[2] ?? 1_000);
  await using simulator = await startSimulator();
  await using project = await Project.packed(settingsOf(simulator));
  const argumentsOf = (index: number) => ({
    name: `Reseller ${index}`,
    reference: `CRM-${index}`,
    acceptCharges: true,
  });

  project.declare({ account0: argumentsOf(0) });
  await project.up();
  const state = JSON.parse(await project.succeed("stack", "export")) as Export;
  const made = state.deployment.resources.find(({ inputs }) => inputs?.["reference"] === "CRM-0");
  if (made === undefined) throw new Error("The first account is not in state.");
  for (let index = 1; index < count; index++) {
    const { id } = simulator.seedAccount({ id: randomUUID(), name: `Reseller ${index}`, reference: `CRM-${index}` });
    state.deployment.resources.push(
      JSON.parse(
        JSON.stringify({ ...made, id, urn: made.urn.replace("account0", `account${index}`) })
          .replaceAll("Reseller 0", `Reseller ${index}`)
          .replaceAll("CRM-0", `CRM-${index}`),
      ) as StateRecord,
    );
  }
  project.write("state.json", JSON.stringify(state));
  await project.succeed("stack", "import", "--file", "state.json");
  project.declare(
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`account${index}`, argumentsOf(index)])),
  );

  for (const [command = "", ...options] of [
    ["refresh", "--yes", "--skip-preview", "--expect-no-changes"],
    ["preview", "--refresh", "--expect-no-changes"],
  ]) {
    simulator.clearRequests();
    const started = performance.now();
    await project.succeed(command, ...options);
    const seconds = (performance.now() - started) / 1_000;
    process.stdout.write(
      `${[command, ...options].join(" ")}: ${count.toLocaleString("en")} accounts, ` +
        `${simulator.requests().length} requests, ${seconds.toFixed(1)} s\n`,
    );
  }
}

void main();
