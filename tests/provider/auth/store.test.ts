import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../provider/clock";
import { type Entry, entryKey, type SignIn } from "../../../provider/auth/entry";
import type { Keychain } from "../../../provider/auth/keychain";
import { storePath, TokenStore } from "../../../provider/auth/store";
import { TokenStoreError } from "../../../provider/errors";
import { everything, FakeClock, rejection, temporaryFolder } from "../support";

const key = entryKey({ profile: "default", baseUrl: "https://api.example.com", clientId: "client" });
const signIn: SignIn = {
  authUrl: "https://auth.example.com",
  clientSecret: "canary-secret",
  refreshToken: "canary-refresh",
  usedAt: 1_000,
  rotates: false,
  access: { token: "canary-access", obtainedAt: 1_000, expiresAt: 2_000 },
};
const entry: Entry = { key, keychain: false, signIn };

/** A keychain that hides nothing from the test: it turns every bit over. */
const inverting: Keychain = {
  seal: (text) => Promise.resolve(Buffer.from(text).map((byte) => byte ^ 255) as Buffer),
  open: (sealed) => Promise.resolve(Buffer.from(sealed.map((byte) => byte ^ 255)).toString()),
};

function fresh(keychain?: Keychain) {
  const folder = temporaryFolder();
  const path = join(folder, "pulumi-reseller", "tokens.db");
  return { folder, path, store: new TokenStore(path, systemClock, keychain) };
}

const put = (store: TokenStore, ...entries: Entry[]) =>
  store.exclusively("keep", async (transaction) => {
    for (const each of entries) await transaction.write(each);
  });
const drop = (store: TokenStore) =>
  store.exclusively("forget", (transaction) => {
    transaction.remove(key);
    return Promise.resolve();
  });

describe("the path of the store", () => {
  it.each([
    [{ RESELLER_TOKEN_STORE: "/x/tokens.db", XDG_CONFIG_HOME: "/c" }, "/x/tokens.db"],
    [{ RESELLER_TOKEN_STORE: "", XDG_CONFIG_HOME: "/c" }, "/c/pulumi-reseller/tokens.db"],
  ])("for %j is %s", (environment, path) => {
    expect(storePath(environment)).toBe(path);
  });

  it("is in the person's configuration folder when nothing is said", () => {
    expect(storePath({})).toMatch(/\/\.config\/pulumi-reseller\/tokens\.db$/);
  });
});

describe("a sign-in", () => {
  it("is read as it was written, by another process too", async () => {
    const { store, path } = fresh();
    await put(store, entry);
    expect(await new TokenStore(path, systemClock).read(key)).toEqual(entry);
  });

  it("is one of several", async () => {
    const { store } = fresh();
    const others = [
      { ...key, profile: "prod" },
      { ...key, clientId: "other" },
      { ...key, baseUrl: "https://sandbox.example.com" },
    ];
    await put(store, entry, ...others.map((other) => ({ ...entry, key: other })));
    await put(store, { ...entry, signIn: { ...signIn, refreshToken: "newer" } });
    expect((await store.read(key))?.signIn.refreshToken).toBe("newer");
    for (const other of others) expect((await store.read(other))?.signIn.refreshToken).toBe("canary-refresh");
    expect(store.keys()).toHaveLength(4);
  });

  it.each([
    [{ profile: "default", baseUrl: "https://api.example.com", clientId: undefined }, 2],
    [{ profile: "default", baseUrl: "https://API.example.com:443/", clientId: "client" }, 1],
    [{ profile: "prod", baseUrl: "https://api.example.com", clientId: undefined }, 0],
    [{ profile: "default", baseUrl: "https://api.example.com/v2", clientId: undefined }, 0],
    [{ profile: "default", baseUrl: "https://api.example.com", clientId: "third" }, 0],
  ])("is found by %j: %d", async (wanted, count) => {
    const { store } = fresh();
    await put(store, entry, { ...entry, key: { ...key, clientId: "other" } });
    expect(store.find(wanted)).toHaveLength(count);
  });

  it("that was removed is gone from the disk too", async () => {
    const { store, path } = fresh();
    await put(store, entry);
    await put(store, { ...entry, signIn: { ...signIn, refreshToken: "canary-second" } });
    await drop(store);
    store.forgetJournal();
    expect(store.keys()).toEqual([]);
    expect(existsSync(`${path}-journal`)).toBe(false);
    expect(readFileSync(path, "latin1")).not.toContain("canary");
  });

  it("longer than a slot is kept whole", async () => {
    const { store } = fresh();
    const long = { ...entry, signIn: { ...signIn, refreshToken: "r".repeat(20_000) } };
    await put(store, long);
    expect(await store.read(key)).toEqual(long);
  });

  it("of a version that writes otherwise is not guessed at", async () => {
    const { store } = fresh();
    await put(store, { ...entry, signIn: { something: "else" } as unknown as SignIn });
    const error = await rejection(store.read(key));
    expect(error).toBeInstanceOf(TokenStoreError);
    expect(error.message).toContain("another version");
  });
});

describe("what fails half-way", () => {
  it("changes nothing", async () => {
    const { store } = fresh();
    await put(store, entry);
    const failed = store.exclusively("change", async (transaction) => {
      await transaction.write({ ...entry, signIn: { ...signIn, refreshToken: "half" } });
      throw new Error("half-way");
    });
    expect((await rejection(failed)).message).toBe("half-way");
    expect(await store.read(key)).toEqual(entry);
    await put(store, entry);
  });
});

describe("proving that the store can be written", () => {
  it("leaves everything as it is", async () => {
    const { store } = fresh();
    await store.proveWritable(key);
    expect(store.keys()).toEqual([]);
    await put(store, entry);
    await store.proveWritable(key);
    expect(await store.read(key)).toEqual(entry);
  });

  it("takes the room that writing needs", async () => {
    const { store, path } = fresh();
    const bytes = () => [path, `${path}-journal`].map((file) => statSync(file).size);
    await store.proveWritable(key);
    const [room = 0] = bytes();
    await put(store, entry);
    expect(bytes()[0]).toBe(room);
    await store.proveWritable(key);
    const proven = bytes();
    await put(store, { ...entry, signIn: { ...signIn, refreshToken: "r".repeat(3_000), rotates: true } });
    expect(bytes()).toEqual(proven);
  });
});

describe("the file", () => {
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

  it("is the person's own, in a folder of their own", async () => {
    const { store, path, folder } = fresh();
    await put(store, entry);
    expect([path, `${path}-journal`, join(folder, "pulumi-reseller")].map(mode)).toEqual(["600", "600", "700"]);
  });

  it("is not made by looking for a sign-in", async () => {
    const { store, folder } = fresh();
    expect(store.keys()).toEqual([]);
    expect(await store.read(key)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("that others could read is made private", async () => {
    const { store, path } = fresh();
    await put(store, entry);
    chmodSync(path, 0o644);
    expect(await store.read(key)).toEqual(entry);
    expect(mode(path)).toBe("600");
  });

  it.each([
    ["a symbolic link", symlinkSync],
    ["a hard link", linkSync],
  ])("that is %s is refused, and what it leads to is left alone", async (_, link) => {
    const { path, store: real } = fresh();
    await put(real, entry);
    const before = readFileSync(path);
    const alias = join(temporaryFolder(), "tokens.db");
    link(path, alias);
    const store = new TokenStore(alias, systemClock);
    for (const attempt of [() => store.read(key), () => put(store, entry), () => store.proveWritable(key)]) {
      const error = await rejection((async () => attempt())());
      expect(error).toBeInstanceOf(TokenStoreError);
      expect(error.message).toContain("is a link");
    }
    expect(readFileSync(path)).toEqual(before);
  });

  it("that leads nowhere is refused rather than made", async () => {
    const folder = temporaryFolder();
    symlinkSync(join(folder, "elsewhere"), join(folder, "tokens.db"));
    const store = new TokenStore(join(folder, "tokens.db"), systemClock);
    expect((await rejection(put(store, entry))).message).toContain("is a link");
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
  });

  it.each([
    ["text", () => Buffer.from("this is no database, whatever its name says. ".repeat(200))],
    ["nothing but its head", (whole: Buffer) => whole.subarray(0, 3_000)],
    ["rubbish in the middle", (whole: Buffer) => Buffer.from(whole).fill(0xee, 4_096, 12_288)],
  ])("that holds %s is set aside, and the next login starts anew", async (_, damage) => {
    const { store, path, folder } = fresh();
    await put(store, entry);
    writeFileSync(path, damage(readFileSync(path)));
    const error = await rejection(Promise.resolve().then(() => store.read(key)));
    expect(error).toBeInstanceOf(TokenStoreError);
    expect(error.message).toMatch(
      /^Could not read the sign-in: the token store .*: it was damaged and has been set aside as .*\.corrupt-.*\. Sign in again: npx pulumi-reseller login\.$/,
    );
    expect(readdirSync(join(folder, "pulumi-reseller"))).toEqual([
      expect.stringMatching(/^tokens\.db\.corrupt-[\dTZ.-]+$/),
      expect.stringMatching(/^tokens\.db\.corrupt-[\dTZ.-]+-journal$/),
    ]);
    expect(await store.read(key)).toBeUndefined();
    await put(store, entry);
    expect(await store.read(key)).toEqual(entry);
  });
});

describe("the lock", () => {
  it("lets one in after the other", async () => {
    const { path } = fresh();
    let inside = 0;
    const enter = () =>
      new TokenStore(path, systemClock).exclusively("count", async () => {
        expect(++inside).toBe(1);
        await systemClock.sleep(5);
        inside--;
      });
    await Promise.all(Array.from({ length: 8 }, enter));
  });

  it("lets others read what was there before", async () => {
    const { store, path } = fresh();
    await put(store, entry);
    await store.exclusively("change", async (transaction) => {
      await transaction.write({ ...entry, signIn: { ...signIn, refreshToken: "next" } });
      expect((await new TokenStore(path, systemClock).read(key))?.signIn.refreshToken).toBe("canary-refresh");
    });
    expect((await store.read(key))?.signIn.refreshToken).toBe("next");
  });

  it("is not waited for without end", async () => {
    const { store, path } = fresh();
    const clock = new FakeClock();
    const error = await store.exclusively("hold", () => rejection(put(new TokenStore(path, clock), entry)));
    expect(error.message).toContain("another process has been holding it for minutes");
    expect(clock.waited()).toBeGreaterThan(120_000);
  });
});

describe("with a keychain", () => {
  const sealed = { ...entry, keychain: true };

  it("a sign-in is not readable in the file", async () => {
    const { store, path } = fresh(inverting);
    await put(store, sealed);
    expect(await store.read(key)).toEqual(sealed);
    expect(readFileSync(path, "latin1")).not.toContain("canary");
  });

  it("that does not answer, nothing is written or read, and nothing falls back to plain text", async () => {
    const { store, path } = fresh(inverting);
    await put(store, sealed);
    const before = readFileSync(path);
    const gone: Keychain = {
      seal: () => Promise.reject(new Error("it did not answer within 60 seconds")),
      open: () => Promise.reject(new Error("it did not answer within 60 seconds")),
    };
    const other = new TokenStore(path, systemClock, gone);
    for (const attempt of [() => other.read(key), () => put(other, sealed)]) {
      const error = await rejection(attempt());
      expect(error).toBeInstanceOf(TokenStoreError);
      expect(error.message).toContain("it did not answer within 60 seconds");
      expect(everything(error)).not.toContain("canary");
    }
    expect(readFileSync(path)).toEqual(before);
  });
});
