/** When and how long to wait, as pure functions: time and chance are handed in. */

/** Longest a single operation keeps trying, in milliseconds, waiting included. */
export const retryBudgetMs = 60_000;

const firstDelayMs = 250;
const longestDelayMs = 8_000;

/**
 * Milliseconds to wait before the next try, with full jitter so that many processes do not come back together.
 * @param attempt 0 for the first retry. @param random from 0 up to 1.
 */
export function backoffMs(attempt: number, random: number): number {
  return Math.round(random * Math.min(longestDelayMs, firstDelayMs * 2 ** attempt));
}

/**
 * Reads a Retry-After header: seconds or an HTTP date, as milliseconds from `now`.
 * Anything else is undefined: rubbish is no instruction.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // HTTP dates start with a day name; Date.parse alone would also take "5.5" or "-1".
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return undefined;
  // The oldest of the three forms names no zone; it means GMT all the same.
  const date = Date.parse(/GMT|[+-]\d{4}$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * The wait before the next try, or undefined when there is no next try within the budget.
 * A wait that the service asked for is never shortened.
 */
export function nextWaitMs(input: {
  attempt: number;
  elapsedMs: number;
  retryAfterMs: number | undefined;
  random: number;
  budgetMs?: number;
}): number | undefined {
  const wait = (input.retryAfterMs ?? 0) + backoffMs(input.attempt, input.random);
  return input.elapsedMs + wait <= (input.budgetMs ?? retryBudgetMs) ? wait : undefined;
}
