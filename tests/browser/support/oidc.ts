import { generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import Provider, { type Configuration, type JWK } from "oidc-provider";
import type { Simulator } from "../../../simulator";

/** An authorization server that nobody here wrote, in front of the simulator's API, which takes no token but its own. */
export interface OidcServer extends AsyncDisposable {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Paths of the requests to the token endpoint, with what was granted by each. */
  readonly grants: string[];
  /** From now on the token endpoint answers with the page of a proxy. */
  breakTokenEndpoint(): void;
}

const clientId = "acme";
const clientSecret = "oidc-client-secret";
const proxyPage = "<!DOCTYPE html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>";

export async function startOidcServer(simulator: Simulator, rotates: boolean): Promise<OidcServer> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // It warns that its memory is no database.
  jest.spyOn(console, "warn").mockImplementation(() => undefined);
  const provider = new Provider(url, configuration(rotates));
  const grants: string[] = [];
  provider.on("grant.success", (context) => {
    grants.push(String(context.oidc.params?.["grant_type"]));
  });
  // OpenID Connect gives a refresh token only where consent is asked for; the service wants offline_access alone.
  provider.use((context, next) => {
    if (context.path === "/connect/authorize") context.query = { ...context.query, prompt: "consent" };
    return next();
  });
  const toProvider = provider.callback();
  let broken = false;
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? "/", url);
    const answered =
      pathname === "/connect/token" && broken
        ? Promise.resolve(response.writeHead(502, { "content-type": "text/html" }).end(proxyPage))
        : pathname.startsWith("/api/")
          ? callApi(provider, simulator, request, response)
          : pathname.startsWith("/interaction/")
            ? interact(provider, request, response)
            : toProvider(request, response);
    answered.catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  return {
    url,
    clientId,
    clientSecret,
    grants,
    breakTokenEndpoint: () => {
      broken = true;
    },
    [Symbol.asyncDispose]: async () => {
      server.close().closeAllConnections();
      await once(server, "close");
    },
  };
}

function configuration(rotates: boolean): Configuration {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    jwks: { keys: [{ ...(privateKey.export({ format: "jwk" }) as JWK), use: "sig", alg: "RS256" }] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    routes: { authorization: "/connect/authorize", token: "/connect/token" },
    scopes: ["openid", "offline_access", "onboarding"],
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: "client_secret_post",
        application_type: "native",
        // Any port: RFC 8252, section 7.3.
        redirect_uris: ["http://127.0.0.1"],
        response_types: ["code"],
        grant_types: ["authorization_code", "refresh_token"],
      },
    ],
    rotateRefreshToken: rotates,
    // Its own pages load a font from the network.
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    ttl: {
      AccessToken: 3600,
      IdToken: 3600,
      RefreshToken: 90 * 86_400,
      Grant: 90 * 86_400,
      Session: 3600,
      Interaction: 600,
    },
  };
}

/** The portal's pages: a login, then a consent that can be denied. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (request.method !== "POST") {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(portalPage(prompt.name));
    return;
  }
  const form = new URLSearchParams(await text(request));
  if (form.get("decision") === "deny") {
    const denied = { error: "access_denied", error_description: "The user denied the request." };
    await provider.interactionFinished(request, response, denied);
  } else if (prompt.name === "login") {
    await provider.interactionFinished(request, response, { login: { accountId: form.get("user") ?? "" } });
  } else {
    const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: String(params["client_id"]) });
    grant.addOIDCScope(String(params["scope"]));
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  }
}

function portalPage(prompt: string): string {
  const fields =
    prompt === "login"
      ? '<label>User <input name="user" required></label> <label>Password <input name="password" type="password" required></label>'
      : "<p>acme asks for access.</p>";
  const buttons = `<button name="decision" value="approve">Continue</button> <button name="decision" value="deny" formnovalidate>Deny</button>`;
  return `<!DOCTYPE html><title>Portal: ${prompt}</title><form method="post">${fields} ${buttons}</form>`;
}

/** The API behind this server: real tokens of the one in, the other's own token out. */
async function callApi(
  provider: Provider,
  simulator: Simulator,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1];
  const known = token === undefined ? undefined : await provider.AccessToken.find(token);
  if (!known?.scope?.includes("onboarding")) {
    response.writeHead(401, { "www-authenticate": "Bearer" }).end();
    return;
  }
  const headers = { authorization: `Bearer ${simulator.accessToken}` };
  const answer = await fetch(simulator.baseUrl + (request.url ?? ""), { method: request.method ?? "GET", headers });
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
  response.end(await answer.text());
}
