import * as oauth from "oauth4webapi";
import { EnvHttpProxyAgent, fetch as undiciFetch } from "undici";
import type { Clock } from "../clock";
import { isLoopback } from "../config";
import { LoginRequiredError, NetworkError, oneLine, UnauthorizedError } from "../errors";

/** The authorization server and what it knows this client by (service document: Authentication, 2). */
export interface OAuthClient {
  authUrl: string;
  clientId: string;
  clientSecret: string;
}

/** What a token response gives (Authentication, 5), its quirks already understood. */
export interface Grant {
  accessToken: string;
  /** Absent when the scope lacked offline_access, or when a refresh keeps the token it used. */
  refreshToken: string | undefined;
  /** Milliseconds, from the moment of asking. */
  lifetimeMs: number;
}

/** One sign-in from its address to its code: what the redirect must match. */
export interface Authorization {
  address: string;
  redirectUri: string;
  state: string;
  verifier: string;
}

/** Authentication, step 1. */
const scope = "openid offline_access onboarding";
/** Authentication: the text says one hour, the worked response 5400. The shorter is trusted. */
const longestLifetimeSeconds = 3600;
const deadlineMs = 30_000;
const pauseMs = 1_000;

/** Where a person approves this client (Authentication, step 1). PKCE costs nothing where a server ignores it. */
export async function authorization(
  { authUrl, clientId }: Omit<OAuthClient, "clientSecret">,
  redirectUri: string,
): Promise<Authorization> {
  const state = oauth.generateRandomState();
  const verifier = oauth.generateRandomCodeVerifier();
  const address = new URL(endpoint(authUrl, "authorize"));
  address.search = new URLSearchParams({
    client_id: clientId,
    response_type: "code",
    state,
    redirect_uri: redirectUri,
    scope,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  return { address: address.href, redirectUri, state, verifier };
}

/**
 * Exchanges the code that came back for tokens (Authentication, step 2). Sent once: a code is good for one use.
 * @param redirect the address the browser was sent back to, with its query.
 * @throws UnauthorizedError when the person or the server refused, or the answer belongs to another sign-in; NetworkError.
 */
export async function exchange(
  client: OAuthClient,
  { redirectUri, state, verifier }: Authorization,
  redirect: URL,
  clock: Clock,
): Promise<Grant> {
  const server = { issuer: client.authUrl };
  const answer = new URLSearchParams(redirect.searchParams);
  // Where there is one server only, who issued the answer is no question, and its own name for itself is not documented.
  answer.delete("iss");
  let parameters: URLSearchParams;
  try {
    parameters = oauth.validateAuthResponse(server, { client_id: client.clientId }, answer, state);
  } catch (cause) {
    throw notApproved(cause);
  }
  return ask(client, "sign in", [verifier, answer.get("code") ?? ""], clock, async (as, identity, options) => {
    const authentication = oauth.ClientSecretPost(client.clientSecret);
    return oauth.processAuthorizationCodeResponse(
      as,
      identity,
      await oauth.authorizationCodeGrantRequest(
        as,
        identity,
        authentication,
        parameters,
        redirectUri,
        verifier,
        options,
      ),
    );
  });
}

/**
 * Gets an access token, and perhaps the next refresh token (Authentication, step 3).
 * A request without a usable answer is sent once more: the server may have kept the old token good, and if it has not,
 * nothing is lost by asking.
 * @throws LoginRequiredError when the refresh token is no longer good; UnauthorizedError when the client is refused;
 *   NetworkError when there is no answer.
 */
export async function refresh(client: OAuthClient, refreshToken: string, clock: Clock): Promise<Grant> {
  const request = () =>
    ask(client, "get an access token", [refreshToken], clock, async (as, identity, options) => {
      const authentication = oauth.ClientSecretPost(client.clientSecret);
      return oauth.processRefreshTokenResponse(
        as,
        identity,
        await oauth.refreshTokenGrantRequest(as, identity, authentication, refreshToken, options),
      );
    });
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    await clock.sleep(pauseMs);
    return request();
  }
}

function endpoint(authUrl: string, name: string): string {
  return `${authUrl.replace(/\/+$/, "")}/connect/${name}`;
}

/** One request to the token endpoint. What fails is said in one line, without what must stay secret. */
async function ask(
  { authUrl, clientId, clientSecret }: OAuthClient,
  doing: string,
  secrets: string[],
  clock: Clock,
  request: (
    as: oauth.AuthorizationServer,
    identity: oauth.Client,
    options: oauth.TokenEndpointRequestOptions,
  ) => Promise<oauth.TokenEndpointResponse>,
): Promise<Grant> {
  const asked = clock.monotonic();
  const dispatcher = new EnvHttpProxyAgent({ allowH2: false, headersTimeout: deadlineMs, bodyTimeout: deadlineMs });
  const options: oauth.TokenEndpointRequestOptions = {
    // Addresses are checked with the settings: plain http is loopback here. Marked as deprecated only to stand out.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    [oauth.allowInsecureRequests]: isLoopback(new URL(authUrl).hostname),
    [oauth.customFetch]: async (url, init) =>
      standardized(
        (await undiciFetch(url, { ...(init as object), redirect: "manual", dispatcher })) as unknown as Response,
      ),
  };
  try {
    const server = { issuer: authUrl, token_endpoint: endpoint(authUrl, "token") };
    const tokens = await request(server, { client_id: clientId }, options);
    const seconds = Math.min(tokens.expires_in ?? longestLifetimeSeconds, longestLifetimeSeconds);
    const lifetimeMs = Math.max(0, seconds * 1000 - (clock.monotonic() - asked));
    return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token, lifetimeMs };
  } catch (cause) {
    const hidden = [clientSecret, ...secrets].filter((secret) => secret !== "");
    const hide = (text: string) =>
      oneLine(
        hidden.reduce((rest, secret) => rest.replaceAll(secret, "<secret>"), text),
        200,
      );
    throw cause instanceof oauth.ResponseBodyError
      ? refused(doing, cause, hide)
      : new NetworkError(
          {
            doing,
            said: `the authorization server at ${new URL(authUrl).host} did not answer as an OAuth server does (${hide(reason(cause))}).`,
            next: "Check reseller:authUrl, the network and the proxy settings, then run again.",
          },
          true,
        );
  } finally {
    await dispatcher.close();
  }
}

/**
 * What this service does its own way, in one place: `expires` for `expires_in`, null for what it leaves out. An
 * id_token is dropped, since nothing here is decided by it.
 */
async function standardized(response: Response): Promise<Response> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return new Response(text, response);
  }
  if (typeof body !== "object" || body === null) return new Response(text, response);
  const { expires, expires_in, ...fields } = Object.fromEntries(
    Object.entries(body as Record<string, unknown>).filter(([name, value]) => value !== null && name !== "id_token"),
  );
  const lifetime = Number(expires_in ?? expires);
  // Only a plausible number of seconds counts; an epoch or rubbish falls back to the documented hour.
  const plausible = lifetime > 0 && lifetime <= 86_400;
  return Response.json({ ...fields, ...(plausible ? { expires_in: lifetime } : {}) }, { status: response.status });
}

function refused(doing: string, answer: oauth.ResponseBodyError, hide: (text: string) => string) {
  const said = `the authorization server answered ${answer.status}: ${hide(described(answer))}.`;
  return answer.error === "invalid_grant"
    ? new LoginRequiredError({ doing, said, next: "Sign in again: npx pulumi-reseller login." })
    : new UnauthorizedError({ doing, said, next: "Check the client id and the client secret, then run again." });
}

function described({ error, error_description }: { error: string; error_description?: string }): string {
  return error_description ? `${error} (${error_description})` : error;
}

/** Why the browser came back without a code for this sign-in (RFC 6749, 4.1.2.1). */
function notApproved(cause: unknown): UnauthorizedError {
  const doing = "sign in";
  if (!(cause instanceof oauth.AuthorizationResponseError)) {
    return new UnauthorizedError({
      doing,
      said: "what came back from the browser belongs to another sign-in (its state differs).",
      next: "Nothing was stored. Run login again, and finish it in the window that it opens.",
    });
  }
  if (cause.error === "access_denied") {
    return new UnauthorizedError({
      doing,
      said: "access was denied in the portal.",
      next: "Nothing was stored. Run login again and approve.",
    });
  }
  return new UnauthorizedError({
    doing,
    said: `the authorization server answered: ${oneLine(described(cause), 200)}.`,
    next: "Nothing was stored. Check the client id and the redirect address that the service knows it by.",
  });
}

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown reason";
  const { cause: inner } = cause;
  const code = inner instanceof Error && "code" in inner ? String(inner.code) : "";
  return code || cause.message;
}
