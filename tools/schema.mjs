// Writes schema.json from the field declarations and docs/examples; with --check says whether the committed file still
// matches them.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const { version } = require("../package.json");
const { packageSchema } = require("../lib/provider/schema/package-schema.js");
const { readExamples } = require("../lib/provider/schema/examples.js");

const examples = readExamples(fileURLToPath(new URL("../docs/examples", import.meta.url)));
const file = new URL("../schema.json", import.meta.url);
const made = `${JSON.stringify(packageSchema(version, examples), null, 2)}\n`;

if (process.argv.includes("--check")) {
  let committed = "";
  try {
    committed = readFileSync(file, "utf8");
  } catch {
    // Missing counts as different.
  }
  if (committed !== made) {
    console.error(
      "schema.json does not match the field declarations and examples\n  remedy: run `make schema` and commit the result",
    );
    process.exit(1);
  }
} else {
  writeFileSync(file, made);
}
