import { inspect } from "node:util";
import fc from "fast-check";
import * as errors from "../../provider/errors";

const explanation = { doing: 'create account "Acme"', said: "it\nfailed.", next: "Run\tagain." };
const { AmbiguousAccountError, NetworkError, OutcomeUnknownError, PaymentRequiredError, oneLine } = errors;

describe("an error", () => {
  it("says in one line what was done, what happened and what to do", () => {
    const error = new errors.NotFoundError(explanation);
    expect(error.message).toBe('Could not create account "Acme": it failed. Run again.');
    expect(error.doing).toBe('create account "Acme"');
  });

  it("carries the literal name of its class, which no bundler can change", () => {
    const made = [
      new errors.SettingsError(explanation),
      new errors.InvalidArgumentError("id", explanation),
      new errors.UnauthorizedError(explanation),
      new PaymentRequiredError(explanation, {}),
      new errors.NotFoundError(explanation),
      new errors.BadRequestError(explanation, 400),
      new errors.RateLimitedError(explanation, 1),
      new errors.ServiceUnavailableError(explanation, 503),
      new errors.UnexpectedResponseError(explanation, 200),
      new OutcomeUnknownError(explanation),
      new NetworkError(explanation, true),
      new AmbiguousAccountError(explanation, ["1"]),
      new errors.WrongEnterpriseError(explanation),
    ];
    for (const error of made) {
      expect(error).toBeInstanceOf(errors.ResellerError);
      expect(Object.hasOwn(error, "name")).toBe(true);
      expect(error.name).toBe(error.constructor.name);
      expect(String(error)).toBe(`${error.name}: ${error.message}`);
    }
  });

  it("carries what to branch on", () => {
    expect(new NetworkError(explanation, false)).toMatchObject({ sent: false });
    expect(new AmbiguousAccountError(explanation, ["1", "2"])).toMatchObject({ candidates: ["1", "2"] });
    const cause = new Error("cut");
    expect(new OutcomeUnknownError(explanation, { cause }).cause).toBe(cause);
  });

  it("of a refused payment hides the echo, which may hold secrets", () => {
    const error = new PaymentRequiredError(explanation, { apiKey: "canary" });
    expect(error.echo).toEqual({ apiKey: "canary" });
    expect(inspect(error, { depth: Infinity })).not.toContain("canary");
    expect(JSON.stringify(error)).not.toContain("canary");
    expect(JSON.stringify(Object.entries(error))).not.toContain("canary");
  });
});

describe("one line", () => {
  it("has no control characters and no line separators, and keeps to its limit", () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom("\r", "\n", "\u2028", "\u2029", "\x1b", "\u0085", " "),
        fc.string({ minLength: 1, maxLength: 1 }),
      ),
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 50 }), (given, limit) => {
        const line = oneLine(given, limit);
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(line.length).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it("shows that it was cut", () => {
    expect(oneLine("abcdef", 6)).toBe("abcdef");
    expect(oneLine("abcdefg", 6)).toBe("abcde…");
  });
});
