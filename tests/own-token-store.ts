import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// No test may see, or touch, the sign-ins of the person who runs it.
const folder = join(tmpdir(), `reseller-test-store-${randomUUID()}`);
process.env["RESELLER_TOKEN_STORE"] = join(folder, "tokens.db");
process.once("exit", () => {
  rmSync(folder, { recursive: true, force: true });
});
