import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type EntryKey, entryKey, type SignIn } from "../../../provider/auth/entry";
import { TokenStore } from "../../../provider/auth/store";
import { systemClock } from "../../../provider/clock";
import type { Simulator } from "../../../simulator";

export const lib = resolve(__dirname, "../../../lib");

/** A token store of its own with one sign-in, and processes that use it. */
export class SharedStore implements Disposable {
  readonly folder: string;
  readonly path: string;
  readonly store: TokenStore;
  readonly #children: ChildProcess[] = [];

  constructor(
    readonly key: EntryKey,
    /** Where its folder is made. */
    parent = tmpdir(),
  ) {
    this.folder = mkdtempSync(join(parent, "reseller-store-"));
    this.path = join(this.folder, "tokens.db");
    this.store = new TokenStore(this.path, systemClock);
  }

  async keep(signIn: Partial<SignIn> & Pick<SignIn, "refreshToken">): Promise<void> {
    const whole = {
      authUrl: "http://127.0.0.1:1",
      clientSecret: "secret",
      usedAt: Date.now(),
      rotates: true,
      ...signIn,
    };
    await this.store.exclusively("test", (transaction) =>
      transaction.write({ key: this.key, keychain: false, signIn: whole }),
    );
  }

  async signIn(): Promise<SignIn> {
    const entry = await this.store.read(this.key);
    if (!entry) throw new Error("the sign-in is gone");
    return entry.signIn;
  }

  /** Another process, running a script of this folder once it has been loaded. */
  start(script: string): ChildProcess {
    const child = spawn(process.execPath, [join(__dirname, script), lib, this.path, JSON.stringify(this.key)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#children.push(child);
    return child;
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What the simulator's sign-in is known by. */
export function keyOf({ baseUrl, clientId }: Simulator): EntryKey {
  return entryKey({ profile: "default", baseUrl, clientId });
}

/** Everything a process prints until it ends. */
export async function ending(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

/** Resolves with the first thing that a process prints. */
export async function firstWord(child: ChildProcess): Promise<void> {
  if (child.stdout) await once(child.stdout, "data");
}
