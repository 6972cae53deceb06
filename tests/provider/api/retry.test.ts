import fc from "fast-check";
import { backoffMs, nextWaitMs, parseRetryAfter, retryBudgetMs } from "../../../provider/api/retry";

const noon = Date.UTC(2025, 0, 15, 12);

describe("Retry-After", () => {
  it("is read as seconds", () => {
    expect(parseRetryAfter("0", noon)).toBe(0);
    expect(parseRetryAfter(" 7 ", noon)).toBe(7_000);
    expect(parseRetryAfter("3600", noon)).toBe(3_600_000);
  });

  it("is read as each of the three forms of an HTTP date", () => {
    expect(parseRetryAfter("Wed, 15 Jan 2025 12:00:30 GMT", noon)).toBe(30_000);
    expect(parseRetryAfter("Wednesday, 15-Jan-25 12:00:30 GMT", noon)).toBe(30_000);
    expect(parseRetryAfter("Wed Jan 15 12:00:30 2025", noon)).toBe(30_000);
  });

  it("of the past asks for no wait", () => {
    expect(parseRetryAfter("Wed, 15 Jan 2025 11:00:00 GMT", noon)).toBe(0);
  });

  it.each([
    undefined,
    "",
    "  ",
    "soon",
    "-1",
    "5.5",
    "1e3",
    "0x10",
    "12 s",
    "2025-01-15T12:00:30Z",
    "Wed, never",
    "NaN",
  ])("%j is no instruction", (header) => {
    expect(parseRetryAfter(header, noon)).toBeUndefined();
  });

  it("gives nothing, or a wait that makes a date, whatever is sent", () => {
    const texts = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.integer().map(String), fc.date().map(String));
    fc.assert(
      fc.property(texts, (header) => {
        const wait = parseRetryAfter(header, noon);
        if (wait === undefined) return;
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(() => new Date(noon + wait).toISOString()).not.toThrow();
      }),
    );
  });

  it("reads back every date a server can write", () => {
    const seconds = fc.integer({ min: 0, max: 10 * 365 * 86_400 });
    fc.assert(
      fc.property(seconds, (later) => {
        expect(parseRetryAfter(new Date(noon + later * 1000).toUTCString(), noon)).toBe(later * 1000);
        expect(parseRetryAfter(String(later), noon)).toBe(later * 1000);
      }),
    );
  });
});

describe("the wait before the next try", () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  it("doubles with each try, up to eight seconds, by chance anything below that", () => {
    const almostOne = 0.999_999;
    expect([0, 1, 2, 3, 4, 5, 6, 60].map((attempt) => backoffMs(attempt, almostOne))).toEqual([
      250, 500, 1000, 2000, 4000, 8000, 8000, 8000,
    ]);
    expect(backoffMs(5, 0)).toBe(0);
    expect(backoffMs(5, 0.25)).toBe(2000);
  });

  it("is never shorter than what the service asked for, and never outside the budget", () => {
    const input = fc.record({
      attempt: fc.nat(100),
      elapsedMs: fc.nat(120_000),
      retryAfterMs: fc.option(fc.nat(7_200_000), { nil: undefined }),
      random: chance,
    });
    fc.assert(
      fc.property(input, (given) => {
        const wait = nextWaitMs(given);
        if (wait === undefined) return;
        expect(wait).toBeGreaterThanOrEqual(given.retryAfterMs ?? 0);
        expect(given.elapsedMs + wait).toBeLessThanOrEqual(retryBudgetMs);
      }),
    );
  });

  it("is none when the service asks for longer than the budget", () => {
    const asked = { attempt: 0, elapsedMs: 0, random: 0 };
    expect(nextWaitMs({ ...asked, retryAfterMs: 3_600_000 })).toBeUndefined();
    expect(nextWaitMs({ ...asked, retryAfterMs: 3_000, budgetMs: 2_999 })).toBeUndefined();
    expect(nextWaitMs({ ...asked, retryAfterMs: 3_000, budgetMs: 3_000 })).toBe(3_000);
  });
});
