import { z } from "zod";
import type { AccountsApi, NewAccount, Written } from "../api/accounts";
import type { AccountRecord } from "../api/wire";
import { nextWaitMs } from "../api/retry";
import type { Clock } from "../clock";
import {
  AmbiguousAccountError,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitedError,
  type ResellerError,
} from "../errors";
import { field, fieldsWhere } from "../schema/fields";
import { countryCode, freeText, line, timezone } from "../schema/text";
import { chargesAccepted } from "./charges";
import { type CheckFailure, checkInputs } from "./check";
import type { AccountDirectory } from "./directory";
import { patchFor } from "./patch";

// --- Fields ---------------------------------------------------------------------------------------------------------

/** Resources and their fields › Account, as a program declares it. */
export const accountFields = {
  name: field(line, { description: "Name of the reseller. Not blank." }),
  description: field(freeText.optional(), { description: "Free text." }),
  reference: field(line.optional(), {
    description:
      "Your own reference for the account, such as its number in a CRM. Unique in the enterprise: it is how an account " +
      "is found again after an interrupted run. Default: project/stack/name of the resource.",
  }),
  enabled: field(z.boolean({ error: "must be true or false" }).optional(), {
    description: "Whether the account has access to the system. Default: true.",
  }),
  timezone: field(timezone.optional(), {
    description: "IANA time zone in Region/City form, such as Europe/Amsterdam. The service never returns it.",
    writeOnly: true,
  }),
  countryCode: field(countryCode.optional(), {
    description: "ISO 3166-1 alpha-2 country code in capitals, such as NL. The service never returns it.",
    writeOnly: true,
  }),
  acceptCharges: field(z.boolean({ error: "must be true or false" }).optional(), {
    description:
      "Accepts what creating or changing this account may cost. Without it the service refuses what is charged, and " +
      "nothing is done. Default: false. Setting it sends nothing by itself.",
    local: true,
  }),
} satisfies z.ZodRawShape;

export type AccountInputs = z.output<z.ZodObject<typeof accountFields>>;

/** What the service adds. Absent only while it has not been read: a creation may be answered without it. */
export const accountOutputFields = {
  parentTenantId: field(z.string().optional(), { description: "Tenant id of the enterprise that owns the account." }),
  dateCreated: field(z.string().optional(), {
    description: "ISO 8601 date-time without offset, millisecond precision, as the service wrote it.",
  }),
} satisfies z.ZodRawShape;
export type AccountOutputs = AccountInputs & z.output<z.ZodObject<typeof accountOutputFields>>;

export const accountDescription =
  "A reseller account of the enterprise. Creating one may cost money: it needs `acceptCharges: true`. Deleting " +
  "deactivates it and flags it for deletion. No change ever replaces it.";

const names = Object.keys(accountFields) as (keyof AccountInputs)[];
const sentNames = fieldsWhere(accountFields, (marks) => marks.local !== true);
const readableNames = ["name", "description", "reference", "enabled"] as const;

/** What the lifecycle needs of the world. */
export interface AccountService {
  accounts: AccountsApi;
  directory: AccountDirectory;
  clock: Clock;
  /** Tells the person running the update something worth knowing. */
  notice(line: string): void;
}

// --- Identity -------------------------------------------------------------------------------------------------------

const defaultReferenceForm = /^[^/]+\/[^/]+\/(.+)$/;

/**
 * The reference an account gets when the program gives none: decided when it is first declared, then kept, so that
 * renaming a project or stack does not change the account.
 */
function decideReference(olds: Partial<AccountInputs>, news: Partial<AccountInputs>, fallback: string | undefined) {
  if (news.reference !== undefined) return news.reference;
  if (olds.name === undefined) return fallback;
  // An account that was taken over without a reference keeps none.
  if (olds.reference === undefined) return undefined;
  const sameResource =
    defaultReferenceForm.exec(olds.reference)?.[1] === defaultReferenceForm.exec(fallback ?? "")?.[1];
  return sameResource ? olds.reference : fallback;
}

/** True when an account is what creating `inputs` would have left behind, and so can be what an interrupted run left. */
function isWhatWasDeclared(record: AccountRecord, inputs: AccountInputs): boolean {
  const declared = readableNames.filter((name) => inputs[name] !== undefined);
  return patchFor({ enabled: true, ...readable(record) }, inputs, declared).length === 0;
}

// --- Rules ----------------------------------------------------------------------------------------------------------

/** Validates and completes what a program declares. Sends nothing. */
export function check(
  olds: Partial<AccountInputs>,
  news: Record<string, unknown>,
  defaultReference?: string,
): { inputs: Partial<AccountInputs>; failures: CheckFailure[] } {
  const inputs = pick(news, names) as Partial<AccountInputs>;
  const reference = decideReference(olds, inputs, defaultReference);
  const completed = { enabled: true, ...inputs, ...(reference === undefined ? {} : { reference }) };
  return { inputs: completed, failures: checkInputs(accountFields, news) };
}

/** Nothing ever forces a replacement: it would charge for a second account. */
export function diff(olds: Partial<AccountOutputs>, news: Partial<AccountInputs>): { changes: boolean; replaces: [] } {
  const accepting = chargesAccepted(olds) !== chargesAccepted(news);
  return { changes: accepting || patchFor(olds, news, sentNames).length > 0, replaces: [] };
}

// --- Lifecycle ------------------------------------------------------------------------------------------------------

/**
 * Creates the account, or takes over the one that an interrupted run left behind.
 * A POST is sent only after a look-up by reference found nothing, and never again once its outcome is in doubt.
 * @throws PaymentRequiredError, OutcomeUnknownError, AmbiguousAccountError, and what the client throws.
 */
export async function create(
  service: AccountService,
  inputs: AccountInputs,
): Promise<{ id: string; outs: AccountOutputs }> {
  const release = service.directory.claimReference(inputs.reference);
  if (!release) throw usedTwice(inputs);
  try {
    return await createClaimed(service, inputs);
  } catch (error) {
    release();
    throw error;
  }
}

async function createClaimed(service: AccountService, inputs: AccountInputs) {
  const left = await findLeftBehind(service, inputs, {});
  if (left) return adopted(service, inputs, left);
  const started = service.clock.monotonic();
  for (let attempt = 0; ; attempt++) {
    try {
      const written = await service.accounts.create(
        pick(inputs, sentNames) as unknown as NewAccount,
        chargesAccepted(inputs),
      );
      if (written.id !== undefined) {
        service.directory.noteChange(written.id);
        return { id: written.id, outs: outputs(inputs, await complete(service, written)) };
      }
      return adopted(service, inputs, await reconcile(service, inputs, undefined));
    } catch (error) {
      if (error instanceof OutcomeUnknownError)
        return adopted(service, inputs, await reconcile(service, inputs, error));
      if (!(error instanceof RateLimitedError)) throw error;
      const wait = nextWaitMs({
        attempt,
        elapsedMs: service.clock.monotonic() - started,
        retryAfterMs: error.retryAfterMs,
        random: service.clock.random(),
      });
      if (wait === undefined) throw error;
      await service.clock.sleep(wait);
      // A 429 says that nothing was done; that is looked up, not believed, before anything is sent again.
      const found = await findLeftBehind(service, inputs, { fresh: true });
      if (found) return adopted(service, inputs, found);
    }
  }
}

/**
 * Reads the account for a refresh, or for `get` when `props` holds nothing yet.
 * Fields the program does not declare stay out, as do changes of them; fields the service never returns are kept.
 * A blank id means that it is gone: only the service's own 404 envelope says so.
 */
export async function read(
  service: AccountService,
  id: string,
  props: Partial<AccountOutputs>,
): Promise<{ id: string; props?: AccountOutputs; inputs?: AccountInputs }> {
  const inState = props.name !== undefined;
  let record: AccountRecord;
  try {
    record = await service.directory.read(id);
  } catch (error) {
    if (!(error instanceof NotFoundError) || !inState) throw error;
    await service.directory.requireEnterprise(error.doing, props.parentTenantId);
    return { id: "" };
  }
  const declared = inState ? readableNames.filter((name) => props[name] !== undefined) : readableNames;
  const cleared = inState ? { description: "", reference: "" } : {};
  const inputs = {
    ...pick(props, names),
    ...pick({ ...cleared, ...readable(record) }, declared),
  } as AccountInputs;
  return { id: record.id, props: outputs(inputs, record), inputs };
}

/** Sends the fields that differ, as one PATCH; nothing when none does. */
export async function update(
  service: AccountService,
  id: string,
  olds: Partial<AccountOutputs>,
  news: AccountInputs,
): Promise<{ outs: AccountOutputs }> {
  const operations = patchFor(olds, news, sentNames);
  if (operations.length === 0) return { outs: outputs(news, olds) };
  await service.directory.requireEnterprise(`change account ${id}`, olds.parentTenantId);
  service.directory.noteChange(id);
  try {
    await service.accounts.patch(id, operations, chargesAccepted(news));
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError) || !(await arrived(service, id, operations))) throw error;
  }
  return { outs: outputs(news, olds) };
}

/** Deactivates the account and flags it for deletion. Already gone, or done by a request whose answer was lost, is success. */
export async function remove(service: AccountService, id: string, props: Partial<AccountOutputs>): Promise<void> {
  await service.directory.requireEnterprise(`delete account ${id}`, props.parentTenantId);
  service.directory.noteChange(id);
  try {
    await service.accounts.delete(id);
  } catch (error) {
    if (error instanceof NotFoundError) return;
    if (!(error instanceof OutcomeUnknownError) || !(await isRemoved(service, id, props))) throw error;
  }
}

// --- Looking before and after ---------------------------------------------------------------------------------------

/** The active account that carries the declared reference and is what was declared; none is the usual case. */
async function findLeftBehind(
  service: AccountService,
  inputs: AccountInputs,
  { fresh = false },
): Promise<AccountRecord | undefined> {
  const { reference } = inputs;
  if (reference === undefined) return undefined;
  const matches = await service.directory.findByReference(reference, { fresh });
  // A disabled account is what a deletion leaves: it never stands in for a new one that is to be enabled.
  const candidates = inputs.enabled === false ? matches : matches.filter((record) => record.enabled !== false);
  const [match] = candidates;
  if (match === undefined) return undefined;
  const certain = candidates.length === 1 && match.enabled !== false && isWhatWasDeclared(match, inputs);
  if (certain) return match;
  throw ambiguous(inputs, candidates);
}

// Seconds until a new account shows in the list; the longest seen is not documented.
const graceMs = [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000];

/** After a POST whose outcome is not known: waits for the account to show in the list. Never sends. */
async function reconcile(
  service: AccountService,
  inputs: AccountInputs,
  doubt: ResellerError | undefined,
): Promise<AccountRecord> {
  for (const wait of graceMs) {
    await service.clock.sleep(wait);
    const found = await findLeftBehind(service, inputs, { fresh: true });
    if (found) return found;
  }
  throw new OutcomeUnknownError(
    {
      doing: `create account ${JSON.stringify(inputs.name)}`,
      said: doubt
        ? "the request was sent but its answer was lost, and the account does not show in the list."
        : "the service accepted the request but named no account, and none shows in the list.",
      next:
        inputs.reference === undefined
          ? "Look for it in the portal before running again: without a reference it cannot be found again from here."
          : `Nothing was sent again. Wait a minute, then run again: if the account with reference ${JSON.stringify(inputs.reference)} exists by then, it is taken over without a second charge.`,
    },
    { cause: doubt },
  );
}

function adopted(service: AccountService, inputs: AccountInputs, record: AccountRecord) {
  service.notice(
    `Account ${JSON.stringify(record.name)} (${record.id}) already exists with reference ${JSON.stringify(record.reference)}: it was taken over, nothing new was charged.`,
  );
  return { id: record.id, outs: outputs(inputs, record) };
}

function ambiguous(inputs: AccountInputs, candidates: AccountRecord[]): AmbiguousAccountError {
  const list = candidates.map(
    ({ id, name, enabled }) => `${id} (${JSON.stringify(name)}${enabled === false ? ", disabled" : ""})`,
  );
  return new AmbiguousAccountError(
    {
      doing: `create account ${JSON.stringify(inputs.name)}`,
      said: `reference ${JSON.stringify(inputs.reference)} is already used by ${list.slice(0, 5).join(", ")}, which is not exactly what is declared.`,
      next: "Nothing was created or charged. Declare what exists to take it over, or give this account a reference of its own.",
    },
    candidates.map(({ id }) => id),
  );
}

function usedTwice(inputs: AccountInputs): AmbiguousAccountError {
  return new AmbiguousAccountError(
    {
      doing: `create account ${JSON.stringify(inputs.name)}`,
      said: `another account of this program has the reference ${JSON.stringify(inputs.reference)} too.`,
      next: "Nothing was created or charged. Give each account a reference of its own.",
    },
    [],
  );
}

/** What the POST did not say of the new account. The id is what must not be lost: failing to read the rest is no failure. */
async function complete(service: AccountService, { id, record }: Written): Promise<AccountRecord | undefined> {
  if (record !== undefined || id === undefined) return record;
  try {
    return await service.accounts.get(id);
  } catch {
    return undefined;
  }
}

/** Whether a PATCH without an answer did its work. What the service never returns cannot be seen, and counts as not done. */
async function arrived(service: AccountService, id: string, operations: { path: string }[]): Promise<boolean> {
  const changed = operations.map(({ path }) => path.slice(1));
  if (changed.some((name) => !(readableNames as readonly string[]).includes(name))) return false;
  const desired = Object.fromEntries(
    operations.map((operation) => [operation.path.slice(1), (operation as { value?: unknown }).value]),
  );
  return patchFor(readable(await service.accounts.get(id)), desired, changed).length === 0;
}

async function isRemoved(service: AccountService, id: string, props: Partial<AccountOutputs>): Promise<boolean> {
  try {
    const record = await service.accounts.get(id);
    // An account that was disabled before does not tell whether it is flagged now.
    return record.enabled === false && props.enabled !== false;
  } catch (error) {
    if (error instanceof NotFoundError) return true;
    throw error;
  }
}

// --- Shapes ---------------------------------------------------------------------------------------------------------

function readable(record: AccountRecord): Partial<AccountInputs> {
  return pick(record, readableNames);
}

interface Observed {
  parentTenantId?: string | undefined;
  dateCreated?: string | undefined;
}

function outputs(inputs: AccountInputs, observed: Observed | undefined): AccountOutputs {
  return {
    ...(pick(inputs, names) as unknown as AccountInputs),
    ...pick(observed ?? {}, Object.keys(accountOutputFields)),
  };
}

/** The named fields that have a value. Own properties only, so that nothing inherited slips in. */
function pick(from: object, wanted: readonly string[]): Record<string, unknown> {
  const source = from as Record<string, unknown>;
  const present = wanted.filter(
    (name) => Object.hasOwn(source, name) && source[name] !== undefined && source[name] !== null,
  );
  return Object.fromEntries(present.map((name) => [name, source[name]]));
}
