import type { z } from "zod";
import { countryCode, freeText, line, timezone } from "../../../provider/schema/text";

function reason(type: z.ZodType, value: unknown): string | undefined {
  return type.safeParse(value).error?.issues[0]?.message;
}

describe("one line of text", () => {
  it.each(["Acme", "Ünïcode & Söhne 株式会社", " padded ", "a/b?c#d", "💶"])("may be %j", (value) => {
    expect(reason(line, value)).toBeUndefined();
  });

  it.each(["", " ", "\t", "\u00a0"])("may not be blank like %j", (value) => {
    expect(reason(line, value)).toBe("must not be blank");
  });

  it.each(["a\r\nb", "a\nb", "a\tb", "a\0b", "a\x1b[31mb", "a\x7fb", "a\u0085b"])("may not be %j", (value) => {
    expect(reason(line, value)).toBe("must be one line, without control characters");
  });

  it.each([7, true, {}, [], null])("may not be %j", (value) => {
    expect(reason(line, value)).toBe("must be text");
  });
});

describe("free text", () => {
  it.each(["", "a\r\nb\tc", "text"])("may be %j", (value) => {
    expect(reason(freeText, value)).toBeUndefined();
  });

  it.each(["a\0", "\x1b[0m", "\x7f"])("may not be %j", (value) => {
    expect(reason(freeText, value)).toBe("must not hold control characters");
  });
});

describe("a time zone", () => {
  it.each(["Europe/Amsterdam", "America/Argentina/Buenos_Aires", "Asia/Calcutta", "Asia/Kolkata", "Etc/UTC"])(
    "may be %s",
    (value) => {
      expect(reason(timezone, value)).toBeUndefined();
    },
  );

  it.each([
    ["Europe/Amsterdm", "Europe/Amsterdam"],
    ["Europa/Berlin", "Europe/Berlin"],
    ["Amsterdam", "Europe/Amsterdam"],
    ["new york", "America/New_York"],
  ])("may not be %s, and the nearest is offered", (value, nearest) => {
    expect(reason(timezone, value)).toContain(`did you mean ${nearest}?`);
  });

  it.each(["", "UTC", "CET", "+01:00", "GMT+1", "Europe/", "/", "Europe/Amsterdam\n"])("may not be %j", (value) => {
    expect(reason(timezone, value)).toMatch(
      /^must be an IANA time zone in Region\/City form, such as Europe\/Amsterdam/,
    );
  });

  it("may not be something else than text", () => {
    expect(reason(timezone, 1)).toBe("must be text");
  });
});

describe("a country code", () => {
  it.each(["NL", "US", "GB"])("may be %s", (value) => {
    expect(reason(countryCode, value)).toBeUndefined();
  });

  it.each([
    ["nl", "; did you mean NL?"],
    [" NL", "; did you mean NL?"],
    ["UK", ""],
    ["XX", ""],
    ["NLD", ""],
    ["Netherlands", ""],
    ["", ""],
    ["N\n", ""],
  ])("may not be %j", (value, hint) => {
    expect(reason(countryCode, value)).toBe(`must be an ISO 3166-1 alpha-2 code in capitals, such as NL${hint}`);
  });

  it("may not be something else than text", () => {
    expect(reason(countryCode, 31)).toBe("must be text");
  });
});
