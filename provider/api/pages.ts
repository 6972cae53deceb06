import { UnexpectedResponseError } from "../errors";

// The documented default; nothing larger is promised.
export const pageSize = 1000;
// 1,000 pages are a million records: beyond it, the service repeats itself in a way not seen here.
const mostPages = 1000;

/**
 * Every record of a list, page by page; one that moved between pages while they were read comes once.
 * Ends with the page that says it is the last, or that brings nothing new: a service may repeat itself.
 */
export async function* everyRecord<R>(
  doing: string,
  idOf: (record: R) => string,
  readPage: (pageIndex: number) => Promise<{ records: R[]; last: boolean }>,
): AsyncGenerator<R> {
  const seen = new Set<string>();
  for (let pageIndex = 0; pageIndex < mostPages; pageIndex++) {
    const { records, last } = await readPage(pageIndex);
    const fresh = records.filter((record) => !seen.has(idOf(record)));
    for (const record of fresh) {
      seen.add(idOf(record));
      yield record;
    }
    if (last || fresh.length === 0) return;
  }
  throw new UnexpectedResponseError(
    {
      doing,
      said: `the list did not end after ${mostPages} pages.`,
      next: "Check that reseller:baseUrl is the API host.",
    },
    200,
  );
}
