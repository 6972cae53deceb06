import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { entryKey } from "../../provider/auth/entry";
import { tokenSource } from "../../provider/auth/tokens";
import { systemClock } from "../../provider/clock";
import { TokenStoreError } from "../../provider/errors";
import { type SimulatorOptions, startSimulator } from "../../simulator";
import { ending, firstWord, keyOf, SharedStore } from "./support/store";

jest.setTimeout(900_000);

const key = entryKey({ profile: "default", baseUrl: "http://127.0.0.1:1", clientId: "client" });
const rounds = 500;
const atOnce = 4;

const contentOf = (number: number) => `${number}`.padEnd(3000, ".");

/** Kills a writer in the middle of its work, this many times, and looks at what it left. */
async function killWriters(times: number): Promise<{ torn: number; writes: number }> {
  using shared = new SharedStore(key);
  await shared.keep({ refreshToken: "0", access: { token: contentOf(0), obtainedAt: 0, expiresAt: 0 } });
  let [torn, last] = [0, 0];
  for (let round = 0; round < times; round++) {
    const child = shared.start("keep-writing.mjs");
    await firstWord(child);
    // Anywhere in the few milliseconds that a write takes.
    await sleep(Math.random() * 10);
    child.kill("SIGKILL");
    await ending(child);
    if (journalIsHot(shared.path)) torn++;
    await shared.store.proveWritable(key);
    const { refreshToken, access } = await shared.signIn();
    const number = Number(refreshToken);
    expect({ round, token: access?.token }).toEqual({ round, token: contentOf(number) });
    // What the process had been told was written, is.
    expect(number).toBeGreaterThan(last);
    last = number;
  }
  return { torn, writes: last };
}

/** Whether SQLite has to take back a write that was begun: the journal then starts with its magic number. */
function journalIsHot(path: string): boolean {
  const journal = `${path}-journal`;
  return existsSync(journal) && readFileSync(journal).subarray(0, 8).toString("hex") === "d9d505f920a163d7";
}

test(`a process killed while it writes leaves the old or the new, and no lock, ${rounds} times`, async () => {
  const chains = await Promise.all(Array.from({ length: atOnce }, () => killWriters(rounds / atOnce)));
  const torn = chains.reduce((sum, chain) => sum + chain.torn, 0);
  const writes = chains.reduce((sum, chain) => sum + chain.writes, 0);
  process.stdout.write(`Killed ${rounds} writers during ${writes} writes, ${torn} of them half-way through one.\n`);
  expect(torn).toBeGreaterThan(0);
});

describe("on a disk that is full", () => {
  const folder = mkdtempSync(join(tmpdir(), "reseller-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", folder]).status === 0;
  if (!mounted) process.stdout.write("Skipped: a small disk to fill can only be mounted by root.\n");
  const onSmallDisk = mounted ? it : it.skip;

  afterAll(() => {
    if (mounted) spawnSync("umount", [folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  afterEach(() => {
    rmSync(join(folder, "filling"), { force: true });
  });

  /** Leaves nothing free. */
  function fill(): void {
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(join(folder, "filling"), Buffer.alloc(bavail * bsize));
  }

  async function small(options: SimulatorOptions) {
    const simulator = await startSimulator({ rotateRefreshTokens: true, ...options });
    return Object.assign(simulator, { [Symbol.asyncDispose]: () => simulator.close() });
  }

  onSmallDisk("a token is not asked for, and the sign-in stays as it was", async () => {
    await using simulator = await small({});
    using shared = new SharedStore(keyOf(simulator), folder);
    const { authUrl, clientSecret, refreshToken } = simulator;
    await shared.keep({ authUrl, clientSecret, refreshToken });
    rmSync(`${shared.path}-journal`);
    fill();
    const source = () =>
      tokenSource({ baseUrl: simulator.baseUrl, signIn: shared.key }, shared.store, systemClock, () => undefined);
    const error: unknown = await source()
      .current()
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TokenStoreError);
    expect((error as Error).message).toContain("have room");
    expect(simulator.requests({ path: "/connect/token" })).toEqual([]);
    rmSync(join(folder, "filling"));
    expect((await shared.signIn()).refreshToken).toBe(refreshToken);
    await expect(source().current()).resolves.toEqual(expect.any(String));
  });

  onSmallDisk("a token that was asked for can still be kept when the disk fills up meanwhile", async () => {
    // The server fills the disk while it is being asked: what comes back has no room but what was taken before.
    await using simulator = await small({
      onRequest: ({ path }) => {
        if (path.startsWith("/connect/token")) fill();
      },
    });
    using shared = new SharedStore(keyOf(simulator), folder);
    const { authUrl, clientSecret, refreshToken } = simulator;
    await shared.keep({ authUrl, clientSecret, refreshToken });
    const settings = { baseUrl: simulator.baseUrl, signIn: shared.key };
    const token = await tokenSource(settings, shared.store, systemClock, () => undefined).current();
    expect(statfsSync(folder).bavail).toBe(0);
    const kept = await shared.signIn();
    expect(kept.access?.token).toBe(token);
    expect(kept.refreshToken).not.toBe(refreshToken);
  });
});
