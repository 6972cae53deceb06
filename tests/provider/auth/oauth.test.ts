import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Authorization, authorization, exchange, type OAuthClient, refresh } from "../../../provider/auth/oauth";
import { LoginRequiredError, NetworkError, UnauthorizedError } from "../../../provider/errors";
import { closeAfterwards, everything, FakeClock, rejection } from "../support";

/** What is sent to the authorization server, to the letter, and how its answers are understood. */

const clientSecret = "canary-client-secret";
const oldToken = "canary-refresh-token";
const code = "canary-code";
const redirectUri = "http://127.0.0.1:8000";
const tokens = { access_token: "access", refresh_token: "next", token_type: "bearer", expires: 5400 };

interface Received {
  line: string;
  headers: IncomingHttpHeaders;
  form: Record<string, string>;
}
type Answer = (response: ServerResponse) => void;

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
const cut: Answer = (response) => response.destroy();

/** An authorization server that gives these answers, the last one for good. */
async function serve(...answers: Answer[]): Promise<{ client: OAuthClient; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = "", url = "", headers } = request;
      received.push({ line: `${method} ${url}`, headers, form: Object.fromEntries(new URLSearchParams(body)) });
      (answers.length > 1 ? answers.shift() : answers[0])?.(response);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closeAfterwards(() => {
    server.close().closeAllConnections();
    return Promise.resolve();
  });
  const authUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: { authUrl, clientId: "acme", clientSecret }, received };
}

function comeBack({ redirectUri, state }: Authorization, answer: Record<string, string> = { code }): URL {
  return new URL(`?${new URLSearchParams({ state, ...answer }).toString()}`, redirectUri);
}

async function signIn(client: OAuthClient, answer?: Record<string, string>) {
  const asked = await authorization(client, redirectUri);
  return exchange(client, asked, comeBack(asked, answer), new FakeClock());
}

describe("step 1, the address to visit", () => {
  const client = { authUrl: "https://login.example.com/portal/", clientId: "acme & co" };

  it("holds what the service document lists, and a challenge", async () => {
    const { address, state, verifier } = await authorization(client, redirectUri);
    const { origin, pathname, searchParams } = new URL(address);
    expect(origin + pathname).toBe("https://login.example.com/portal/connect/authorize");
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: "acme & co",
      response_type: "code",
      state,
      redirect_uri: redirectUri,
      scope: "openid offline_access onboarding",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
  });

  it("is another one each time", async () => {
    const [first, second] = [await authorization(client, redirectUri), await authorization(client, redirectUri)];
    expect(first.state).not.toBe(second.state);
    expect(first.verifier).not.toBe(second.verifier);
    expect(first.address).not.toContain(first.verifier);
  });
});

describe("step 2, the exchange of the code", () => {
  it("sends the documented form once, with authorization_code and the secret in the body", async () => {
    const { client, received } = await serve(json(tokens));
    const asked = await authorization(client, redirectUri);
    const grant = await exchange(client, asked, comeBack(asked), new FakeClock());
    expect(grant).toEqual({ accessToken: "access", refreshToken: "next", lifetimeMs: 3_600_000 });
    expect(received.map(({ line, form }) => [line, form])).toEqual([
      [
        "POST /connect/token",
        {
          code,
          grant_type: "authorization_code",
          client_id: "acme",
          client_secret: clientSecret,
          redirect_uri: redirectUri,
          code_verifier: asked.verifier,
        },
      ],
    ]);
    expect(received[0]?.headers["content-type"]).toMatch(/^application\/x-www-form-urlencoded/);
    expect(received[0]?.headers).not.toHaveProperty("authorization");
  });

  it("joins addresses with and without a slash at the end", async () => {
    const { client, received } = await serve(json(tokens));
    await signIn({ ...client, authUrl: `${client.authUrl}/portal/` });
    expect(received[0]?.line).toBe("POST /portal/connect/token");
  });

  it("does not mind by which name the server calls itself", async () => {
    const { client } = await serve(json(tokens));
    expect(await signIn(client, { code, iss: "https://somebody.example" })).toMatchObject({ accessToken: "access" });
  });

  it.each([
    ["another state", { code, state: "other" }, /belongs to another sign-in \(its state differs\)/],
    ["a denial", { error: "access_denied" }, /access was denied in the portal.*Nothing was stored/],
    ["an error", { error: "invalid_scope", error_description: "No.\nNever." }, /invalid_scope \(No\. Never\.\)/],
  ])("sends nothing after %s", async (_what, answer, message) => {
    const { client, received } = await serve(json(tokens));
    const error = await rejection(signIn(client, answer));
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect(error.message).toMatch(message);
    expect(received).toEqual([]);
  });

  it("is not sent again when its answer is lost: a code is good for one use", async () => {
    const { client, received } = await serve(cut);
    expect(await rejection(signIn(client))).toBeInstanceOf(NetworkError);
    expect(received).toHaveLength(1);
  });
});

describe("step 3, the refresh", () => {
  it("sends the documented form", async () => {
    const { client, received } = await serve(json(tokens));
    await refresh(client, oldToken, new FakeClock());
    expect(received.map(({ line, form }) => [line, form])).toEqual([
      [
        "POST /connect/token",
        { refresh_token: oldToken, grant_type: "refresh_token", client_id: "acme", client_secret: clientSecret },
      ],
    ]);
  });

  it.each([
    ["a lost answer", cut],
    ["the page of a proxy", (response: ServerResponse) => response.writeHead(502).end("<html>")],
    ["an answer cut short", (response: ServerResponse) => response.end('{"access_token":')],
  ])("is sent once more after %s", async (_what, answer) => {
    const { client, received } = await serve(answer, json(tokens));
    expect(await refresh(client, oldToken, new FakeClock())).toMatchObject({ accessToken: "access" });
    expect(received).toHaveLength(2);
  });

  it("is sent no third time", async () => {
    const { client, received } = await serve(cut);
    const error = await rejection(refresh(client, oldToken, new FakeClock()));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.message).toContain("Check reseller:authUrl");
    expect(received).toHaveLength(2);
  });
});

describe("the answer", () => {
  const common = { access_token: "access", token_type: "bearer" };

  it.each([
    ["expires as in the worked response: the shorter hour", { expires: 5400 }, 3600],
    ["expires below an hour", { expires: 1200 }, 1200],
    ["expires_in", { expires_in: 600 }, 600],
    ["expires_in beside expires", { expires_in: 600, expires: 5400 }, 600],
    ["a text", { expires: "1800" }, 1800],
    ["an epoch", { expires: 1_750_000_000 }, 3600],
    ["nothing", {}, 3600],
    ["null", { expires_in: null, expires: null }, 3600],
    ["a negative number", { expires_in: -5 }, 3600],
    ["rubbish", { expires_in: { a: 1 }, expires: "soon" }, 3600],
  ])("tells the lifetime by %s", async (_what, part, seconds) => {
    const { client } = await serve(json({ ...common, ...part }));
    expect((await refresh(client, oldToken, new FakeClock())).lifetimeMs).toBe(seconds * 1000);
  });

  it.each([
    ["null fields", { refresh_token: null, id_token: null, scope: null }],
    ["an id_token that is none", { id_token: "rubbish" }],
    ["fields that nobody knows", { session: { a: 1 }, expires_at: "x" }],
    ["another spelling of the token type", { token_type: "Bearer" }],
  ])("may hold %s", async (_what, part) => {
    const { client } = await serve(json({ ...common, ...part }));
    expect(await signIn(client)).toEqual({ accessToken: "access", refreshToken: undefined, lifetimeMs: 3_600_000 });
  });

  it.each([
    ["invalid_grant", 400, LoginRequiredError, "Sign in again: npx pulumi-reseller login."],
    ["invalid_client", 401, UnauthorizedError, "Check the client id and the client secret"],
    ["unauthorized_client", 400, UnauthorizedError, "Check the client id and the client secret"],
  ])("%s is one line, without what was sent even if the server quotes it", async (error, status, kind, next) => {
    const quoting = `It was ${oldToken} ${code} ${clientSecret}\nfor ever`;
    const challenge = { "www-authenticate": 'Basic realm="portal"' };
    for (const ask of [signIn, (client: OAuthClient) => refresh(client, oldToken, new FakeClock())]) {
      const { client, received } = await serve(json({ error, error_description: quoting }, status, challenge));
      const failure = await rejection(ask(client));
      expect(failure).toBeInstanceOf(kind);
      expect(failure.message).toContain(`the authorization server answered ${status}: ${error} (It was `);
      expect(failure.message).toContain(next);
      expect(failure.message).not.toContain("\n");
      expect(received).toHaveLength(1);
      const verifier = received[0]?.form["code_verifier"] ?? "none was sent";
      // Each request hides what it sent.
      const sent = Object.keys(received[0]?.form ?? {}).includes("code") ? code : oldToken;
      for (const secret of [clientSecret, sent, verifier]) expect(everything(failure)).not.toContain(secret);
    }
  });

  it.each([
    ["no token", json({ token_type: "bearer" })],
    ["a list", json([])],
    ["a page", (response: ServerResponse) => response.end(`<html>${clientSecret} ${oldToken}</html>`)],
    ["nothing", (response: ServerResponse) => response.end()],
  ])("that holds %s is one line about the address", async (_what, answer) => {
    const { client } = await serve(answer);
    const failure = await rejection(refresh(client, oldToken, new FakeClock()));
    expect(failure).toBeInstanceOf(NetworkError);
    expect(failure.message).toMatch(/^Could not get an access token: .* did not answer as an OAuth server does .*$/);
    for (const secret of [clientSecret, oldToken]) expect(everything(failure)).not.toContain(secret);
  });

  it.each([301, 302, 307, 308])(
    "%d leads nowhere: code and secret stay with the server they are for",
    async (status) => {
      const other = await serve(json(tokens));
      const location = `${other.client.authUrl}/connect/token`;
      const { client } = await serve((response) => response.writeHead(status, { location }).end());
      expect(await rejection(signIn(client))).toBeInstanceOf(NetworkError);
      expect(await rejection(refresh(client, oldToken, new FakeClock()))).toBeInstanceOf(NetworkError);
      expect(other.received).toEqual([]);
    },
  );
});
