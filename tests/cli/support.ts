import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Command } from "commander";
import { addLogin } from "../../cli/login";
import { addLogout } from "../../cli/logout";
import { addStatus } from "../../cli/status";
import { addToken } from "../../cli/token";
import type { SignIn } from "../../provider/auth/entry";
import { tokenStore } from "../../provider/service";
import { freeAddress } from "../free-address";
import { simulate, temporaryFolder } from "../provider/support";
import type { Simulator, SimulatorOptions } from "../../simulator";

/** The commands around a sign-in, in this process. A fetch plays the browser. */

jest.mock("open", () => ({ __esModule: true, default: (address: string) => mockBrowser.open(address) }));
jest.mock("@inquirer/password", () => ({ __esModule: true, default: () => Promise.resolve(mockTyped.secret) }));
jest.mock("oauth4webapi", () => {
  const library = jest.requireActual<typeof import("oauth4webapi")>("oauth4webapi");
  const generateRandomCodeVerifier = () => {
    const verifier = library.generateRandomCodeVerifier();
    mockSecrets.add(verifier);
    return verifier;
  };
  return { ...library, generateRandomCodeVerifier };
});

export const clientSecret = "canary-client-secret";
/** What no command may print. */
const mockSecrets = new Set<string>();
const mockTyped = { secret: clientSecret };
const mockBrowser = { open: (_address: string): Promise<void> => Promise.resolve() };

/** The page that the browser ended at. */
export interface Page {
  status: number;
  html: string;
}

/** What a command did. `error` is what it ended with: the line on the terminal. */
export interface Outcome {
  stdout: string;
  stderr: string;
  error: string;
  exitCode: number;
  /** What the browser came to see, where one was opened. */
  page: Page | undefined;
}

export interface RunOptions {
  /** What is typed or piped in; without it the input stays open and silent. */
  stdin?: string;
  /** What is typed once the command has printed something that ends in a colon. */
  answer?: (printed: string) => Promise<string>;
  terminal?: boolean;
  /** Where the browser goes when it is sent to this address. */
  browse?: (address: string) => string;
  /** For `token export`, which has to print secrets. */
  reveals?: boolean;
}

const environment = { ...process.env };
const { stdin } = process;

beforeEach(() => {
  process.env["RESELLER_TOKEN_STORE"] = join(temporaryFolder(), "tokens.db");
  process.env["RESELLER_CLIENT_SECRET"] = clientSecret;
  mockSecrets.clear();
  mockSecrets.add(clientSecret);
});

afterEach(() => {
  jest.restoreAllMocks();
  process.env = { ...environment };
  process.exitCode = undefined;
});

/** Runs a command, and makes sure that it prints no secret of any sign-in. */
export async function run(args: string[], options: RunOptions = {}): Promise<Outcome> {
  const outcome: Outcome = { stdout: "", stderr: "", error: "", exitCode: 0, page: undefined };
  const input = Object.assign(new PassThrough(), { isTTY: options.terminal === true });
  if (options.stdin !== undefined) input.end(options.stdin);
  for (const name of ["stdout", "stderr"] as const) {
    jest.spyOn(process[name], "write").mockImplementation((text) => {
      outcome[name] += String(text);
      if (outcome[name].endsWith(":\n")) void options.answer?.(outcome[name]).then((typed) => input.write(typed));
      return true;
    });
  }
  let browsing: Promise<void> = Promise.resolve();
  mockBrowser.open = (address) => {
    browsing = browse((options.browse ?? ((same) => same))(address)).then((page) => void (outcome.page = page));
    return Promise.resolve();
  };
  Object.defineProperty(process, "stdin", { value: input, configurable: true });
  process.exitCode = undefined;
  await rememberSecrets();
  try {
    await commands().parseAsync(args, { from: "user" });
  } catch (error) {
    outcome.error = error instanceof Error ? error.message : String(error);
    process.exitCode = 1;
  } finally {
    Object.defineProperty(process, "stdin", { value: stdin, configurable: true });
  }
  await browsing;
  outcome.exitCode = process.exitCode ?? 0;
  process.exitCode = undefined;
  jest.restoreAllMocks();
  await rememberSecrets();
  if (options.reveals !== true) {
    const { stdout, stderr, error, page } = outcome;
    const told = [stdout, stderr, error, page?.html ?? ""].join("\n");
    for (const secret of mockSecrets) expect(told).not.toContain(secret);
  }
  return outcome;
}

function commands(): Command {
  const program = new Command("pulumi-reseller");
  for (const add of [addLogin, addStatus, addLogout, addToken]) add(program);
  const quiet = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: () => undefined });
    for (const below of command.commands) quiet(below);
  };
  quiet(program);
  return program;
}

/** Follows redirects as a browser does; what it is handed on the way is secret. */
async function browse(address: string): Promise<Page> {
  for (let next = address; ;) {
    const response = await fetch(next, { redirect: "manual" });
    const location = response.headers.get("location");
    if (location === null) return { status: response.status, html: await response.text() };
    const code = new URL(location).searchParams.get("code");
    if (code !== null) mockSecrets.add(code);
    next = location;
  }
}

async function rememberSecrets(): Promise<void> {
  for (const signIn of await signIns()) {
    for (const secret of [signIn.clientSecret, signIn.refreshToken, signIn.access?.token]) {
      if (secret !== undefined) mockSecrets.add(secret);
    }
  }
}

/** What the token store holds. */
export async function signIns(): Promise<SignIn[]> {
  const store = tokenStore();
  const entries = await Promise.all(store.keys().map((key) => store.read(key)));
  return entries.flatMap((entry) => (entry ? [entry.signIn] : []));
}

export const seedAccounts = [{ name: "Acme Telecom" }];

/** A service with a portal that approves at once, and the flags of a first login to it. */
export async function portal(options: SimulatorOptions = {}): Promise<{ simulator: Simulator; flags: string[] }> {
  const simulator = await simulate({ autoApprove: true, clientSecret, seedAccounts, ...options });
  const { baseUrl, authUrl, clientId } = simulator;
  const flags = ["--base-url", baseUrl, "--auth-url", authUrl, "--client-id", clientId];
  return { simulator, flags: [...flags, "--redirect-uri", await freeAddress()] };
}
