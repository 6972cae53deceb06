#!/usr/bin/env node
import { Command } from "commander";
import { addDrift } from "./drift";
import { addImport } from "./import";
import { addLogin } from "./login";
import { addLogout } from "./logout";
import { addSimulate } from "./simulate";
import { addStatus } from "./status";
import { messageOf } from "./text";
import { addToken } from "./token";

const program = new Command("pulumi-reseller")
  .description("Companion of the Pulumi provider for reseller accounts.")
  .showHelpAfterError();
addLogin(program);
addStatus(program);
addLogout(program);
addToken(program);
addImport(program);
addDrift(program);
addSimulate(program);

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`pulumi-reseller: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
