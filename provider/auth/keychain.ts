import { execFile, type ExecFileException } from "node:child_process";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { join } from "node:path";
import { isSea } from "node:sea";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Encrypts what the token store keeps with a key that only the keychain of the operating system holds: macOS Keychain,
 * Windows Credential Manager, or the Secret Service of a Linux desktop. Never replaced by plain text.
 */
export interface Keychain {
  seal(text: string, about: string): Promise<Buffer>;
  open(sealed: Buffer, about: string): Promise<string>;
}

const algorithm = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;
/** Long enough to type a password into the dialog that unlocks a keychain. */
const deadlineMs = 60_000;

export class SystemKeychain implements Keychain {
  #key: Promise<Buffer> | undefined;

  constructor(private readonly waitMs = deadlineMs) {}

  async seal(text: string, about: string): Promise<Buffer> {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, await this.#obtain(true), iv).setAAD(Buffer.from(about));
    const content = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), content]);
  }

  async open(sealed: Buffer, about: string): Promise<string> {
    const decipher = createDecipheriv(algorithm, await this.#obtain(false), sealed.subarray(0, ivBytes))
      .setAAD(Buffer.from(about))
      .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]).toString("utf8");
  }

  #obtain(create: boolean): Promise<Buffer> {
    this.#key ??= this.#ask(create).catch((error: unknown) => {
      this.#key = undefined;
      throw error;
    });
    return this.#key;
  }

  /** In a process of its own: the call blocks, for ever where the keychain waits for somebody, and a process can be ended. */
  async #ask(create: boolean): Promise<Buffer> {
    if (isSea()) throw new Error("a plugin that is one executable cannot open it; use one from a checkout");
    const script = join(__dirname, "keychain-process.js");
    const asked = run(process.execPath, [script, ...(create ? ["create"] : [])], { timeout: this.waitMs });
    try {
      return Buffer.from((await asked).stdout, "hex");
    } catch (error) {
      const { killed, stderr } = error as ExecFileException & { stderr: string };
      throw new Error(killed ? `it did not answer within ${this.waitMs / 1000} seconds` : said(stderr), {
        cause: error,
      });
    }
  }
}

/** The message of what a process died of, out of what it printed. */
function said(stderr: string): string {
  return /^(?:\w*Error): (.*)$/m.exec(stderr)?.[1] ?? "it could not be asked";
}
