import { createHash } from "node:crypto";
import type { Clock } from "../clock";
import { loginCommand, type Settings } from "../config";
import { LoginRequiredError } from "../errors";
import { type Entry, type EntryKey, entryKey, idleEnd, runsLow, type SignIn } from "./entry";
import type { Grant } from "./oauth";
import type { TokenStore, Transaction } from "./store";

/** Where access tokens come from. */
export interface TokenSource {
  /** A token believed to be valid. */
  current(): Promise<string>;
  /** A token newer than the one the service rejected, or undefined when there is none to be had. */
  renew(rejected: string): Promise<string | undefined>;
  /** What a person does when no token works. */
  readonly remedy: string;
}

/** The token source that these settings allow. */
export function tokenSource(
  settings: Settings,
  store: TokenStore,
  clock: Clock,
  notice: (line: string) => void,
): TokenSource {
  const { signIn, accessToken } = settings;
  if (signIn) return new SharedTokens(signIn, undefined, undefined, store, clock, notice);
  const given = givenSignIn(settings, clock);
  return given
    ? new SharedTokens(given.key, given, accessToken, store, clock, notice)
    : new FixedToken(accessToken ?? "");
}

class FixedToken implements TokenSource {
  readonly remedy = "Get a new access token and set $RESELLER_ACCESS_TOKEN (it lives for one hour), then run again.";
  constructor(private readonly token: string) {}

  current(): Promise<string> {
    return Promise.resolve(this.token);
  }

  renew(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

/**
 * A refresh token from the settings is where a sign-in begins: its successors are kept in the store under its hash, so
 * that all processes that are given the same one go on from the newest.
 */
function givenSignIn(settings: Settings, clock: Clock): Entry | undefined {
  const { baseUrl, authUrl, clientId, clientSecret, refreshToken } = settings;
  if (!refreshToken || !authUrl || !clientId || !clientSecret) return undefined;
  const hash = createHash("sha256").update(refreshToken).digest("hex").slice(0, 12);
  return {
    key: entryKey({ profile: givenProfile + hash, baseUrl, clientId }),
    keychain: false,
    signIn: { authUrl, clientSecret, refreshToken, usedAt: clock.now() },
  };
}

/** No profile that a person names starts like this. */
export const givenProfile = "given:";
/** An access token is not used in its last minute. */
const marginMs = 60_000;

interface AccessToken {
  value: string;
  /** On both clocks, and the one that says sooner counts: one may jump, the other stand still while a machine sleeps. */
  monotonicEnd: number;
  wallEnd: number;
}

/**
 * Access tokens of one sign-in, shared by every process through the store: one request to the token endpoint at a
 * time, its answer on the disk before it is used (service document: Authentication, step 3).
 */
export class SharedTokens implements TokenSource {
  readonly remedy: string;
  #token: AccessToken | undefined;
  #obtaining: Promise<string> | undefined;

  /**
   * @param given what the settings hold, for a sign-in that the store does not have yet.
   * @param accessToken used first, until the service rejects it: its age is not known.
   */
  constructor(
    private readonly key: EntryKey,
    private readonly given: Entry | undefined,
    accessToken: string | undefined,
    private readonly store: TokenStore,
    private readonly clock: Clock,
    private readonly notice: (line: string) => void,
  ) {
    this.remedy = given
      ? "Sign in again for a new refresh token, set $RESELLER_REFRESH_TOKEN, then run again."
      : `Sign in again: ${loginCommand(key.profile)}.`;
    if (accessToken !== undefined) this.#token = { value: accessToken, monotonicEnd: Infinity, wallEnd: Infinity };
  }

  async current(): Promise<string> {
    const token = this.#token;
    const usable = token && this.clock.monotonic() < token.monotonicEnd && this.clock.now() < token.wallEnd;
    // One that has grown old here is not taken from the store again, where only the wall clock can tell its age.
    return usable ? token.value : this.#obtain(token?.value);
  }

  async renew(rejected: string): Promise<string> {
    // Another request may have renewed it in the meantime.
    if (this.#token !== undefined && this.#token.value !== rejected) return this.#token.value;
    return this.#obtain(rejected);
  }

  /** Asks for tokens even if there are good ones: each use of a refresh token keeps it for 90 more days. */
  async keepAlive(): Promise<SignIn> {
    await this.store.proveWritable(this.key);
    return orThrow(
      await this.store.exclusively("renew the sign-in", async (transaction) =>
        this.#refresh(transaction, await this.#known(transaction)),
      ),
    );
  }

  #obtain(rejected: string | undefined): Promise<string> {
    this.#obtaining ??= this.#fromStore(rejected).finally(() => (this.#obtaining = undefined));
    return this.#obtaining;
  }

  async #fromStore(rejected: string | undefined): Promise<string> {
    const known = await this.store.read(this.key);
    if (known && this.#isUsable(known.signIn, rejected)) return this.#take(known.signIn);
    // What cannot be written down must not be asked for: the answer may be the only good token from then on.
    await this.store.proveWritable(this.key);
    const signIn = await this.store.exclusively("renew the access token", async (transaction) => {
      const entry = await this.#known(transaction);
      // Whoever held the store before may have done it.
      return this.#isUsable(entry.signIn, rejected) ? entry.signIn : this.#refresh(transaction, entry);
    });
    return this.#take(orThrow(signIn));
  }

  async #known(transaction: Transaction): Promise<Entry> {
    const entry = (await transaction.read(this.key)) ?? this.given;
    if (entry !== undefined) return entry;
    throw this.#ended(`nobody is signed in to ${this.key.baseUrl} any more (profile ${this.key.profile}).`);
  }

  /** The error is returned, so that what was written before it is kept. */
  async #refresh(transaction: Transaction, entry: Entry): Promise<SignIn | LoginRequiredError> {
    const { key, signIn } = entry;
    const { refreshToken, usedAt } = signIn;
    if (refreshToken === undefined)
      return this.#ended("the authorization server has refused the refresh token before.");
    const now = this.clock.now();
    if (runsLow(usedAt, now)) this.notice(lowIdle(key, usedAt));
    // Loaded here, since most runs find a good token in the store.
    const { refresh } = await import("./oauth.js");
    try {
      const grant = await refresh({ ...signIn, clientId: key.clientId }, refreshToken, this.clock);
      const renewed = after(signIn, grant, this.clock.now());
      await transaction.write({ ...entry, signIn: renewed });
      return renewed;
    } catch (error) {
      if (!(error instanceof LoginRequiredError)) throw error;
      // Nobody else can have changed it meanwhile. The connection stays, for the next login.
      await transaction.write({ ...entry, signIn: { ...signIn, refreshToken: undefined, access: undefined } });
      return this.#ended(error.said);
    }
  }

  #ended(said: string): LoginRequiredError {
    return new LoginRequiredError({ doing: "get an access token", said, next: this.remedy });
  }

  #isUsable({ access }: SignIn, rejected: string | undefined): boolean {
    if (access === undefined || access.token === rejected) return false;
    const now = this.clock.now();
    // A token from the future is one of before the clock was set back: nobody knows how old it is.
    return access.obtainedAt <= now + marginMs && now < access.expiresAt - marginMs;
  }

  #take({ access }: SignIn): string {
    if (!access) throw new TypeError("a sign-in without an access token");
    const wallEnd = access.expiresAt - marginMs;
    const monotonicEnd = this.clock.monotonic() + wallEnd - this.clock.now();
    this.#token = { value: access.token, monotonicEnd, wallEnd };
    return access.token;
  }
}

/** The sign-in once a grant has been given. */
export function after(signIn: SignIn, { accessToken, refreshToken, lifetimeMs }: Grant, now: number): SignIn {
  const { refreshToken: used } = signIn;
  return {
    ...signIn,
    refreshToken: refreshToken ?? used,
    ...(used === undefined ? {} : { rotates: signIn.rotates === true || (refreshToken ?? used) !== used }),
    usedAt: now,
    access: { token: accessToken, obtainedAt: now, expiresAt: now + lifetimeMs },
  };
}

function orThrow<T>(outcome: T | LoginRequiredError): T {
  if (outcome instanceof LoginRequiredError) throw outcome;
  return outcome;
}

function lowIdle({ profile }: EntryKey, usedAt: number): string {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return (
    `The sign-in ${profile} was last used on ${day(new Date(usedAt))} and would have ended on ${day(idleEnd(usedAt))}. ` +
    "Each use keeps it for 90 days: run pulumi-reseller token refresh on a schedule."
  );
}
