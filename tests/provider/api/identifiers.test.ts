import fc from "fast-check";
import { checkIdentifier } from "../../../provider/api/identifiers";
import { InvalidArgumentError } from "../../../provider/errors";

describe("an identifier", () => {
  it.each(["1", "account-7", "6F9619FF-8B86-D011-B42D-00C04FC964FF", "a_b", "x".repeat(128)])("may be %j", (id) => {
    expect(checkIdentifier("id", id)).toBe(id);
  });

  it.each([
    "",
    ".",
    "..",
    "a/b",
    "a\\b",
    "?x",
    "a?x",
    "#",
    "a#b",
    "a%2fb",
    "%2e%2e",
    "a\r\nx: y",
    "a\n",
    "\na",
    "a\0",
    "a b",
    " a",
    "-a",
    "_a",
    "__proto__",
    "a;b",
    "a:b",
    "é",
    "a\u2028",
    "x".repeat(129),
  ])("may not be %j", (id) => {
    expect(() => checkIdentifier("id", id)).toThrow(InvalidArgumentError);
  });

  it("is refused in one line that names the property and ends, however long it is", () => {
    const refuse = (): string => checkIdentifier("accountId", `a\n${"b".repeat(5_000)}`);
    expect(refuse).toThrow(expect.objectContaining({ property: "accountId" }) as Error);
    expect(refuse).toThrow(/^Could not use "a\\nb{58}" as accountId: [^\n]{1,200}$/);
  });

  it("that is accepted is one segment of an address, unchanged", () => {
    const tricky = fc.string({
      unit: fc.constantFrom("a", "Z", "0", "-", "_", ".", "/", "\\", "?", "#", "%", ":", " ", "\r", "\n", "\0", "é"),
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.oneof(tricky, fc.string(), fc.uuid()), (id) => {
        try {
          checkIdentifier("id", id);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidArgumentError);
          return;
        }
        const url = new URL("https://api.example.com/api/v1.0");
        url.pathname += `/accounts/${id}`;
        expect(url.href).toBe(`https://api.example.com/api/v1.0/accounts/${id}`);
      }),
      { numRuns: 1_000 },
    );
  });
});
