import { distance } from "fastest-levenshtein";
import { z } from "zod";
import type { AccountRecord } from "../api/wire";
import { AmbiguousAccountError, NotFoundError } from "../errors";
import { described } from "../resources/account-lookup";
import { field } from "../schema/fields";
import { line } from "../schema/text";
import { checkArguments, identifier, invalid } from "./arguments";
import type { DataService } from "./service";

export const accountArguments = {
  id: field(identifier.optional(), { description: "Tenant id of the account." }),
  reference: field(line.optional(), {
    description: "The caller-supplied reference. One account only must have it.",
  }),
  name: field(line.optional(), {
    description: "The name, in full and in its case. One account only must have it.",
  }),
};
const selectors = ["id", "reference", "name"] as const;

/**
 * One account, by exactly one of id, reference and name; the latter two must be of one account only, disabled ones
 * included.
 * @throws NotFoundError, AmbiguousAccountError naming the candidates.
 */
export async function getAccount(service: DataService, args: unknown): Promise<AccountRecord> {
  const doing = "look up an account";
  const wanted = checkArguments(doing, accountArguments, args);
  const [selector, ...more] = selectors.filter((name) => wanted[name] !== undefined);
  if (selector === undefined || more.length > 0) {
    const given = selector === undefined ? "none" : [selector, ...more].join(" and ");
    throw invalid(more[0] ?? "id", doing, `exactly one of id, reference and name is needed, not ${given}`);
  }
  const value = wanted[selector] ?? "";
  if (selector === "id") return service.accounts.get(value);
  // Pages shift while they are read: an account that is absent once may be there at a second look.
  const [match, ...others] = (await find(service, selector, value)).matches;
  if (match && others.length === 0) return match;
  if (match) throw ambiguous(selector, value, [match, ...others]);
  const again = await find(service, selector, value);
  const [late, ...rest] = again.matches;
  if (late && rest.length === 0) return late;
  throw late ? ambiguous(selector, value, [late, ...rest]) : absent(selector, value, again.nearest);
}

interface Found {
  matches: AccountRecord[];
  /** Those with the most similar text, when there is no match. */
  nearest: AccountRecord[];
}

async function find(service: DataService, selector: "reference" | "name", value: string): Promise<Found> {
  const matches: AccountRecord[] = [];
  let nearest: { account: AccountRecord; away: number }[] = [];
  for await (const account of service.accounts.list()) {
    const text = account[selector];
    if (text === value) matches.push(account);
    if (text === undefined || matches.length > 0) continue;
    const away = distance(value.toLowerCase(), text.toLowerCase());
    if (away > Math.max(3, value.length / 2)) continue;
    nearest = [...nearest, { account, away }].sort((one, other) => one.away - other.away).slice(0, 3);
  }
  return { matches, nearest: nearest.map(({ account }) => account) };
}

function ambiguous(selector: string, value: string, candidates: AccountRecord[]): AmbiguousAccountError {
  return new AmbiguousAccountError(
    {
      doing: `look up the account with ${selector} ${JSON.stringify(value)}`,
      said: `there are ${candidates.length}: ${described(candidates, { references: true })}.`,
      next: "Ask for one of them by id.",
    },
    candidates.map(({ id }) => id),
  );
}

function absent(selector: string, value: string, nearest: AccountRecord[]): NotFoundError {
  return new NotFoundError({
    doing: `look up the account with ${selector} ${JSON.stringify(value)}`,
    said:
      nearest.length > 0
        ? `there is none; the nearest are ${described(nearest, { references: true })}.`
        : "there is none.",
    next: "Upper and lower case count. Correct it, or ask by id.",
  });
}

export const accountsArguments = {
  enabled: field(z.boolean({ error: "must be true or false" }).optional(), {
    description: "Whether the account has access to the system.",
  }),
  namePrefix: field(line.optional(), { description: "How the name starts, in its case." }),
  reference: field(line.optional(), { description: "The caller-supplied reference." }),
};

/** Whether an account meets every condition given. */
export function accountCondition(args: unknown): (account: AccountRecord) => boolean {
  const { enabled, namePrefix, reference } = checkArguments("list the accounts", accountsArguments, args ?? {});
  return (account) =>
    (enabled === undefined || account.enabled === enabled) &&
    (namePrefix === undefined || account.name.startsWith(namePrefix)) &&
    (reference === undefined || account.reference === reference);
}

/** The accounts that meet every condition given, as they arrive: what does not is dropped page by page. */
export async function* matchingAccounts(service: DataService, args: unknown): AsyncGenerator<AccountRecord> {
  const meets = accountCondition(args);
  for await (const account of service.accounts.list()) if (meets(account)) yield account;
}

export async function getAccounts(service: DataService, args: unknown): Promise<{ accounts: AccountRecord[] }> {
  const accounts: AccountRecord[] = [];
  for await (const account of matchingAccounts(service, args)) accounts.push(account);
  return { accounts };
}
