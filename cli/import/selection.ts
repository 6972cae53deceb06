import type { AccountRecord } from "../../provider/api/wire";
import { accountFields } from "../../provider/resources/account";
import { checkInputs } from "../../provider/resources/check";
import type { Filter } from "./filter";
import type { Folder } from "./folder";
import { declarable } from "./program";

/** What becomes of each account the service lists. */
export interface Selection {
  read: number;
  chosen: AccountRecord[];
  /** Declared by the program already, or left out of it by its authors since. */
  known: number;
  /** Not chosen by the filters. */
  filtered: number;
  /** Disabled, or deactivated and flagged for deletion: the service does not tell which. */
  disabled: number;
  /** Left out for a reason of their own. */
  refused: { account: AccountRecord; reason: string }[];
}

export function emptySelection(): Selection {
  return { read: 0, chosen: [], known: 0, filtered: 0, disabled: 0, refused: [] };
}

export function consider(selection: Selection, account: AccountRecord, folder: Folder, filters: readonly Filter[]) {
  selection.read++;
  if (folder.literals.has(account.id)) selection.known++;
  else if (!filters.every((matches) => matches(account))) selection.filtered++;
  else if (account.enabled === false) selection.disabled++;
  else {
    const reason = whyNot(account, folder);
    if (reason === undefined) selection.chosen.push(account);
    else selection.refused.push({ account, reason });
  }
}

function whyNot(account: AccountRecord, { literals, project }: Folder): string | undefined {
  const { reference } = account;
  // Such an account may be one this program created, and must not be declared by it twice.
  if (reference && literals.has(reference)) return "its reference occurs in the program";
  if (reference && project !== undefined && reference.startsWith(`${project}/`)) {
    return "its reference is one that this project gives";
  }
  return checkInputs(accountFields, declarable(account))[0]?.reason;
}
