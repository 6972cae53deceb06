import type { AccountRecord } from "../api/wire";
import type { Service } from "../service";

/** What `List` is asked for. Below 1, `limit` and `pageSize` say nothing; `continuation` is empty at the start. */
export interface Asked {
  query: object;
  limit: number;
  pageSize: number;
  continuation: string;
}

/** A resource; or, at the end of a page, the token by which the next is asked for. */
export type Listed = Pick<AccountRecord, "id" | "name"> | { next: string };

/** Without a page size everything that is asked for comes at once; with one, one page of the service. */
export async function* listAccounts(service: Service, asked: Asked): AsyncGenerator<Listed> {
  const { accountCondition, matchingAccounts } = await import("../functions/accounts.js");
  const { invalid } = await import("../functions/arguments.js");
  const { pageSize: largest } = await import("../api/pages.js");
  const most = asked.limit < 1 ? Infinity : asked.limit;
  let listed = 0;
  if (asked.pageSize < 1 && asked.continuation === "") {
    for await (const account of matchingAccounts(service, asked.query)) {
      yield account;
      if (++listed >= most) return;
    }
    return;
  }
  const meets = accountCondition(asked.query);
  const place = asked.continuation === "" ? `0.${Math.min(asked.pageSize, largest)}.0` : asked.continuation;
  // The size of its pages stays with the list, so that none is skipped when another is asked for meanwhile.
  if (!/^\d{1,6}\.[1-9]\d{0,3}\.\d{1,9}$/.test(place)) {
    throw invalid("continuation_token", "list the accounts", `${JSON.stringify(place)} did not come from this plugin`);
  }
  const [pageIndex = 0, asking = 0, before = 0] = place.split(".").map(Number);
  const { records, size } = await service.accounts.page(pageIndex, asking);
  listed = before;
  for (const account of records.filter(meets)) {
    if (listed >= most) return;
    yield account;
    listed++;
  }
  // More than was asked for is a service that does not page.
  if (records.length === size && listed < most) yield { next: `${pageIndex + 1}.${size}.${listed}` };
}
