import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "./clock";
import type { Settings } from "./options";

const day = 24 * 60 * 60 * 1000;
/** A refresh token expires after this long without use. Service document: "Limits". */
export const refreshIdleMs = 90 * day;
const codeLifetimeMs = 5 * 60 * 1000;

interface RefreshToken {
  family: string;
  scope: string;
  usedAt: number;
  spent: boolean;
}

interface Code {
  redirectUri: string;
  scope: string;
  challenge: string | undefined;
  issuedAt: number;
  /** Family of the tokens it was exchanged for; a second exchange revokes them. */
  spentFor: string | undefined;
}

/** What a grant gives: an access token, and a refresh token when the scope has offline_access. */
export interface Grant {
  accessToken: string;
  refreshToken: string | undefined;
  /** Milliseconds since the epoch at which the access token ends. */
  expiresAt: number;
  scope: string;
}

/** Codes and tokens of the authorization server. Service document: "Authentication". */
export class Tokens {
  private readonly access = new Map<string, number>();
  private readonly refresh = new Map<string, RefreshToken>();
  private readonly codes = new Map<string, Code>();

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    if (settings.accessToken !== undefined) this.access.set(settings.accessToken, Infinity);
  }

  accepts(accessToken: string): boolean {
    const expiresAt = this.access.get(accessToken);
    if (expiresAt === undefined) return false;
    return this.clock.now() < expiresAt;
  }

  revokeAccess(): void {
    this.access.clear();
  }

  revokeRefresh(): void {
    this.refresh.clear();
  }

  issueCode(redirectUri: string, scope: string, challenge: string | undefined): string {
    const code = random();
    this.codes.set(code, { redirectUri, scope, challenge, issuedAt: this.clock.now(), spentFor: undefined });
    return code;
  }

  /** @returns the tokens, or a text saying why the code isn't good for any */
  exchange(code: string, redirectUri: string, verifier: string | undefined): Grant | string {
    const found = this.codes.get(code);
    if (!found) return "The code is not known.";
    if (found.spentFor !== undefined) {
      this.revokeFamily(found.spentFor);
      return "The code was used before.";
    }
    if (this.clock.now() - found.issuedAt > codeLifetimeMs) return "The code has expired.";
    if (found.redirectUri !== redirectUri) return "The redirect_uri is not the one of the authorization request.";
    if (found.challenge !== undefined && found.challenge !== challengeOf(verifier ?? "")) {
      return "The code_verifier does not match.";
    }
    found.spentFor = random();
    return this.issue(found.scope, found.spentFor);
  }

  /** @returns new tokens, or a text saying why the refresh token isn't good for any */
  renew(refreshToken: string): Grant | string {
    const found = this.refresh.get(refreshToken);
    if (!found) return "The refresh token is not known.";
    if (found.spent) {
      this.revokeFamily(found.family);
      return "The refresh token was used before; its successors are revoked.";
    }
    if (this.clock.now() - found.usedAt > refreshIdleMs) return "The refresh token was not used for 90 days.";
    found.usedAt = this.clock.now();
    if (!this.settings.rotateRefreshTokens) return this.issueAccess(found.scope, refreshToken);
    found.spent = true;
    return this.issue(found.scope, found.family);
  }

  /** Tokens of a new family, or of the one given. */
  issue(scope: string, family = random()): Grant {
    if (!scope.split(" ").includes("offline_access")) return this.issueAccess(scope, undefined);
    const refreshToken = random();
    this.refresh.set(refreshToken, { family, scope, usedAt: this.clock.now(), spent: false });
    return this.issueAccess(scope, refreshToken);
  }

  private issueAccess(scope: string, refreshToken: string | undefined): Grant {
    const now = this.clock.now();
    for (const [token, end] of this.access) if (end <= now) this.access.delete(token);
    const expiresAt = now + this.settings.accessTokenLifetimeSeconds * 1000;
    const accessToken = this.jwt(scope, now, expiresAt);
    this.access.set(accessToken, expiresAt);
    return { accessToken, refreshToken, expiresAt, scope };
  }

  private jwt(scope: string, now: number, expiresAt: number): string {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const seconds = (ms: number): number => Math.floor(ms / 1000);
    const claims = {
      iss: "reseller-simulator",
      client_id: this.settings.clientId,
      scope: scope.split(" "),
      iat: seconds(now),
      nbf: seconds(now),
      exp: seconds(expiresAt),
      jti: randomBytes(16).toString("hex"),
    };
    // Nobody is meant to verify it, so the signature is noise.
    return `${part({ alg: "RS256", typ: "at+jwt" })}.${part(claims)}.${randomBytes(64).toString("base64url")}`;
  }

  private revokeFamily(family: string): void {
    for (const [token, found] of this.refresh) if (found.family === family) this.refresh.delete(token);
  }
}

function random(): string {
  return randomBytes(32).toString("base64url");
}

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
