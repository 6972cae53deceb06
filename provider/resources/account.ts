import type { Operation } from "fast-json-patch";
import { z } from "zod";
import type { AccountsApi, NewAccount, Written } from "../api/accounts";
import type { AccountRecord } from "../api/wire";
import { checkIdentifier } from "../api/identifiers";
import { nextWaitMs } from "../api/retry";
import type { Clock } from "../clock";
import { NotFoundError, OutcomeUnknownError, RateLimitedError } from "../errors";
import { field, fieldsWhere, pick } from "../schema/fields";
import { countryCode, line } from "../schema/text";
import { differences, findLeftBehind, readable, readableNames, reconcile, usedTwice } from "./account-lookup";
import { changesOf, findToAdopt, takenTwice } from "./account-adoption";
import { requireSameIdentity, tenantId } from "./adopt";
import { acceptCharges, description, timezone } from "./fields";
import {
  changedAcceptance,
  type ChargePolicy,
  mayCharge,
  requireChargesAllowed,
  tellCharge,
  unacceptedChange,
  unacceptedCharge,
} from "./charges";
import { type CheckFailure, checkInputs } from "./check";
import type { AccountDirectory } from "./directory";
import { changedPaths, type Difference, patchFor } from "./patch";

// --- Fields ---------------------------------------------------------------------------------------------------------

/** Resources and their fields › Account, as a program declares it. */
export const accountFields = {
  name: field(line, { description: "Name of the reseller. Not blank." }),
  description,
  reference: field(line.optional(), {
    description:
      "Your own reference for the account, such as its number in a CRM. Unique in the enterprise: it is how an account " +
      "is found again after an interrupted run. Default: project/stack/name of the resource.",
  }),
  enabled: field(z.boolean({ error: "must be true or false" }).optional(), {
    description: "Whether the account has access to the system. Default: true.",
  }),
  timezone,
  countryCode: field(countryCode.optional(), {
    description: "ISO 3166-1 alpha-2 country code in capitals, such as NL. The service never returns it.",
    writeOnly: true,
  }),
  acceptCharges,
  adopt: field(z.union([tenantId, z.literal(true)], { error: "must be a tenant id, or true" }).optional(), {
    description:
      "Tenant id of an account that exists, or true for the one active account with the declared reference: it is " +
      "taken over, what differs is patched, and nothing is created or charged. timezone and countryCode are taken as " +
      "declared and sent once they change. Counts when the resource is first declared; removing it later changes nothing.",
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

/** What the lifecycle needs of the world. */
export interface AccountService {
  accounts: AccountsApi;
  directory: AccountDirectory;
  clock: Clock;
  chargePolicy: ChargePolicy;
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
  if (news.adopt !== undefined) return olds.reference;
  if (olds.name === undefined) return fallback;
  // An account that was taken over without a reference keeps none.
  if (olds.reference === undefined) return undefined;
  const sameResource =
    defaultReferenceForm.exec(olds.reference)?.[1] === defaultReferenceForm.exec(fallback ?? "")?.[1];
  return sameResource ? olds.reference : fallback;
}

// --- Rules ----------------------------------------------------------------------------------------------------------

/** Validates and completes what a program declares. Sends nothing. `notices`: what to tell before anything is sent. */
export function check(
  olds: Partial<AccountInputs>,
  news: Record<string, unknown>,
  defaultReference?: string,
): { inputs: Partial<AccountInputs>; failures: CheckFailure[]; notices: string[] } {
  const inputs = pick(news, names) as Partial<AccountInputs>;
  const reference = decideReference(olds, inputs, defaultReference);
  const completed = { enabled: true, ...inputs, ...(reference === undefined ? {} : { reference }) };
  const failures = checkInputs(accountFields, news);
  if (inputs.adopt === true && inputs.reference === undefined) {
    failures.push({ property: "reference", reason: "reference is required with adopt: true, to find the account by" });
  }
  const creates = olds.name === undefined && inputs.adopt === undefined;
  return { inputs: completed, failures, notices: creates ? unacceptedCharge("Account", inputs) : [] };
}

/**
 * Nothing ever forces a replacement: it would charge for a second account.
 * @throws NotAdoptedError when `adopt` names another account than the one that is managed.
 */
export function diff(id: string, olds: Partial<AccountOutputs>, news: Partial<AccountInputs>): Difference {
  requireSameIdentity("account", id, news.adopt);
  const sent = changedPaths(olds, news, sentNames);
  const properties = [...sent, ...changedAcceptance(olds, news)];
  const notices = unacceptedChange("Account", news, sent);
  return { changes: properties.length > 0, replaces: [], properties, notices };
}

// --- Lifecycle ------------------------------------------------------------------------------------------------------

/**
 * Creates the account, or takes over the one that `adopt` names or an interrupted run left behind.
 * A POST is sent only after a look-up by reference found nothing, and never again once its outcome is in doubt.
 * @throws PaymentRequiredError, OutcomeUnknownError, AmbiguousAccountError, NotAdoptedError, and what the client throws.
 */
export async function create(
  service: AccountService,
  inputs: AccountInputs,
): Promise<{ id: string; outs: AccountOutputs }> {
  const adopts = inputs.adopt !== undefined;
  if (!adopts) requireChargesAllowed(service, `create account ${JSON.stringify(inputs.name)}`);
  const release = service.directory.claimReference(inputs.reference);
  if (!release) throw usedTwice(inputs);
  try {
    return await (adopts ? adopt : createClaimed)(service, inputs);
  } catch (error) {
    release();
    throw error;
  }
}

async function createClaimed(service: AccountService, inputs: AccountInputs) {
  const left = await findLeftBehind(service, inputs, { sent: false });
  if (left) {
    if (!service.directory.claimAccount(left.id)) throw takenTwice(inputs, left.id);
    service.directory.noteTakenOver(left.id);
    service.notice(
      `Account ${JSON.stringify(left.name)} (${left.id}) already exists with reference ${JSON.stringify(left.reference)}: it was taken over, nothing new was charged.`,
    );
    return { id: left.id, outs: outputs(inputs, left) };
  }
  await service.directory.requireOwners(`create account ${JSON.stringify(inputs.name)}`);
  const started = service.clock.monotonic();
  for (let attempt = 0; ; attempt++) {
    const answer = await post(service, inputs);
    if (answer instanceof OutcomeUnknownError) return found(service, inputs, await reconcile(service, inputs, answer));
    if (!(answer instanceof RateLimitedError)) {
      const record = answer.id === undefined ? await reconcile(service, inputs) : await complete(service, answer);
      return created(service, inputs, answer.id ?? record?.id ?? "", record);
    }
    const wait = nextWaitMs({
      attempt,
      elapsedMs: service.clock.monotonic() - started,
      retryAfterMs: answer.retryAfterMs,
      random: service.clock.random(),
    });
    if (wait === undefined) throw answer;
    await service.clock.sleep(wait);
    // A 429 says that nothing was done; that is looked up, not believed, before anything is sent again.
    const done = await findLeftBehind(service, inputs, { sent: true });
    if (done) return found(service, inputs, done);
  }
}

/** One POST. Two outcomes are no failure yet: one that is not known, and a 429. */
async function post(
  service: AccountService,
  inputs: AccountInputs,
): Promise<Written | OutcomeUnknownError | RateLimitedError> {
  try {
    const account = pick(inputs, sentNames) as unknown as NewAccount;
    return await service.accounts.create(account, mayCharge(service, inputs));
  } catch (error) {
    if (error instanceof OutcomeUnknownError || error instanceof RateLimitedError) return error;
    throw error;
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
  checkIdentifier("id", id);
  const inState = props.name !== undefined;
  let record: AccountRecord;
  try {
    record = await service.directory.read(id);
  } catch (error) {
    if (!(error instanceof NotFoundError) || !inState) throw error;
    await service.directory.requireEnterprise(error.doing, props.parentTenantId);
    return { id: "" };
  }
  // Seen for the first time, what the service has no text for counts as not declared: code made from it stays short.
  const declared = readableNames.filter((name) => (inState ? props[name] !== undefined : record[name] !== ""));
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
  checkIdentifier("id", id);
  await service.directory.requireEnterprise(`change account ${id}`, olds.parentTenantId);
  await change(service, id, operations, news);
  return { outs: outputs(news, olds) };
}

/** One PATCH. That its answer was lost is no failure where reading the account shows that it did its work. */
async function change(service: AccountService, id: string, operations: Operation[], inputs: AccountInputs) {
  service.directory.noteChange(id);
  try {
    await service.accounts.patch(id, operations, mayCharge(service, inputs));
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError) || !(await arrived(service, id, operations))) throw error;
  }
  tellCharge(service, inputs, `changed account ${JSON.stringify(inputs.name)} (${id})`);
}

/** Deactivates the account and flags it for deletion. Already gone, or done by a request whose answer was lost, is success. */
export async function remove(service: AccountService, id: string, props: Partial<AccountOutputs>): Promise<void> {
  checkIdentifier("id", id);
  if (service.directory.wasTakenOver(id)) {
    // Renaming a resource creates before it deletes: deleting now would disable what the new resource has just got.
    service.notice(`Account ${id} was not deleted: another resource of this program has taken it over.`);
    return;
  }
  await service.directory.requireEnterprise(`delete account ${id}`, props.parentTenantId);
  service.directory.noteChange(id);
  try {
    await service.accounts.delete(id);
  } catch (error) {
    if (error instanceof NotFoundError) return;
    if (!(error instanceof OutcomeUnknownError) || !(await isRemoved(service, id, props))) throw error;
  }
}

// --- Taking over ----------------------------------------------------------------------------------------------------

/** Sends the declared fields that differ, as one PATCH; nothing when none does. */
async function adopt(service: AccountService, inputs: AccountInputs) {
  const record = await findToAdopt(service, inputs);
  const release = service.directory.claimAccount(record.id);
  if (!release) throw takenTwice(inputs, record.id);
  const operations = differences(record, inputs);
  try {
    if (operations.length > 0) await change(service, record.id, operations, inputs);
  } catch (error) {
    release();
    throw error;
  }
  service.directory.noteTakenOver(record.id);
  const changes = operations.length > 0 ? `, ${changesOf(record, operations)}` : "";
  service.notice(
    `Account ${JSON.stringify(inputs.name)} (${record.id}) was taken over${changes}; no new one was created or charged.`,
  );
  return { id: record.id, outs: outputs(inputs, record) };
}

// --- What became of a write ---------------------------------------------------------------------------------------

function created(service: AccountService, inputs: AccountInputs, id: string, record: AccountRecord | undefined) {
  service.directory.noteChange(id);
  service.directory.claimAccount(id);
  tellCharge(service, inputs, `created account ${JSON.stringify(inputs.name)} (${id})`);
  return { id, outs: outputs(inputs, record) };
}

/** Not there before the POST, there after it: what it created, although its answer did not say so. */
function found(service: AccountService, inputs: AccountInputs, record: AccountRecord) {
  service.notice(
    `Account ${JSON.stringify(record.name)} (${record.id}) already exists with reference ${JSON.stringify(record.reference)}: the request that was not confirmed created it, nothing was sent again.`,
  );
  return created(service, inputs, record.id, record);
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

/** Whether a PATCH without an answer did its work. What cannot be seen counts as not done. */
async function arrived(service: AccountService, id: string, operations: { path: string }[]): Promise<boolean> {
  const changed = operations.map(({ path }) => path.slice(1));
  if (changed.some((name) => !(readableNames as readonly string[]).includes(name))) return false;
  const desired = Object.fromEntries(
    operations.map((operation) => [operation.path.slice(1), (operation as { value?: unknown }).value]),
  );
  try {
    return patchFor(readable(await service.accounts.get(id)), desired, changed).length === 0;
  } catch {
    return false;
  }
}

async function isRemoved(service: AccountService, id: string, props: Partial<AccountOutputs>): Promise<boolean> {
  try {
    const record = await service.accounts.get(id);
    // An account that was disabled before does not tell whether it is flagged now.
    return record.enabled === false && props.enabled !== false;
  } catch (error) {
    return error instanceof NotFoundError;
  }
}

// --- Shapes ---------------------------------------------------------------------------------------------------------

interface Observed {
  parentTenantId?: string | undefined;
  dateCreated?: string | undefined;
}

/** `adopt` stays out: it has done its work. */
function outputs(inputs: AccountInputs, observed: Observed | undefined): AccountOutputs {
  const kept = names.filter((name) => name !== "adopt");
  return {
    ...(pick(inputs, kept) as unknown as AccountInputs),
    ...pick(observed ?? {}, Object.keys(accountOutputFields)),
  };
}
