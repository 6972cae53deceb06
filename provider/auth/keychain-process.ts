import { randomBytes } from "node:crypto";
import { Entry } from "@napi-rs/keyring";

/** Prints the key of the token store, as hexadecimal digits; with the argument `create`, a new one where there is none. */

// The other store of Linux, the kernel's, forgets at a restart.
const entry = new Entry("pulumi-reseller", "token store", { linux: { store: "secret-service" } });
// Read again after writing: another process may have made one at the same moment, and the keychain's word counts.
if (process.argv[2] === "create" && entry.getSecret() === null) entry.setSecret(randomBytes(32));
const key = entry.getSecret();
if (key === null) throw new Error("it does not hold the key of the token store");
process.stdout.write(Buffer.from(key).toString("hex"));
