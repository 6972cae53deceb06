import { randomBytes } from "node:crypto";
import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../clock";
import { oneLine, TokenStoreError } from "../errors";
import { type Entry, type EntryKey, oneAddress, type SignIn, signInSchema, type Wanted } from "./entry";
import { type Keychain, SystemKeychain } from "./keychain";

/** Where sign-ins are kept: one file of the person, in the configuration folder or where $RESELLER_TOKEN_STORE says. */
export function storePath(environment: Record<string, string | undefined>): string {
  const { RESELLER_TOKEN_STORE: chosen, XDG_CONFIG_HOME: xdg, APPDATA: appData } = environment;
  if (chosen) return chosen;
  const folder = process.platform === "win32" ? appData : xdg;
  return join(folder || join(homedir(), ".config"), "pulumi-reseller", "tokens.db");
}

/** What may be done while no other process changes anything. */
export interface Transaction {
  read(key: EntryKey): Promise<Entry | undefined>;
  write(entry: Entry): Promise<void>;
  remove(key: EntryKey): void;
}

/** Runs one step on the store and says what fails in the store's terms. */
type Explained = <T>(step: () => T) => T;

/** Longer than the two attempts of the process that holds the store while it asks for a token. */
const lockMs = 150_000;
/** Readers wait this long for the moment in which another process commits. */
const busyMs = 5_000;
/**
 * Each sign-in takes a slot of this many bytes, or a multiple, whatever it holds: so that writing it again needs no
 * more room than the write that proved there is room.
 */
const slotBytes = 8 * 1024;

const tables = `CREATE TABLE IF NOT EXISTS sign_ins (
  profile TEXT NOT NULL, base_url TEXT NOT NULL, client_id TEXT NOT NULL,
  keychain INTEGER NOT NULL, slot BLOB NOT NULL,
  PRIMARY KEY (profile, base_url, client_id)) STRICT`;
const where = "profile = ? AND base_url = ? AND client_id = ?";

interface Row {
  profile: string;
  base_url: string;
  client_id: string;
  keychain: number;
  slot: Uint8Array;
}

/**
 * The sign-ins of one person, shared by every process on the machine. A SQLite file: the lock is the operating
 * system's, which takes it from a process that dies, and a write is whole or did not happen.
 */
export class TokenStore {
  constructor(
    readonly path: string,
    private readonly clock: Clock,
    private readonly keychain: Keychain = new SystemKeychain(),
  ) {}

  /** Which sign-ins there are. Nothing is created by asking. @throws TokenStoreError */
  keys(): EntryKey[] {
    return this.#reading("look for a sign-in", [], (database) =>
      (database.prepare("SELECT profile, base_url, client_id FROM sign_ins ORDER BY 1, 2, 3").all() as unknown as Row[])
        // Plain objects: rows of this library have no prototype.
        .map((row) => ({ profile: row.profile, baseUrl: row.base_url, clientId: row.client_id })),
    );
  }

  /** The sign-ins that fit what is wanted. @throws TokenStoreError */
  find({ profile, baseUrl, clientId }: Wanted): EntryKey[] {
    const base = baseUrl === undefined ? undefined : oneAddress(baseUrl);
    return this.keys().filter(
      (key) =>
        (profile === undefined || key.profile === profile) &&
        (base === undefined || key.baseUrl === base) &&
        (clientId === undefined || key.clientId === clientId),
    );
  }

  /** @throws TokenStoreError */
  async read(key: EntryKey): Promise<Entry | undefined> {
    const row = this.#reading("read the sign-in", undefined, (database) => find(database, key));
    return row && this.#entry(row);
  }

  /**
   * Finds out whether this sign-in can be written, before a request whose answer must not be lost: takes the room that
   * the write will need, in the file and in its journal, and leaves what is there as it is.
   * @param keychain whether the keychain will be needed too.
   * @throws TokenStoreError
   */
  async proveWritable(key: EntryKey, keychain = false): Promise<void> {
    await this.#alone("keep a sign-in", async (database, explained) => {
      // With the store held, so that two processes do not both make the first key.
      if (keychain) await this.#withKeychain(() => this.keychain.seal("", ""));
      explained(() => {
        const row = find(database, key);
        put(database, key, row?.keychain ?? 0, randomBytes(row?.slot.length ?? slotBytes));
        if (row) put(database, key, row.keychain, row.slot);
        else drop(database, key);
      });
    });
  }

  /**
   * Runs `work` while no other process can change the store; what it wrote is on the disk when this ends, and nothing
   * of it when it throws.
   * @throws TokenStoreError
   */
  async exclusively<T>(doing: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#alone(doing, (database, explained) =>
      work({
        read: async (key) => {
          const row = explained(() => find(database, key));
          return row && this.#entry(row);
        },
        write: async (entry) => {
          const slot = await this.#slot(entry);
          explained(() => {
            put(database, entry.key, entry.keychain ? 1 : 0, slot);
          });
        },
        remove: (key) => {
          explained(() => {
            drop(database, key);
          });
        },
      }),
    );
  }

  /** Takes the journal off the disk, which may hold what was removed. */
  forgetJournal(): void {
    this.#reading("forget a sign-in", undefined, (database) => {
      database.exec("PRAGMA journal_mode = DELETE");
    });
  }

  #reading<T>(doing: string, otherwise: T, read: (database: DatabaseSync) => T): T {
    if (!existsSync(this.path)) return otherwise;
    const { database, explained } = this.#open(doing, false);
    try {
      return explained(() => read(database));
    } finally {
      database.close();
    }
  }

  async #alone<T>(doing: string, work: (database: DatabaseSync, explained: Explained) => Promise<T>): Promise<T> {
    const { database, explained } = this.#open(doing, true);
    try {
      await this.#begin(doing, database, explained);
      const result = await work(database, explained);
      explained(() => {
        database.exec("COMMIT");
      });
      return result;
    } finally {
      // Closing takes back what was not committed.
      database.close();
    }
  }

  #open(doing: string, create: boolean): { database: DatabaseSync; explained: Explained } {
    let opened: bigint | undefined;
    const explained: Explained = (step) => {
      try {
        return step();
      } catch (cause) {
        throw isCorrupt(cause) ? this.#setAside(doing, opened) : this.#failure(doing, cause);
      }
    };
    const database = explained(() => {
      prepareFile(this.path, create);
      opened = fileNumber(this.path);
      return new (sqlite().DatabaseSync)(this.path, { timeout: busyMs });
    });
    try {
      // The journal stays, zeroed at its head: making it anew could fail on a full disk. EXTRA: durable at once.
      explained(() => {
        database.exec(
          `PRAGMA journal_mode = PERSIST; PRAGMA synchronous = EXTRA; PRAGMA secure_delete = ON; ${tables}`,
        );
      });
    } catch (error) {
      database.close();
      throw error;
    }
    return { database, explained };
  }

  /** Waits without blocking the process, which has other work to do. */
  async #begin(doing: string, database: DatabaseSync, explained: Explained): Promise<void> {
    const started = this.clock.monotonic();
    const taken = () =>
      explained(() => {
        try {
          database.exec("PRAGMA busy_timeout = 0; BEGIN IMMEDIATE");
          return true;
        } catch (cause) {
          if (isBusy(cause)) return false;
          throw cause;
        }
      });
    while (!taken()) {
      if (this.clock.monotonic() - started > lockMs) {
        throw this.#error(
          doing,
          "another process has been holding it for minutes",
          "End that process, then run again.",
        );
      }
      await this.clock.sleep(20 + 30 * this.clock.random());
    }
    database.exec(`PRAGMA busy_timeout = ${busyMs}`);
  }

  async #slot({ key, keychain, signIn }: Entry): Promise<Buffer> {
    const text = JSON.stringify(signIn);
    const content = keychain ? await this.#withKeychain(() => this.keychain.seal(text, JSON.stringify(key))) : text;
    const bytes = Buffer.from(content);
    const slot = Buffer.alloc(slotBytes * Math.ceil((bytes.length + 4) / slotBytes));
    slot.writeUInt32BE(bytes.length, 0);
    bytes.copy(slot, 4);
    return slot;
  }

  async #entry(row: Row): Promise<Entry> {
    const key = { profile: row.profile, baseUrl: row.base_url, clientId: row.client_id };
    const slot = Buffer.from(row.slot);
    const bytes = slot.subarray(4, 4 + slot.readUInt32BE(0));
    const keychain = row.keychain === 1;
    const text = keychain
      ? await this.#withKeychain(() => this.keychain.open(bytes, JSON.stringify(key)))
      : bytes.toString("utf8");
    return { key, keychain, signIn: parse(text) ?? this.#unreadable() };
  }

  async #withKeychain<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw this.#error(
        "use the keychain of the operating system",
        `it cannot be used: ${cause instanceof Error ? oneLine(cause.message, 200) : "unknown reason"}`,
        "Unlock it and run again, or sign in anew: npx pulumi-reseller login, with or without --keychain.",
      );
    }
  }

  #unreadable(): never {
    throw this.#error(
      "read the sign-in",
      "it was written by another version of pulumi-reseller",
      "Sign in again: npx pulumi-reseller login.",
    );
  }

  #failure(doing: string, cause: unknown): TokenStoreError {
    if (cause instanceof TokenStoreError) return cause;
    const said = oneLine(String((cause as { message?: unknown }).message), 200);
    return this.#error(
      doing,
      `it cannot be used (${said})`,
      "Check that the file and its folder are yours, may be written and have room, or name another with $RESELLER_TOKEN_STORE.",
    );
  }

  /** A file that is no store is kept for whoever wants to look, and no longer in the way. */
  #setAside(doing: string, number: bigint | undefined): TokenStoreError {
    const aside = `${this.path}.corrupt-${new Date(this.clock.now()).toISOString().replaceAll(":", "")}`;
    // Not if another process has done so and a new one stands here.
    if (number !== undefined && fileNumber(this.path) === number) {
      // The journal first: beside a new store it would be taken for the new one's.
      if (existsSync(`${this.path}-journal`)) renameSync(`${this.path}-journal`, `${aside}-journal`);
      renameSync(this.path, aside);
    }
    return this.#error(
      doing,
      `it was damaged and has been set aside as ${aside}`,
      "Sign in again: npx pulumi-reseller login.",
    );
  }

  #error(doing: string, said: string, next: string): TokenStoreError {
    return new TokenStoreError(this.path, { doing, said: `the token store ${this.path}: ${said}.`, next });
  }
}

function find(database: DatabaseSync, { profile, baseUrl, clientId }: EntryKey): Row | undefined {
  const select = database.prepare(`SELECT * FROM sign_ins WHERE ${where}`);
  return select.get(profile, baseUrl, clientId) as unknown as Row | undefined;
}

function put(database: DatabaseSync, key: EntryKey, keychain: number, slot: Uint8Array): void {
  // An update in place where there is one: replacing the row would take new pages before it frees the old ones.
  database
    .prepare(
      `INSERT INTO sign_ins (profile, base_url, client_id, keychain, slot) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET keychain = excluded.keychain, slot = excluded.slot`,
    )
    .run(key.profile, key.baseUrl, key.clientId, keychain, slot);
}

function drop(database: DatabaseSync, { profile, baseUrl, clientId }: EntryKey): void {
  database.prepare(`DELETE FROM sign_ins WHERE ${where}`).run(profile, baseUrl, clientId);
}

function parse(text: string): SignIn | undefined {
  try {
    return signInSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Makes sure that the file is the person's own and nobody else's to read. */
function prepareFile(path: string, create: boolean): void {
  if (create && !existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    try {
      closeSync(openSync(path, "wx", 0o600));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  const file = lstatSync(path);
  if (file.isSymbolicLink() || !file.isFile() || file.nlink > 1) throw new Error("it is a link, which is not followed");
  if (process.platform === "win32") return;
  if (file.uid !== process.getuid?.()) throw new Error("it belongs to another user");
  if ((file.mode & 0o077) !== 0) chmodSync(path, 0o600);
}

function fileNumber(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

function sqlite(): typeof import("node:sqlite") {
  // Node calls this module experimental, on standard error, which the engine would show at every update.
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return createRequire(__filename)("node:sqlite") as typeof import("node:sqlite");
  } catch {
    throw new Error("it needs Node.js 22.13 or later");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** https://sqlite.org/rescode.html: the primary code is the lowest byte. */
function codeOf(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}

function isBusy(error: unknown): boolean {
  return [5, 6].includes(codeOf(error) ?? 0);
}

function isCorrupt(error: unknown): boolean {
  return [11, 26].includes(codeOf(error) ?? 0);
}
