import { createRequire } from "node:module";
import { join } from "node:path";

export const requireHere = createRequire(import.meta.url);

/** The arguments with which node starts every program. */
export const preload = ["--require", requireHere.resolve("./preload.cjs")];

/** The file of a module as the program would load it; this repository's own copy if the program has none. */
export function resolveFor(programDirectory, name) {
  try {
    return createRequire(join(programDirectory, "program.js")).resolve(name);
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    return requireHere.resolve(name);
  }
}
