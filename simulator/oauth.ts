import type { Call } from "./context";
import { errorPage, loginPage } from "./login-page";
import { empty, html, json, type Reply } from "./respond";
import type { Grant } from "./tokens";

const knownScopes = new Set(["openid", "offline_access", "onboarding"]);
const loopback = new Set(["127.0.0.1", "localhost", "[::1]"]);
/** Used where a request has no redirect_uri. Service document: "Authentication", steps 1 and 2. */
const defaultRedirect = "http://127.0.0.1:8000";
const noStore = { "cache-control": "no-store" };

/** GET /connect/authorize: shows the login page, or approves at once with the option `autoApprove`. */
export function authorize(call: Call): Reply {
  const { settings } = call.context;
  const asked = call.query;
  const refusal = refuse(call, asked);
  if (refusal) return refusal;
  if (settings.autoApprove) return approve(call, asked);
  return html(200, loginPage(settings.clientId, scopesOf(asked), Object.fromEntries(asked)), noStore);
}

/** POST /connect/authorize: the form of the login page, whose `decision` is approve or deny. */
export function decide(call: Call): Reply {
  const asked = formOf(call);
  const refusal = refuse(call, asked);
  if (refusal) return refusal;
  if (asked.get("decision") === "approve") return approve(call, asked);
  return back(asked, { error: "access_denied", error_description: "The user denied the request." });
}

function refuse(call: Call, asked: URLSearchParams): Reply | undefined {
  // A redirect to an address that wasn't checked would hand the answer to a stranger, so these two show a page.
  if (asked.get("client_id") !== call.context.settings.clientId) {
    return html(400, errorPage("unauthorized_client", "The client_id is not known."), noStore);
  }
  if (!isLoopback(redirectOf(asked))) {
    return html(400, errorPage("invalid_request", "The redirect_uri is not a loopback address."), noStore);
  }
  if (asked.get("response_type") !== "code") {
    return back(asked, { error: "unsupported_response_type", error_description: "The response_type must be code." });
  }
  const scopes = scopesOf(asked);
  if (scopes.length === 0 || scopes.some((scope) => !knownScopes.has(scope))) {
    return back(asked, { error: "invalid_scope", error_description: `Known scopes: ${[...knownScopes].join(" ")}.` });
  }
  if (!asked.get("state")) {
    return back(asked, { error: "invalid_request", error_description: "The state is missing." });
  }
  if (asked.has("code_challenge") && asked.get("code_challenge_method") !== "S256") {
    return back(asked, { error: "invalid_request", error_description: "The code_challenge_method must be S256." });
  }
  return undefined;
}

function approve(call: Call, asked: URLSearchParams): Reply {
  const challenge = asked.get("code_challenge") ?? undefined;
  return back(asked, { code: call.context.tokens.issueCode(redirectOf(asked), scopesOf(asked).join(" "), challenge) });
}

/** Sends the browser back to the client. */
function back(asked: URLSearchParams, answer: Record<string, string>): Reply {
  const location = new URL(redirectOf(asked));
  for (const [name, value] of Object.entries(answer)) location.searchParams.set(name, value);
  const state = asked.get("state");
  if (state !== null) location.searchParams.set("state", state);
  return empty(302, { ...noStore, location: location.href });
}

/** POST /connect/token. Service document: "Authentication", steps 2 and 3; errors as in RFC 6749, section 5.2. */
export function token(call: Call): Reply {
  const { settings, tokens } = call.context;
  if (!isForm(call)) return oauthError(400, "invalid_request", "The body must be a form.");
  const form = formOf(call);
  if (form.get("client_id") !== settings.clientId || form.get("client_secret") !== settings.clientSecret) {
    return oauthError(401, "invalid_client", "The client_id or the client_secret is wrong.");
  }
  const field = (name: string): string => form.get(name) ?? "";
  let grant: Grant | string;
  switch (field("grant_type")) {
    case "authorization_code":
      if (field("code") === "") return oauthError(400, "invalid_request", "The code is missing.");
      grant = tokens.exchange(field("code"), redirectOf(form), form.get("code_verifier") ?? undefined);
      break;
    case "refresh_token":
      if (field("refresh_token") === "") return oauthError(400, "invalid_request", "The refresh_token is missing.");
      grant = tokens.renew(field("refresh_token"));
      break;
    case "":
      return oauthError(400, "invalid_request", "The grant_type is missing.");
    default:
      return oauthError(400, "unsupported_grant_type", "Known: authorization_code, refresh_token.");
  }
  if (typeof grant === "string") return oauthError(400, "invalid_grant", grant);
  const refresh = grant.refreshToken === undefined ? {} : { refresh_token: grant.refreshToken };
  const body = { access_token: grant.accessToken, ...refresh, token_type: "bearer", ...lifetime(call, grant) };
  return json(200, body, noStore);
}

/** The lifetime in the form the options choose; the document's two statements about it don't agree. */
function lifetime(call: Call, grant: Grant): Record<string, unknown> {
  const { expiresForm, accessTokenLifetimeSeconds } = call.context.settings;
  switch (expiresForm) {
    case "expires":
      return { expires: 5400 };
    case "expires_in":
      return { expires_in: accessTokenLifetimeSeconds };
    case "string":
      return { expires: "5400" };
    case "epoch":
      return { expires: Math.floor(grant.expiresAt / 1000) };
    case "missing":
      return {};
  }
}

function oauthError(status: number, error: string, description: string): Reply {
  return json(status, { error, error_description: description }, noStore);
}

function isForm(call: Call): boolean {
  return /^application\/x-www-form-urlencoded *(;|$)/i.test(call.headers["content-type"] ?? "");
}

function formOf(call: Call): URLSearchParams {
  return new URLSearchParams(call.body.toString("utf8"));
}

function redirectOf(asked: URLSearchParams): string {
  return asked.get("redirect_uri") ?? defaultRedirect;
}

function scopesOf(asked: URLSearchParams): string[] {
  return (asked.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
}

function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === "http:" && loopback.has(url.hostname) && url.hash === "" && url.username === "";
}
