import fc from "fast-check";
import { accountRecord, describeAnswer, isErrorEnvelope, pageOfRecords, parseJson } from "../../../provider/api/wire";

const json = "application/json; charset=utf-8";

describe("an account as the service returns it", () => {
  const whole = {
    id: "6f9619ff-8b86-4011-b42d-00c04fc964ff",
    name: "Acme",
    description: "d",
    enabled: true,
    parentTenantId: "p",
    reference: "r",
    dateCreated: "2025-01-15T12:00:00.000",
  };

  it("keeps its fields as they are", () => {
    expect(accountRecord.parse(whole)).toEqual(whole);
  });

  it("may lack all but id and name, or hold null there", () => {
    const { id, name } = whole;
    const empty = { description: null, enabled: null, parentTenantId: null, reference: null, dateCreated: null };
    expect(accountRecord.parse({ id, name, ...empty })).toEqual({ id, name });
    expect(accountRecord.parse({ id, name })).toEqual({ id, name });
  });

  it("is not one without an id in text form", () => {
    for (const id of [undefined, null, "", 12_345_678_901_234_567_890n, 7]) {
      expect(accountRecord.safeParse({ ...whole, id }).success).toBe(false);
    }
  });

  it("drops fields nobody knows, and keys that reach for prototypes", () => {
    const record = accountRecord.parse(
      parseJson(
        '{"id":"1","name":"n","extra":{"a":1},"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
      ),
    );
    expect(Object.keys(record).sort()).not.toContain("extra");
    expect(Object.hasOwn(record, "constructor")).toBe(false);
    expect((record as unknown as { polluted?: unknown }).polluted).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("comes in pages whose size may be missing, but is a count when it is there", () => {
    const page = pageOfRecords(accountRecord);
    expect(page.safeParse({ data: [whole] }).success).toBe(true);
    expect(page.safeParse({ data: [whole], page_size: null }).success).toBe(true);
    for (const page_size of [0, -1, 1.5, "10"]) expect(page.safeParse({ data: [], page_size }).success).toBe(false);
  });
});

describe("the service's own error envelope", () => {
  const envelope = { error: 404, message: "Not Found", status: "error", timestamp: "2025-01-15T12:00:00.000Z" };

  it("says the status it came with", () => {
    expect(isErrorEnvelope(404, envelope)).toBe(true);
    expect(isErrorEnvelope(400, envelope)).toBe(false);
  });

  it.each([
    undefined,
    null,
    "Not Found",
    [],
    {},
    { error: 404 },
    { ...envelope, error: "404" },
    { ...envelope, status: "success" },
    { ...envelope, message: undefined },
    { title: "Not Found", status: 404 },
    { data: envelope },
  ])("is not %j", (body) => {
    expect(isErrorEnvelope(404, body)).toBe(false);
  });
});

describe("an answer that is not a success is described", () => {
  it.each([
    [
      400,
      json,
      '{"error":400,"message":"The value \'x\' is not valid.","status":"error"}',
      ": The value 'x' is not valid.",
    ],
    [
      400,
      "application/problem+json",
      '{"title":"Bad.","errors":{"name":["Required.","Too\\nlong."]}}',
      ": Bad. name: Required. Too long.",
    ],
    [400, json, '{"title":"Bad Request","detail":"No body"}', ": Bad Request No body."],
    [401, json, '{"error":"invalid_client","error_description":"Who?"}', ": invalid_client (Who?)."],
    [401, json, '{"error":"invalid_client"}', ": invalid_client."],
    [
      502,
      "text/html",
      "<!DOCTYPE html><title>502 Bad\nGateway</title><body>dump</body>",
      ' with an HTML page ("502 Bad Gateway").',
    ],
    [502, "", "<html>dump</html>", " with an HTML page."],
    [503, "", " \n ", " without a body."],
    [500, "text/plain", "stack trace", " with a body that is not in the service's form (text/plain)."],
    [500, "", "stack trace", " with a body that is not in the service's form (no content type)."],
    [500, json, '{"secret":"dump"}', ` with a body that is not in the service's form (${json}).`],
  ])("%s %s %s", (status, contentType, body, said) => {
    expect(describeAnswer(status, contentType, body)).toBe(`the service answered ${status}${said}`);
  });

  it("in one line of limited length, whatever it holds", () => {
    const nasty = fc.string({
      unit: fc.constantFrom("\r", "\n", "\u2028", "\u0085", "\x1b", "a", "<title>", "}", '"', "é"),
    });
    const envelope = fc.record({ error: fc.constant(400), message: nasty, status: fc.constant("error") });
    const problem = fc.record(
      { title: nasty, detail: nasty, errors: fc.dictionary(nasty, fc.array(nasty)) },
      { requiredKeys: ["title"] },
    );
    const body = fc.oneof(
      nasty,
      nasty.map((text) => `<html>${text}`),
      fc.string(),
      fc.json(),
      envelope.map((value) => JSON.stringify(value)),
      problem.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 300, max: 599 }),
        fc.oneof(fc.constant(json), nasty),
        body,
        (status, type, text) => {
          const line = describeAnswer(status, type, text);
          expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
          expect(line.length).toBeLessThanOrEqual(400);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("in limited length when the body is huge or nested without end", () => {
    const message = "x".repeat(1_000_000);
    expect(describeAnswer(400, json, JSON.stringify({ error: 400, message, status: "error" }))).toHaveLength(400);
    expect(describeAnswer(400, "y".repeat(1_000_000), "dump")).toHaveLength(400);
    expect(describeAnswer(400, json, "[".repeat(1_000_000))).toMatch(/not in the service's form/);
  });

  it("at once when a page is made to be read slowly", () => {
    expect(describeAnswer(502, "text/html", "<title".repeat(200_000))).toMatch(/with an HTML page\.$/);
  }, 2_000);

  it("without touching prototypes", () => {
    describeAnswer(400, json, '{"title":"t","errors":{"__proto__":["polluted"],"constructor":["x"]}}');
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)["0"]).toBeUndefined();
  });
});
