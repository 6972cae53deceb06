import type { AccountRecord } from "../api/wire";
import { AmbiguousAccountError, OutcomeUnknownError, ResellerError } from "../errors";
import { pick } from "../schema/fields";
import type { AccountInputs, AccountService } from "./account";
import type { Operation } from "fast-json-patch";
import { patchFor } from "./patch";

/** Whether the account a program declares exists already: asked before a POST, and after one in doubt. */

/** What the service returns of what a program declares. */
export const readableNames = ["name", "description", "reference", "enabled"] as const;

export function readable(record: AccountRecord): Partial<AccountInputs> {
  return pick(record, readableNames);
}

/** What of the declared fields differs from an account that exists. What the service never returns is not compared. */
export function differences(record: AccountRecord, inputs: Partial<AccountInputs>): Operation[] {
  const declared = readableNames.filter((name) => inputs[name] !== undefined);
  return patchFor({ enabled: true, ...readable(record) }, inputs, declared);
}

/** True when an account is what creating `inputs` would have left behind, and so can be what an interrupted run left. */
function isWhatWasDeclared(record: AccountRecord, inputs: AccountInputs): boolean {
  return differences(record, inputs).length === 0;
}

/** The active account that carries the declared reference and is what was declared; none is the usual case. */
export async function findLeftBehind(
  service: AccountService,
  inputs: AccountInputs,
  { sent }: { sent: boolean },
): Promise<AccountRecord | undefined> {
  const { reference } = inputs;
  if (reference === undefined) return undefined;
  const matches = await service.directory.findByReference(reference, { fresh: sent });
  // A disabled account is what a deletion leaves: it never stands in for a new one that is to be enabled.
  const candidates = inputs.enabled === false ? matches : matches.filter((record) => record.enabled !== false);
  const [match] = candidates;
  if (match === undefined) return undefined;
  const certain = candidates.length === 1 && match.enabled !== false && isWhatWasDeclared(match, inputs);
  if (certain) return match;
  throw ambiguous(inputs, candidates, sent);
}

const takeItOver = 'To take one of them over, set adopt: "<its tenant id>".';

// Seconds until a new account shows in the list; the longest seen is not documented.
const graceMs = [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000];

/** After a POST whose outcome is not known: waits for the account to show in the list. Never sends. */
export async function reconcile(
  service: AccountService,
  inputs: AccountInputs,
  doubt?: ResellerError,
): Promise<AccountRecord> {
  const { reference } = inputs;
  let seen = reference === undefined ? "nothing tells it from others" : "the account does not show in the list";
  for (const wait of reference === undefined ? [] : graceMs) {
    try {
      await service.clock.sleep(wait);
      const record = await findLeftBehind(service, inputs, { sent: true });
      if (record) return record;
    } catch (error) {
      if (!(error instanceof ResellerError) || error instanceof AmbiguousAccountError) throw error;
      // Whatever keeps the list from being read, what counts is that something was sent.
      seen = `whether it exists cannot be seen (${error.message})`;
      break;
    }
  }
  throw new OutcomeUnknownError(
    {
      doing: `create account ${JSON.stringify(inputs.name)}`,
      said: doubt
        ? `the request was sent but its answer was lost, and ${seen}.`
        : `the service accepted the request but named no account, and ${seen}.`,
      next:
        reference === undefined
          ? "Look for it in the portal before running again: without a reference it cannot be found again from here."
          : `Nothing was sent again. Wait a minute, then run again: if the account with reference ${JSON.stringify(reference)} exists by then, it is taken over without a second charge.`,
    },
    { cause: doubt },
  );
}

function ambiguous(inputs: AccountInputs, candidates: AccountRecord[], sent: boolean): AmbiguousAccountError {
  return new AmbiguousAccountError(
    {
      doing: `create account ${JSON.stringify(inputs.name)}`,
      said: `reference ${JSON.stringify(inputs.reference)} is already used by ${described(candidates)}, which is not exactly what is declared.`,
      next: sent
        ? `The request was sent, and one of these may be what it created and charged; it was not sent again. ${takeItOver}`
        : `Nothing was created or charged. ${takeItOver} Or give this account a reference of its own.`,
    },
    candidates.map(({ id }) => id),
  );
}

/** The first few, in one line. `references`: whether theirs are told too. */
export function described(accounts: AccountRecord[], { references = false } = {}): string {
  const texts = accounts.slice(0, 5).map(({ id, name, reference, enabled }) => {
    const details = [JSON.stringify(name), references && reference && `reference ${JSON.stringify(reference)}`];
    return `${id} (${[...details, enabled === false && "disabled"].filter(Boolean).join(", ")})`;
  });
  return [...texts, ...(accounts.length > 5 ? [`${accounts.length - 5} more`] : [])].join(", ");
}

/** What is being done, for errors. */
export function doing({ adopt, name, reference }: AccountInputs): string {
  if (adopt === undefined) return `create account ${JSON.stringify(name)}`;
  const which = adopt === true ? `with reference ${JSON.stringify(reference)}` : adopt;
  return `take over account ${which} as ${JSON.stringify(name)}`;
}

export function usedTwice(inputs: AccountInputs): AmbiguousAccountError {
  return new AmbiguousAccountError(
    {
      doing: doing(inputs),
      said: `another account of this program has the reference ${JSON.stringify(inputs.reference)} too.`,
      next: "Nothing was sent. Give each account a reference of its own.",
    },
    [],
  );
}
