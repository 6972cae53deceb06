import fc from "fast-check";
import type { z } from "zod";
import { culture, webAddress } from "../../../provider/schema/text";

function reason(type: z.ZodType, value: unknown): string | undefined {
  return type.safeParse(value).error?.issues[0]?.message;
}

describe("a culture", () => {
  it.each(["nl-NL", "en-US", "en-GB", "fr-BE", "fil-PH"])("may be %s", (value) => {
    expect(reason(culture, value)).toBeUndefined();
  });

  it.each(["", "nl", "nl-nl", "NL-NL", "nl_NL", "nl-NLD", "n-NL", "nl-XX", "en-UK", "zh-Hans-CN", "nl-NL\n", " nl-NL"])(
    "may not be %j",
    (value) => {
      expect(reason(culture, value)).toBe("must be a locale tag in language-REGION form, such as nl-NL");
    },
  );

  it.each([7, null, {}, ["nl-NL"]])("may not be %j", (value) => {
    expect(reason(culture, value)).toBe("must be text");
  });
});

describe("the address of a REST interface", () => {
  const address = webAddress("http", "https");

  it.each([
    "https://pbx.example",
    "http://10.0.0.7:8080/rest/v2?tenant=1#top",
    "https://[2001:db8::1]/rest",
    "HTTPS://PBX.EXAMPLE/",
    "https://pbx.example/süd",
  ])("may be %s", (value) => {
    expect(reason(address, value)).toBeUndefined();
  });

  it.each([
    "",
    "pbx.example",
    "//pbx.example",
    "https:",
    "https://",
    "https:pbx.example",
    "https:/pbx.example",
    "wss://pbx.example",
    "ftp://pbx.example",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "httpsx://pbx.example",
    "https://user@pbx.example",
    "https://:password@pbx.example",
    " https://pbx.example",
    "https://pbx.example\r\n",
    "https://pbx.exa\nmple",
    "https://pbx.example/a b",
    "https://pbx.example/\0",
  ])("may not be %j", (value) => {
    expect(reason(address, value)).toBe("must be an address that starts with http:// or https://");
  });

  it.each([7, null, {}, []])("may not be %j", (value) => {
    expect(reason(address, value)).toBe("must be text");
  });
});

describe("the address of a websocket interface", () => {
  const address = webAddress("ws", "wss");

  it.each(["wss://pbx.example/ws", "ws://127.0.0.1:5001"])("may be %s", (value) => {
    expect(reason(address, value)).toBeUndefined();
  });

  it.each(["https://pbx.example/ws", "pbx.example", "wss://user:password@pbx.example"])("may not be %j", (value) => {
    expect(reason(address, value)).toBe("must be an address that starts with ws:// or wss://");
  });
});

describe("every address that passes", () => {
  it("reads as it was written: nothing in it was forgiven", () => {
    const address = webAddress("http", "https");
    const text = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.string({ unit: "binary" }).map((tail) => `https://h/${tail}`),
    );
    fc.assert(
      fc.property(text, (value) => {
        if (reason(address, value) !== undefined) return;
        expect(value).toMatch(/^https?:\/\/[^\s\p{Cc}]+$/iu);
        expect(["http:", "https:"]).toContain(new URL(value).protocol);
      }),
    );
  });
});
