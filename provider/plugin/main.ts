#!/usr/bin/env node
import { fstatSync } from "node:fs";
import { serve } from "./server";

// A stray rejection must not end the process while requests of others are under way: each of those answers by itself.
process.on("unhandledRejection", (reason) => {
  process.stderr.write(`${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}\n`);
});

// The engine holds a pipe to its plugins open for as long as it lives; a terminal or /dev/null says nothing.
const input = fstatSync(0);
if (input.isFIFO() || input.isSocket()) process.stdin.on("close", () => process.exit()).resume();

// Flags for logging and tracing may come first. Without an address somebody attaches later.
const engineAddress = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));

void serve(engineAddress).then(({ port }) => {
  // The engine reads one line from here and nothing else.
  process.stdout.write(`${port}\n`);
});
