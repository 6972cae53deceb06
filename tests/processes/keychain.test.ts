import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Simulator, startSimulator } from "../../simulator";
import { keyOf, lib, SharedStore } from "./support/store";

/** The real Secret Service of a Linux desktop, in a session of its own. */

jest.setTimeout(180_000);

const run = promisify(execFile);
const present = ["gnome-keyring-daemon", "dbus-run-session"].every((name) => spawnSync("which", [name]).status === 0);
const withKeyring = present ? test : test.skip;

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.close());

/** Runs commands of the CLI one after the other, with a keyring or without. @returns what they printed */
async function commands(shared: SharedStore, lines: string[], session: boolean): Promise<string> {
  const home = join(shared.folder, "home");
  await mkdir(home, { recursive: true, mode: 0o700 });
  const env = { PATH: process.env["PATH"], HOME: home, XDG_RUNTIME_DIR: home, RESELLER_TOKEN_STORE: shared.path };
  const unlock = "printf pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1";
  const cli = lines.map((line) => `${process.execPath} ${join(lib, "cli/main.js")} ${line} 2>&1`);
  const script = [...(session ? [unlock] : []), ...cli].join("; ");
  const shell = ["sh", "-c", `${script}; true`];
  const [command = "", ...args] = session ? ["dbus-run-session", "--", ...shell] : shell;
  return (await run(command, args, { env, cwd: shared.folder })).stdout;
}

withKeyring("a sign-in encrypted with the keychain works with it, and is of no use without it", async () => {
  using shared = new SharedStore(keyOf(simulator));
  using plain = new SharedStore(keyOf(simulator));
  const { authUrl, clientSecret, refreshToken } = simulator;
  await plain.keep({ authUrl, clientSecret, refreshToken });
  const [exported = ""] = (await commands(plain, ["token export"], false)).split("\n");
  writeFileSync(join(shared.folder, "exported"), exported);

  const output = await commands(shared, ["token import --keychain < exported", "token refresh", "status --json"], true);
  expect(output).toContain("Imported: ");
  expect(output).toContain("Renewed: ");
  expect(JSON.parse(output.slice(output.indexOf("{")))).toMatchObject({ signIns: [{ keychain: true, problem: null }] });
  const nothingReadable = () => {
    for (const file of [shared.path, `${shared.path}-journal`]) {
      for (const secret of [refreshToken, clientSecret]) expect(readFileSync(file, "latin1")).not.toContain(secret);
    }
  };
  nothingReadable();

  simulator.clearRequests();
  const without = await commands(shared, ["status", "token refresh"], false);
  expect(without).toMatch(/works now +no: Could not use the keychain of the operating system: /);
  expect(without).toContain("with or without --keychain");
  expect(simulator.requests()).toEqual([]);
  nothingReadable();
  expect(await commands(shared, ["status"], true)).toMatch(/works now +yes/);
});

test("a keychain that never answers is not waited for without end", async () => {
  using shared = new SharedStore(keyOf(simulator));
  const address = join(shared.folder, "bus");
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(address, resolve));
  const program = `
    const { SystemKeychain } = require(${JSON.stringify(join(lib, "provider/auth/keychain"))});
    new SystemKeychain(500).seal("text", "about").catch((error) => process.stdout.write(error.message));`;
  const env = { PATH: process.env["PATH"], DBUS_SESSION_BUS_ADDRESS: `unix:path=${address}` };
  const { stdout } = await run(process.execPath, ["-e", program], { env, timeout: 30_000 });
  silent.close();
  expect(stdout).toBe("it did not answer within 0.5 seconds");
});
