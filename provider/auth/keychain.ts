import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { AsyncEntry } from "@napi-rs/keyring";

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

  async #ask(create: boolean): Promise<Buffer> {
    const signal = AbortSignal.timeout(this.waitMs);
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => {
        reject(new Error(`it did not answer within ${this.waitMs / 1000} seconds`));
      });
    });
    return Promise.race([late, keyIn(await systemEntry(), create, signal)]);
  }
}

async function systemEntry(): Promise<AsyncEntry> {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  // The other store of Linux, the kernel's, forgets at a restart.
  return new AsyncEntry("pulumi-reseller", "token store", { linux: { store: "secret-service" } });
}

async function keyIn(entry: AsyncEntry, create: boolean, signal: AbortSignal): Promise<Buffer> {
  const kept = await entry.getSecret(signal);
  if (kept !== null) return Buffer.from(kept);
  if (!create) throw new Error("it does not hold the key of the token store");
  await entry.setSecret(randomBytes(32), signal);
  // Another process may have made one at the same moment: what the keychain says now is the key.
  return Buffer.from((await entry.getSecret(signal)) ?? []);
}
