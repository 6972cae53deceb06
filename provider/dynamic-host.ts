import type { dynamic } from "@pulumi/pulumi";
import type { ReadConfiguration } from "./config";
import * as account from "./resources/account";
import { considerAdoption } from "./resources/account-adoption";
import { PendingCreationError, ResellerError, SettingsError } from "./errors";
import * as customer from "./resources/customer";
import type { Difference } from "./resources/patch";
import { notice, type Service, sharedService } from "./service";

/** What the engine's dynamic host calls, in its shapes. It translates; resources/ decides. */

type Fields = Record<string, unknown>;

let readConfiguration: ReadConfiguration = () => undefined;
let service: Service | undefined;

/** Synchronous, because the host calls other methods before an asynchronous one would have ended. */
function configure({ config }: dynamic.ConfigureRequest): void {
  readConfiguration = (key) => config.get(key);
  service = undefined;
}

/** At first need only, since checking and comparing work without settings; and once, since looking for a sign-in reads the disk. */
function connected(): Service {
  return (service ??= sharedService(readConfiguration));
}

/** For checking, which works without settings. */
function connectedIfSet(): Service | undefined {
  try {
    return connected();
  } catch (error) {
    if (error instanceof SettingsError) return undefined;
    throw error;
  }
}

function noticed<T extends { notices: string[] }>(result: T): T {
  result.notices.forEach(notice);
  return result;
}

/** The host has no place for the rest, and calls this in previews and updates alike: notices would come twice. */
function understood({ changes, replaces }: Difference): dynamic.DiffResult {
  return { changes, replaces };
}

/** The names under which the program's front hands over what checking is not told of. */
const defaultReferenceKey = "__defaultReference";
const previewKey = "__preview";

export const accountHost = {
  configure,
  check: (olds: Fields, news: Fields) => told(() => checkAccount(olds, news)),
  diff: (id: string, olds: Fields, news: Fields) => told(() => understood(compareAccount(id, olds, news))),
  create: (inputs: Fields) => told(() => account.create(connected(), inputs as unknown as account.AccountInputs)),
  read: (id: string, props: Fields) => told(() => account.read(connected(), id, props)),
  update: (id: string, olds: Fields, news: Fields) =>
    told(() => account.update(connected(), id, olds, news as unknown as account.AccountInputs)),
  delete: (id: string, props: Fields) => told(() => account.remove(connected(), id, props)),
};

export const customerHost = {
  configure,
  check: (olds: Fields, news: Fields) => noticed(customer.check(olds, news)),
  diff: (id: string, olds: Fields, news: Fields) => told(() => understood(customer.diff(id, olds, news))),
  create: (inputs: Fields) =>
    told(() => keepingCode(inputs, customer.create(connected(), inputs as unknown as customer.CustomerInputs))),
  read: (id: string, props: Fields) => told(() => customer.read(connected(), id, props)),
  update: (id: string, olds: Fields, news: Fields) =>
    told(() => keepingCode(news, customer.update(connected(), id, olds, news as unknown as customer.CustomerInputs))),
  delete: (id: string, props: Fields) => told(() => customer.remove(connected(), id, props)),
};

async function checkAccount(olds: Fields, news: Fields) {
  const checked = noticed(account.check(olds, news, text(news[defaultReferenceKey])));
  if (checked.failures.length > 0) return checked;
  const preview = news[previewKey] === true;
  const { failures } = noticed(await considerAdoption(connectedIfSet, olds, checked.inputs, { preview }));
  return { ...checked, failures };
}

/** Comparing is where state is seen: what is created later in the run has to go to the same enterprise. */
function compareAccount(id: string, olds: Fields, news: Fields) {
  connectedIfSet()?.directory.noteOwner(olds["parentTenantId"]);
  return account.diff(id, olds, news);
}

/** The host adds the code of a resource to what it keeps, but not to what a failed initialization leaves in state. */
async function keepingCode<T>(inputs: Fields, operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    if (error instanceof PendingCreationError) error.properties["__provider"] = inputs["__provider"];
    throw error;
  }
}

/** The host prints the stack of what is thrown between the person and the message: an expected failure needs none. */
async function told<T>(operation: () => T | Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof ResellerError) {
      const { name, doing } = error;
      // Configurable, because operations that share a request share its error, and each comes by here.
      Object.defineProperties(error, {
        stack: { value: `could not ${doing}`, configurable: true },
        toString: { value: () => name, configurable: true },
      });
    }
    throw error;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
