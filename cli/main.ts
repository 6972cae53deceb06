#!/usr/bin/env node
import { Command } from "commander";
import { addSimulate } from "./simulate";

const program = new Command("pulumi-reseller")
  .description("Companion of the Pulumi provider for reseller accounts.")
  .showHelpAfterError();
addSimulate(program);

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`pulumi-reseller: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
