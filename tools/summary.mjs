// Adds up what the test runs wrote and prints it as the last line.
import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../.tools/results/", import.meta.url);
const total = { passed: 0, failed: 0, skipped: 0 };
for (const name of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  const result = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
  total.passed += result.numPassedTests;
  // A file that does not even load runs no test, and must not pass for that.
  total.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  total.skipped += result.numPendingTests + result.numTodoTests;
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
