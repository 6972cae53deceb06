import { type Command, InvalidArgumentError, Option } from "commander";
import { describeSimulator, startSimulator } from "../simulator";

interface Choices {
  port: number;
  data?: string;
  seedAccounts: number;
  seedInvoices: number;
  latency: number;
  customers: "create-only" | "full";
}

/** `pulumi-reseller simulate`: the whole service on this machine, to try programs against. */
export function addSimulate(program: Command): void {
  program
    .command("simulate")
    .description("Run a simulator of the whole service on 127.0.0.1, until interrupted. Nothing leaves this machine.")
    .option("--port <number>", "port to listen on; 0 takes a free one", wholeNumber, 4010)
    .option("--data <file>", "JSON file that keeps what the simulator holds between runs")
    .option("--seed-accounts <count>", "accounts that exist at the start", wholeNumber, 0)
    .option("--seed-invoices <count>", "invoices that exist", wholeNumber, 0)
    .option("--latency <ms>", "milliseconds before each answer", wholeNumber, 0)
    .addOption(
      new Option("--customers <kind>", "which customer endpoints there are")
        .choices(["create-only", "full"])
        .default("create-only"),
    )
    .action(async ({ latency, ...choices }: Choices) => {
      const simulator = await startSimulator({ ...choices, latencyMs: latency }).catch((error: unknown) => {
        const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
        throw taken
          ? new Error(`port ${choices.port} is in use; name another with --port, or 0 for a free one`)
          : error;
      });
      process.stdout.write(`${describeSimulator(simulator).join("\n")}\n`);
      const stop = () => void simulator.close();
      process.once("SIGINT", stop).once("SIGTERM", stop);
    });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
