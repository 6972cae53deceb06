import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../engine/support/installed";
import { killTree, type Run, type Running, start } from "../../engine/support/processes";

/** A person's terminal with a token store of its own. Nothing opens by itself. */
export class Terminal implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "reseller-terminal-"));
  readonly env: Record<string, string>;
  readonly #running = new Set<Running>();

  constructor(settings: Record<string, string> = {}) {
    this.env = {
      PATH: process.env["PATH"] ?? "",
      HOME: this.folder,
      BROWSER: "/bin/true",
      RESELLER_TOKEN_STORE: join(this.folder, "tokens.db"),
      ...settings,
    };
  }

  start(...args: string[]): Running {
    const options = { cwd: this.folder, env: this.env, stdin: "pipe" } as const;
    const running = start(process.execPath, [join(root, "lib/cli/main.js"), ...args], options);
    this.#running.add(running);
    void running.ended.finally(() => this.#running.delete(running));
    return running;
  }

  async run(...args: string[]): Promise<Run> {
    const running = this.start(...args);
    running.child.stdin?.end();
    return running.ended;
  }

  /** Starts a login. @returns it, and the address that it asks the person to visit */
  async login(...args: string[]): Promise<{ running: Running; address: string }> {
    const running = this.start("login", ...args);
    let printed = "";
    const address = new Promise<string>((resolve, reject) => {
      running.child.stderr?.on("data", (text: string) => {
        printed += text;
        const found = /^ {2}(http:\S+)$/m.exec(printed)?.[1];
        if (found !== undefined) resolve(found);
      });
      void running.ended.then(({ output }) => {
        reject(new Error(`login ended before it named an address:\n${output}`));
      });
    });
    return { running, address: await address };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child, ended } of this.#running) {
      if (child.pid !== undefined) await killTree(child.pid);
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
