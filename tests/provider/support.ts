import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { startSimulator, type LoggedRequest, type Simulator, type SimulatorOptions } from "../../simulator";
import { AccountsApi } from "../../provider/api/accounts";
import { Http, type Limits } from "../../provider/api/http";
import type { TokenSource } from "../../provider/auth/tokens";
import type { Clock } from "../../provider/clock";
import type { AccountInputs, AccountService } from "../../provider/resources/account";
import { AccountDirectory } from "../../provider/resources/directory";

/** A clock on which waiting takes no time: it notes each wait and moves on by as much. */
export class FakeClock implements Clock {
  readonly waits: number[] = [];
  /** Called with each wait, so that others can move on too. */
  onSleep: (ms: number) => void = () => undefined;
  chance = 0.5;
  #elapsed = 0;

  constructor(readonly started = Date.UTC(2025, 0, 15, 12)) {}

  now(): number {
    return this.started + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  random(): number {
    return this.chance;
  }

  sleep(ms: number): Promise<void> {
    this.waits.push(ms);
    this.advance(ms);
    this.onSleep(ms);
    return Promise.resolve();
  }

  advance(ms: number): void {
    this.#elapsed += ms;
  }

  waited(): number {
    return this.waits.reduce((sum, ms) => sum + ms, 0);
  }
}

/** One process of the provider against one simulator. */
export interface World extends AccountService {
  simulator: Simulator;
  clock: FakeClock;
  http: Http;
  notices: string[];
  /** Another process against the same simulator: it remembers nothing. */
  anotherProcess: () => World;
}

export interface WorldOptions extends SimulatorOptions {
  limits?: Partial<Limits>;
  tokens?: (simulator: Simulator, clock: Clock) => TokenSource;
}

const closing: (() => Promise<void>)[] = [];

/** Has `close` called when the test ends. */
export function closeAfterwards(close: () => Promise<void>): void {
  closing.push(close);
}

afterEach(async () => {
  // Newest first: clients before the servers they talk to.
  for (const close of closing.splice(0).reverse()) await close();
});

/** A folder of its own, removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "reseller-test-"));
  closeAfterwards(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A simulator that is closed when the test ends. */
export async function simulate(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator(options);
  closeAfterwards(() => simulator.close());
  return simulator;
}

/** The core against a simulator of its own, on a clock that waits for nothing. */
export async function start(options: WorldOptions = {}): Promise<World> {
  const { limits = {}, tokens = fixedToken, ...simulatorOptions } = options;
  return process(await simulate(simulatorOptions), limits, tokens);
}

function process(simulator: Simulator, limits: Partial<Limits>, tokens: NonNullable<WorldOptions["tokens"]>): World {
  const clock = new FakeClock();
  clock.onSleep = (ms) => {
    simulator.advanceClock(ms / 1000);
  };
  const http = new Http(simulator.baseUrl, tokens(simulator, clock), clock, limits);
  closeAfterwards(() => http.close());
  const accounts = new AccountsApi(http);
  const notices: string[] = [];
  return {
    simulator,
    clock,
    http,
    accounts,
    notices,
    directory: new AccountDirectory(accounts, clock),
    chargePolicy: "ask",
    notice: (line) => notices.push(line),
    anotherProcess: () => process(simulator, limits, tokens),
  };
}

export function fixedToken({ accessToken }: { accessToken: string }): TokenSource {
  return {
    remedy: "Get a token.",
    current: () => Promise.resolve(accessToken),
    renew: () => Promise.resolve(undefined),
  };
}

/** A copy without these fields. */
export function without<T extends object, K extends keyof T>(from: T, ...names: K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name as K))) as Omit<T, K>;
}

/** What a program declares, completed as `check` does. */
export function declared(inputs: Partial<AccountInputs> = {}): AccountInputs {
  return { name: "Acme", reference: "shop/dev/acme", enabled: true, acceptCharges: true, ...inputs };
}

export const accountsPath = "/api/v1.0/accounts";

export function writes(simulator: Simulator): LoggedRequest[] {
  return simulator.requests({ path: "^/api/" }).filter(({ method }) => method !== "GET");
}

/** `METHOD path` of every request to the API so far, in order. */
export function asked(simulator: Simulator): string[] {
  return simulator.requests({ path: "^/api/" }).map(({ method, path }) => `${method} ${path}`);
}

/** What the promise is rejected with. Fails the test when it is not. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  let outcome: unknown;
  try {
    outcome = await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error(`expected a rejection, got ${inspect(outcome)}`);
}

/** Everything a log or a crash could show of a value, hidden properties and causes included. */
export function everything(value: unknown): string {
  return inspect(value, { depth: Infinity, showHidden: true, maxStringLength: null }) + String(value);
}
