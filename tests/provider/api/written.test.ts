import fc from "fast-check";
import { written } from "../../../provider/api/written";

const answer = (body: unknown, location?: string) => ({ status: 201, location, body });
const idOf = (body: unknown, location?: string) => written(answer(body, location), "customers").id;

describe("the id that a write names", () => {
  it.each([
    ["the record in the envelope", { data: { id: "abc-1", name: "A" }, status: "success" }, undefined],
    ["the bare record", { id: "abc-1", name: "A" }, undefined],
    ["the Location header", undefined, "/api/v1.0/customers/abc-1"],
    ["the Location header of an envelope without data", { data: null, status: "success" }, "/customers/abc-1"],
    ["the Location header of a record without an id", { data: { name: "A" } }, "https://h/api/v1.0/customers/abc-1/"],
    ["the record rather than the header", { id: "abc-1" }, "/customers/other"],
  ])("comes from %s", (_, body, location) => {
    expect(idOf(body, location)).toBe("abc-1");
  });

  it.each([
    undefined,
    null,
    "abc-1",
    7,
    true,
    [],
    [{ id: "abc-1" }],
    {},
    { id: "" },
    { id: 7 },
    { id: null },
    { data: { id: 7 } },
    { data: [{ id: "abc-1" }], id: "page" },
    Object.create({ id: "inherited" }),
    JSON.parse('{"__proto__":{"id":"polluted"}}'),
  ])("is nothing in the body %j", (body) => {
    expect(idOf(body)).toBeUndefined();
  });

  it.each([
    "",
    "/",
    "abc-1",
    "/api/v1.0/customers",
    "/api/v1.0/customers/",
    "/api/v1.0/customers//",
    "/api/v1.0/accounts/abc-1",
    "/api/v1.0/customers/abc-1/profile",
    "/api/v1.0/customers/..",
    "/api/v1.0/customers/a%2fb",
    "/api/v1.0/customers/abc?x=1",
    "/api/v1.0/customers/abc#x",
    "/api/v1.0/customers/pending:abc",
  ])("is nothing in the Location %j", (location) => {
    expect(idOf(undefined, location)).toBeUndefined();
  });

  it("is the same text in every form of success, and in none when nothing is said", () => {
    const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,40}$/);
    fc.assert(
      fc.property(id, (text) => {
        expect([idOf({ data: { id: text } }), idOf({ id: text }), idOf(undefined, `/customers/${text}`)]).toEqual([
          text,
          text,
          text,
        ]);
      }),
    );
  });

  it("is found or not, and never an exception, whatever the service says", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.option(fc.string(), { nil: undefined }), (body, location) => {
        expect(["string", "undefined"]).toContain(typeof idOf(body, location));
      }),
    );
  });
});

describe("the record that a write answers", () => {
  it("is what is in the envelope, else the body", () => {
    const record = { id: "abc-1", name: "A" };
    expect(written(answer({ data: record, status: "success" }), "customers").record).toEqual(record);
    expect(written(answer(record), "customers").record).toEqual(record);
    expect(written(answer(undefined), "customers").record).toBeUndefined();
  });
});
