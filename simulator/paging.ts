import { invalid } from "./body";
import type { Call } from "./context";

/** Which part of a list was asked for. */
export interface Page {
  /** From 0. */
  index: number;
  /** At least 1. */
  size: number;
}

/** Reads pageIndex and pageSize. Service document: "Endpoints › Accounts". @throws Refused with 400 */
export function readPage(call: Call): Page {
  const errors: Record<string, string[]> = {};
  const read = (field: string, fallback: number, least: number): number => {
    const sent = call.query.get(field);
    if (sent === null || sent === "") return fallback;
    const value = Number(sent);
    if (/^\d{1,9}$/.test(sent) && value >= least) return value;
    errors[field] = [`The value '${sent}' is not valid.`];
    return fallback;
  };
  const index = read("pageIndex", 0, 0);
  const size = read("pageSize", 1000, 1);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { index, size: Math.min(size, call.context.settings.maxPageSize ?? size) };
}

export function slice<T>(records: readonly T[], page: Page): T[] {
  return records.slice(page.index * page.size, (page.index + 1) * page.size);
}
