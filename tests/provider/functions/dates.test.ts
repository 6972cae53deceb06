import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Temporal } from "temporal-polyfill";
import { InvalidArgumentError } from "../../../provider/errors";
import { dateOf, instantOf, plainDateTimeOf } from "../../../provider/functions/dates";
import { compileProvider } from "./large-invoice";

describe("a date of the service", () => {
  it("with an offset is a moment", () => {
    expect(instantOf("2024-01-31T23:59:59+02:00").toString()).toBe("2024-01-31T21:59:59Z");
    expect(dateOf("2024-01-31T23:59:59Z")).toBeInstanceOf(Temporal.Instant);
  });

  it("without one is a date and time of day of no zone, seven fractional digits and all", () => {
    expect(plainDateTimeOf("2024-01-31T23:59:59.1234567").toString()).toBe("2024-01-31T23:59:59.1234567");
    expect(plainDateTimeOf("2024-01-31T23:59:59.1234567").nanosecond).toBe(700);
    expect(dateOf("2024-03-31T02:30:00.0000000")).toBeInstanceOf(Temporal.PlainDateTime);
    expect(instantOf("2024-01-31T23:59:59.1234567Z").epochNanoseconds).toBe(1_706_745_599_123_456_700n);
  });

  it.each<[(text: string) => unknown, string]>([
    [instantOf, "2024-01-31T00:00:00"],
    [plainDateTimeOf, "2024-01-31T00:00:00Z"],
    [plainDateTimeOf, "2024-01-31T00:00:00+00:00"],
    [dateOf, "2024-02-30T00:00:00"],
    [dateOf, "2024-01-31"],
    [dateOf, "2024-01-31T00:00:00.0000000000"],
    [dateOf, "2024-01-31T00:00:00[Europe/Amsterdam]"],
    [dateOf, "2024-01-31T00:00:00Z[u-ca=hebrew]"],
    [dateOf, "31/01/2024"],
    [dateOf, ""],
  ])("that %p cannot read is refused: %s", (read, text) => {
    expect(() => read(text)).toThrow(InvalidArgumentError);
  });

  it("is the same in every time zone", () => {
    const work = mkdtempSync(join(tmpdir(), "dates-test-"));
    try {
      compileProvider(work);
      const script = join(work, "dates.js");
      const texts = ["2024-03-31T02:30:00.0000001", "2024-03-31T02:30:00.0000001Z", "2024-10-27T02:30:00+02:00"];
      writeFileSync(
        script,
        `const { dateOf } = require("./provider/functions/dates");
         console.log(new Date(2024, 0, 1).getTimezoneOffset());
         for (const text of ${JSON.stringify(texts)}) console.log(dateOf(text).toString());`,
      );
      const seen = ["UTC", "Europe/Amsterdam", "America/St_Johns", "Pacific/Kiritimati"].map((TZ) => {
        const env = { ...process.env, TZ, NODE_PATH: resolve(__dirname, "../../../node_modules") };
        return execFileSync(process.execPath, [script], { env, encoding: "utf8" }).trim().split("\n");
      });
      expect(seen.map(([offset]) => offset)).toEqual(["0", "-60", "210", "-840"]);
      for (const [, ...dates] of seen) {
        expect(dates).toEqual(["2024-03-31T02:30:00.0000001", "2024-03-31T02:30:00.0000001Z", "2024-10-27T00:30:00Z"]);
      }
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  });
});
