import type { dynamic } from "@pulumi/pulumi";
import type { ReadConfiguration } from "./config";
import * as account from "./resources/account";
import { ResellerError } from "./errors";
import { connect } from "./service";

/** What the engine's dynamic host calls, in its shapes. It translates; resources/ decides. */

type Fields = Record<string, unknown>;

// The host runs one operation with one configuration: what it configures last is what counts.
let readConfiguration: ReadConfiguration = () => undefined;
let service: account.AccountService | undefined;

/** Synchronous, because the host calls other methods before an asynchronous one would have ended. */
function configure({ config }: dynamic.ConfigureRequest): void {
  readConfiguration = (key) => config.get(key);
  service = undefined;
}

/** Made at first need: checking and comparing work without settings. */
function connected(): account.AccountService {
  // The engine shows what a provider writes to standard error as information on the update.
  service ??= connect(readConfiguration, (line) => process.stderr.write(`${line}\n`));
  return service;
}

/** The name under which the program's front hands over the reference an account gets when it is given none. */
const defaultReferenceKey = "__defaultReference";

export const accountHost = {
  configure,
  check: (olds: Fields, news: Fields) => account.check(olds, news, text(news[defaultReferenceKey])),
  diff: (_id: string, olds: Fields, news: Fields) => account.diff(olds, news),
  create: (inputs: Fields) => told(() => account.create(connected(), inputs as unknown as account.AccountInputs)),
  read: (id: string, props: Fields) => told(() => account.read(connected(), id, props)),
  update: (id: string, olds: Fields, news: Fields) =>
    told(() => account.update(connected(), id, olds, news as unknown as account.AccountInputs)),
  delete: (id: string, props: Fields) => told(() => account.remove(connected(), id, props)),
};

/** The host prints the stack of what is thrown between the person and the message: an expected failure needs none. */
async function told<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof ResellerError) {
      const { name, doing } = error;
      Object.defineProperties(error, { stack: { value: `could not ${doing}` }, toString: { value: () => name } });
    }
    throw error;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
