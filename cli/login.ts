import { createInterface } from "node:readline/promises";
import password from "@inquirer/password";
import { type Command, Option } from "commander";
import open from "open";
import { entryKey, type EntryKey } from "../provider/auth/entry";
import { authorization, type Authorization, exchange, type OAuthClient } from "../provider/auth/oauth";
import type { TokenStore } from "../provider/auth/store";
import { after } from "../provider/auth/tokens";
import { systemClock } from "../provider/clock";
import { defaultProfile } from "../provider/config";
import { LoginRequiredError } from "../provider/errors";
import { tokenStore } from "../provider/service";
import { listenForRedirect } from "./redirect";
import { addChoice, type Choice, described, reached, settingOption } from "./sign-ins";
import { messageOf } from "./text";

interface Options extends Choice {
  profile: string;
  authUrl?: string;
  redirectUri?: string;
  browser: boolean;
  keychain: boolean;
  json: boolean;
}

/** Authentication, step 1: the redirect address of every client that asked for no other. */
const defaultRedirect = "http://127.0.0.1:8000";
const patienceMs = 5 * 60_000;

/** `pulumi-reseller login`: the OAuth authorization code grant, once; runs renew its tokens from then on. */
export function addLogin(program: Command): void {
  addChoice(program.command("login"))
    .description("Sign in through the reseller portal. From then on every run on this machine gets its tokens itself.")
    .addOption(settingOption("--auth-url <url>", "authUrl"))
    .addOption(
      new Option("--redirect-uri <url>", "where the portal sends the browser back to; the service must know it")
        .default(undefined, defaultRedirect)
        .argParser(redirectAddress),
    )
    .option("--no-browser", "print the address, and take the address you end up at from the keyboard")
    .option("--keychain", "encrypt the tokens with a key in the keychain of the operating system", false)
    .option("--json", "print the result as JSON", false)
    .addHelpText(
      "after",
      `
The client secret is read from $RESELLER_CLIENT_SECRET, or asked for. Whatever an earlier login to the same profile
was told need not be told again.

  First time:   pulumi-reseller login --base-url https://api.example.com --auth-url https://login.example.com --client-id acme
  Again:        pulumi-reseller login
  Production:   pulumi-reseller login --profile prod …, and in the stack: pulumi config set reseller:profile prod
  Over SSH:     pulumi-reseller login --no-browser`,
    )
    .action(async (options: Options) => {
      await login(options, tokenStore());
    });
}

async function login(options: Options, store: TokenStore): Promise<void> {
  const { key, client, redirectUri } = await connectionFor(options, store);
  // Before anybody types a password: what comes back must be kept.
  await store.proveWritable(key, options.keychain);
  const asked = await authorization(client, redirectUri);
  const redirected = options.browser ? inBrowser : byHand;
  await redirected(asked, async (redirect) => {
    const grant = await exchange(client, asked, redirect, systemClock);
    if (grant.refreshToken === undefined) {
      throw new LoginRequiredError({
        doing: "sign in",
        said: "the authorization server gave no refresh token, so the sign-in would end within the hour.",
        next: "Ask the service to allow this client offline_access.",
      });
    }
    const { authUrl, clientSecret } = client;
    const now = systemClock.now();
    const signIn = after({ authUrl, clientSecret, redirectUri, usedAt: now }, grant, now);
    const entry = { key, keychain: options.keychain, signIn };
    await store.exclusively("keep the sign-in", (transaction) => transaction.write(entry));
    const enterprise = await reached(store, key).catch((error: unknown) => {
      throw new Error(`the tokens are stored, but the service did not take them. ${messageOf(error)}`);
    });
    const whose = enterprise === undefined ? "an enterprise without accounts yet" : `enterprise ${enterprise}`;
    if (options.json) {
      process.stdout.write(`${JSON.stringify({ ...described(entry), enterprise: enterprise ?? null })}\n`);
    } else {
      process.stdout.write(summary(key, whose, described(entry).refreshTokenEnds ?? "", store.path));
    }
    return `${key.baseUrl} is connected as client ${key.clientId}: ${whose}.`;
  });
}

function summary({ profile, baseUrl, clientId }: EntryKey, whose: string, ends: string, path: string): string {
  const select = profile === defaultProfile ? "" : `\n  pulumi config set reseller:profile ${profile}`;
  return `Signed in to ${baseUrl} as client ${clientId} (profile ${profile}): ${whose}.
The tokens are kept in ${path} and renewed as runs need them. The sign-in ends on ${ends.slice(0, 10)} if no run uses it before.
In each stack that is to use it:
  pulumi config set reseller:baseUrl ${baseUrl}${select}
`;
}

interface Connection {
  key: EntryKey;
  client: OAuthClient;
  redirectUri: string;
}

/** What an earlier login to the same profile was told need not be told again. */
async function connectionFor(options: Options, store: TokenStore): Promise<Connection> {
  const [before, ...others] = store.find(options);
  const known = before && others.length === 0 ? await store.read(before).catch(() => undefined) : undefined;
  const baseUrl = options.baseUrl ?? known?.key.baseUrl;
  const authUrl = options.authUrl ?? known?.signIn.authUrl;
  const clientId = options.clientId ?? known?.key.clientId;
  for (const [flag, value] of Object.entries({ "base-url": baseUrl, "auth-url": authUrl, "client-id": clientId })) {
    if (value === undefined) {
      const variable = `RESELLER_${flag.toUpperCase().replace("-", "_")}`;
      throw new Error(
        `which service? --${flag} is missing ($${variable}). The service gave it to you with the client id.`,
      );
    }
  }
  const key = entryKey({ profile: options.profile, baseUrl: baseUrl ?? "", clientId: clientId ?? "" });
  // A secret that one server knows is not shown to another.
  const kept = known?.signIn.authUrl === authUrl ? known?.signIn.clientSecret : undefined;
  const clientSecret = process.env["RESELLER_CLIENT_SECRET"] || kept || (await askForSecret());
  const redirectUri = options.redirectUri ?? known?.signIn.redirectUri ?? defaultRedirect;
  return { key, client: { authUrl: authUrl ?? "", clientId: key.clientId, clientSecret }, redirectUri };
}

function redirectAddress(text: string): string {
  const { protocol, hash } = URL.parse(text) ?? { protocol: "", hash: "" };
  if (/^https?:$/.test(protocol) && hash === "") return text;
  throw new Error(`--redirect-uri must be an address such as ${defaultRedirect}.`);
}

async function askForSecret(): Promise<string> {
  if (!process.stdin.isTTY) throw new Error("the client secret is missing: set $RESELLER_CLIENT_SECRET.");
  return password({ message: "Client secret", mask: true, validate: (text) => text !== "" || "It cannot be empty." });
}

type Finish = (redirect: URL) => Promise<string>;

async function inBrowser({ address, redirectUri }: Authorization, finish: Finish): Promise<void> {
  const listener = await listenForRedirect(redirectUri);
  try {
    process.stderr.write(`Opening the portal in your browser. If nothing opens, visit:\n\n  ${address}\n\n`);
    // Without a browser here, the address above is the way.
    await open(address).catch(() => undefined);
    const text = await finish(await withinPatience(listener.arrived));
    await listener.answer("You are signed in", text, true);
  } catch (error) {
    await listener.answer("The sign-in failed", messageOf(error), false);
    throw error;
  } finally {
    listener.close();
  }
}

async function byHand({ address, redirectUri }: Authorization, finish: Finish): Promise<void> {
  process.stderr.write(
    `Visit this address and sign in:\n\n  ${address}\n\nThe browser then goes to ${redirectUri}, which it may fail to show. ` +
      "Paste that address, all of it, here:\n",
  );
  const lines = createInterface({ input: process.stdin });
  try {
    const pasted = await withinPatience(
      new Promise<string>((resolve, reject) => {
        lines.once("line", resolve).once("close", () => {
          reject(new Error("no address was pasted. Nothing was stored."));
        });
      }),
    );
    const redirect = URL.parse(pasted.trim());
    if (!redirect?.searchParams.has("state")) {
      throw new Error(
        `that is not the address you were sent to: it starts with ${redirectUri} and holds a state. Run login again.`,
      );
    }
    await finish(redirect);
  } finally {
    lines.close();
  }
}

async function withinPatience<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error("nobody signed in within five minutes. Nothing was stored; run login again."));
    }, patienceMs);
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}
