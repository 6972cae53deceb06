import type { Operation } from "fast-json-patch";
import type { AccountRecord } from "../api/wire";
import { BadRequestError, NotAdoptedError, NotFoundError, ResellerError, WrongEnterpriseError } from "../errors";
import type { AccountInputs, AccountService } from "./account";
import { described, differences, doing } from "./account-lookup";
import { type CheckFailure, unknownValue } from "./check";

/** Which account `adopt` means, and what taking it over would change. Only reads. */

/**
 * The account that `adopt` names.
 * @throws NotAdoptedError when there is none, or it must not be taken over; WrongEnterpriseError.
 */
export async function findToAdopt(service: AccountService, inputs: AccountInputs): Promise<AccountRecord> {
  const { adopt, reference } = inputs;
  const record =
    typeof adopt === "string"
      ? await readToAdopt(service, inputs, adopt)
      : await findOneToAdopt(service, inputs, reference ?? "");
  await service.directory.requireEnterprise(doing(inputs), record.parentTenantId);
  return record;
}

async function readToAdopt(service: AccountService, inputs: AccountInputs, id: string): Promise<AccountRecord> {
  let record: AccountRecord;
  try {
    record = await service.directory.read(id);
  } catch (error) {
    const refused = error instanceof NotFoundError || (error instanceof BadRequestError && error.status === 400);
    if (!refused) throw error;
    const next = "Nothing was sent. Correct adopt, or remove it to have the account created.";
    throw new NotAdoptedError({ doing: doing(inputs), said: error.said, next }, [], { cause: error });
  }
  if (record.enabled !== false) return record;
  throw new NotAdoptedError(
    {
      doing: doing(inputs),
      said: `${described([record])} is disabled; a deleted account looks the same.`,
      next: "Nothing was sent. Have it enabled first, or leave it out.",
    },
    [id],
  );
}

async function findOneToAdopt(
  service: AccountService,
  inputs: AccountInputs,
  reference: string,
): Promise<AccountRecord> {
  const matches = await service.directory.findByReference(reference);
  const active = matches.filter(({ enabled }) => enabled !== false);
  const [match] = active;
  if (match && active.length === 1) return match;
  const candidates = match ? active : [...matches, ...(await service.directory.findByName(inputs.name))];
  const others = new Map(candidates.map((record) => [record.id, record]));
  const count = match ? `${active.length} active accounts have` : "no active account has";
  const listed = others.size > 0 ? `${match ? "" : "; the nearest"}: ${described([...others.values()])}` : "";
  throw new NotAdoptedError(
    {
      doing: doing(inputs),
      said: `${count} reference ${JSON.stringify(reference)}${listed}.`,
      next: 'Nothing was sent. Name the account, adopt: "<its tenant id>", or remove adopt to have it created.',
    },
    [...others.keys()],
  );
}

/** One account cannot be two resources: the first deletion would disable what the other one declares. */
export function takenTwice(inputs: AccountInputs, id: string): NotAdoptedError {
  return new NotAdoptedError(
    {
      doing: doing(inputs),
      said: `another resource of this program stands for account ${id} already.`,
      next: "Nothing was sent. Declare each account once.",
    },
    [id],
  );
}

// The services that a preview could not ask: once is enough to know, and each attempt takes its time.
const unasked = new WeakSet<AccountService>();

interface Considered {
  failures: CheckFailure[];
  notices: string[];
}

const nothing: Considered = { failures: [], notices: [] };

/**
 * What check has to say of `adopt`. One that was carried out keeps its account from other resources; of a first one a
 * preview tells what it would change, and only for that the service is asked.
 */
export async function considerAdoption(
  connect: () => AccountService | undefined,
  olds: Partial<AccountInputs>,
  inputs: Partial<AccountInputs>,
  { preview }: { preview: boolean },
): Promise<Considered> {
  const { adopt } = inputs;
  const unknown = adopt === unknownValue || (adopt === true && inputs.reference === unknownValue);
  const service = adopt === undefined || unknown ? undefined : connect();
  if (service === undefined) return nothing;
  if (olds.name === undefined) return preview ? foresee(service, inputs) : nothing;
  if (typeof adopt !== "string" || service.directory.noteManaged(adopt)) return nothing;
  return refused(takenTwice(inputs as AccountInputs, adopt));
}

/**
 * What taking over would change: a preview plans a creation, and that alone would frighten.
 * What `create` is certain to refuse is a failure; that the service cannot be asked is none.
 */
async function foresee(service: AccountService, inputs: Partial<AccountInputs>): Promise<Considered> {
  if (unasked.has(service)) return nothing;
  try {
    const record = await findToAdopt(service, inputs as AccountInputs);
    if (!service.directory.claimAccount(record.id)) throw takenTwice(inputs as AccountInputs, record.id);
    const operations = differences(record, inputs);
    const changes = operations.length > 0 ? `: ${changesOf(record, operations)}` : " as it is";
    return {
      failures: [],
      notices: [`Account ${JSON.stringify(record.name)} (${record.id}) would be taken over${changes}.`],
    };
  } catch (error) {
    if (!(error instanceof ResellerError)) throw error;
    if (error instanceof NotAdoptedError || error instanceof WrongEnterpriseError) {
      return refused(error);
    }
    unasked.add(service);
    return { failures: [], notices: [`What taking over accounts would change cannot be shown. ${error.message}`] };
  }
}

function refused({ message }: ResellerError): Considered {
  return { failures: [{ property: "adopt", reason: message }], notices: [] };
}

/** For one line of a log: `description "a" → "b"`. */
export function changesOf(record: AccountRecord, operations: Operation[]): string {
  const changes = operations.map((operation) => {
    const name = operation.path.slice(1) as keyof AccountRecord;
    const { value } = operation as { value?: unknown };
    const after = value === unknownValue ? "a value not known yet" : JSON.stringify(value);
    return `${name} ${JSON.stringify(record[name] ?? "")} → ${after}`;
  });
  return changes.join(", ");
}
