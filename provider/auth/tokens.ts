import * as oauth from "oauth4webapi";
import { EnvHttpProxyAgent, fetch as undiciFetch } from "undici";
import type { Clock } from "../clock";
import { isLoopback, type Settings } from "../config";
import { NetworkError, oneLine, UnauthorizedError } from "../errors";

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
export function tokenSource(settings: Settings, clock: Clock): TokenSource {
  const { refreshToken, authUrl, clientId, clientSecret, accessToken } = settings;
  if (refreshToken !== undefined && authUrl !== undefined && clientId !== undefined && clientSecret !== undefined) {
    return new RefreshedTokens({ refreshToken, authUrl, clientId, clientSecret }, accessToken, clock);
  }
  return new FixedToken(accessToken ?? "");
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

interface RefreshSettings {
  refreshToken: string;
  authUrl: string;
  clientId: string;
  clientSecret: string;
}

interface AccessToken {
  value: string;
  /** On the monotonic clock: a wall clock that jumps does not shorten or stretch it. */
  expires: number;
}

// Authentication: the text says one hour, the worked response 5400. The shorter is trusted.
const longestLifetimeSeconds = 3600;
const marginMs = 60_000;

/** Access tokens from a refresh token (service document: Authentication, step 3), one refresh at a time. */
export class RefreshedTokens implements TokenSource {
  readonly remedy = "Sign in again for a new refresh token, set $RESELLER_REFRESH_TOKEN, then run again.";
  #refreshToken: string;
  #token: AccessToken | undefined;
  #refreshing: Promise<AccessToken> | undefined;

  constructor(
    private readonly settings: RefreshSettings,
    accessToken: string | undefined,
    private readonly clock: Clock,
  ) {
    this.#refreshToken = settings.refreshToken;
    // Its age is not known: it is used until the service rejects it.
    if (accessToken !== undefined) this.#token = { value: accessToken, expires: Infinity };
  }

  async current(): Promise<string> {
    const usable = this.#token !== undefined && this.clock.monotonic() < this.#token.expires;
    return usable && this.#token ? this.#token.value : (await this.#refresh()).value;
  }

  async renew(rejected: string): Promise<string> {
    // Another request may have renewed it in the meantime.
    if (this.#token !== undefined && this.#token.value !== rejected) return this.#token.value;
    return (await this.#refresh()).value;
  }

  #refresh(): Promise<AccessToken> {
    this.#refreshing ??= this.#request().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async #request(): Promise<AccessToken> {
    const { authUrl, clientId, clientSecret } = this.settings;
    const server = { issuer: authUrl, token_endpoint: `${authUrl.replace(/\/+$/, "")}/connect/token` };
    const client = { client_id: clientId };
    const doing = "get an access token";
    const asked = this.clock.monotonic();
    const dispatcher = new EnvHttpProxyAgent({ allowH2: false, headersTimeout: 30_000, bodyTimeout: 30_000 });
    try {
      const response = await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.ClientSecretPost(clientSecret),
        this.#refreshToken,
        {
          // Addresses are checked with the settings: plain http is loopback here. Marked as deprecated only to stand out.
          // eslint-disable-next-line @typescript-eslint/no-deprecated
          [oauth.allowInsecureRequests]: isLoopback(new URL(authUrl).hostname),
          [oauth.customFetch]: async (url, init) =>
            withStandardLifetime(
              (await undiciFetch(url, { ...(init as object), redirect: "manual", dispatcher })) as unknown as Response,
            ),
        },
      );
      const answer = await oauth.processRefreshTokenResponse(server, client, response);
      this.#refreshToken = answer.refresh_token ?? this.#refreshToken;
      const lifetimeMs = Math.min(answer.expires_in ?? longestLifetimeSeconds, longestLifetimeSeconds) * 1000;
      this.#token = { value: answer.access_token, expires: asked + Math.max(0, lifetimeMs - marginMs) };
      return this.#token;
    } catch (cause) {
      if (cause instanceof oauth.ResponseBodyError) {
        const answered = cause.error_description ? `${cause.error} (${cause.error_description})` : cause.error;
        // A refusal may quote the request, its secrets included; what is said of it must not.
        const described = answered.replaceAll(this.#refreshToken, "<token>").replaceAll(clientSecret, "<secret>");
        throw new UnauthorizedError({
          doing,
          said: `the authorization server answered ${cause.status}: ${oneLine(described, 200)}.`,
          next: this.remedy,
        });
      }
      throw new NetworkError(
        {
          doing,
          said: `the authorization server at ${new URL(authUrl).host} did not answer as an OAuth server does (${reason(cause)}).`,
          next: "Check reseller:authUrl, the network and the proxy settings, then run again.",
        },
        true,
      );
    } finally {
      await dispatcher.close();
    }
  }
}

/** This service says `expires` where OAuth says `expires_in`, and sends null for what it leaves out. */
async function withStandardLifetime(response: Response): Promise<Response> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return new Response(text, response);
  }
  if (typeof body !== "object" || body === null) return new Response(text, response);
  const fields = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  const lifetime = Number(fields["expires_in"] ?? fields["expires"]);
  delete fields["expires"];
  delete fields["expires_in"];
  // Only a plausible number of seconds counts; an epoch or rubbish falls back to the documented hour.
  if (lifetime > 0 && lifetime <= 86_400) fields["expires_in"] = lifetime;
  return Response.json(fields, { status: response.status });
}

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown reason";
  const { cause: inner } = cause;
  const code = inner instanceof Error && "code" in inner ? String(inner.code) : "";
  return oneLine(code || cause.message, 200);
}
