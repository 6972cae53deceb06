import { fstatSync } from "node:fs";

/** Calls back when the engine that started this process is gone. */
export function onEngineGone(callback) {
  const input = fstatSync(0);
  // The engine holds a pipe to its plugins open for as long as it lives; a terminal or /dev/null says nothing.
  if (input.isFIFO() || input.isSocket()) process.stdin.on("close", callback).on("error", callback).resume();
}
