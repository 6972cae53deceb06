import fc from "fast-check";
import { check, diff } from "../../../provider/resources/account";
import { unknownValue } from "../../../provider/resources/check";
import { without } from "../support";

const fallback = "shop/dev/acme";
const inputsOf = (olds: object, news: Record<string, unknown>, reference?: string) =>
  check(olds, news, reference).inputs;

describe("check", () => {
  it("completes what a program declares with enabled and a reference", () => {
    expect(check({}, { name: "Acme" }, fallback)).toMatchObject({
      inputs: { name: "Acme", enabled: true, reference: fallback },
      failures: [],
    });
  });

  it("keeps every field that is declared", () => {
    const news = {
      name: "Acme",
      description: "line 1\nline 2",
      reference: "CRM-7",
      enabled: false,
      timezone: "Europe/Amsterdam",
      countryCode: "NL",
      acceptCharges: true,
    };
    expect(check({}, news, fallback)).toMatchObject({ inputs: news, failures: [] });
    expect(Object.keys(inputsOf({}, news, fallback)).sort()).toEqual(Object.keys(news).sort());
  });

  it("names each field that is not allowed", () => {
    const news = {
      name: " ",
      reference: "a\r\nb",
      enabled: "yes",
      timezone: "CET",
      countryCode: "nl",
      acceptCharges: 1,
    };
    expect(check({}, { ...news, description: 7 }, fallback).failures.map(({ property }) => property)).toEqual([
      "name",
      "description",
      "reference",
      "enabled",
      "timezone",
      "countryCode",
      "acceptCharges",
    ]);
    expect(check({}, {}).failures).toEqual([{ property: "name", reason: "name is required" }]);
  });

  it.each(["a\r\nx: y", "a\n", "a\0", "a\x1b[0m"])("refuses line breaks and control characters such as %j", (text) => {
    expect(check({}, { name: text, reference: text }).failures.map(({ property }) => property)).toEqual([
      "name",
      "reference",
    ]);
  });

  it("refuses a field the service would only return, and a misspelt one", () => {
    const { failures } = check({}, { name: "Acme", parentTenantId: "p", timeZone: "Europe/Paris" });
    expect(failures.map(({ property }) => property)).toEqual(["parentTenantId", "timeZone"]);
    expect(failures[1]?.reason).toContain("did you mean timezone?");
  });

  it("lets values pass that are not known yet", () => {
    const news = { name: unknownValue, enabled: unknownValue, timezone: unknownValue, acceptCharges: unknownValue };
    expect(check({}, news, fallback)).toMatchObject({ inputs: news, failures: [] });
    expect(inputsOf({}, { name: "Acme", reference: unknownValue }, fallback)).toMatchObject({
      reference: unknownValue,
    });
  });

  it("drops what the engine and the front add for themselves, and keys that reach for prototypes", () => {
    const news: unknown = JSON.parse(
      '{"name":"Acme","__provider":"code","__defaultReference":"r","__proto__":{"enabled":false}}',
    );
    const { inputs, failures } = check({}, news as Record<string, unknown>, fallback);
    expect(failures).toEqual([]);
    expect(inputs).toEqual({ name: "Acme", enabled: true, reference: fallback });
    expect(Object.getPrototypeOf(inputs)).toBe(Object.prototype);
    expect(({} as { enabled?: unknown }).enabled).toBeUndefined();
  });

  it("leaves what it is given as it was", () => {
    const given = Object.freeze({ name: "Acme" });
    check(given, given, fallback);
    expect(given).toEqual({ name: "Acme" });
  });
});

describe("the reference", () => {
  it("is the declared one first", () => {
    expect(inputsOf({ name: "Acme", reference: "old" }, { name: "Acme", reference: "mine" }, fallback)).toMatchObject({
      reference: "mine",
    });
  });

  it("once decided stays, also when project and stack are renamed", () => {
    const olds = { name: "Acme", reference: fallback };
    expect(inputsOf(olds, { name: "Acme" }, "renamed/prod/acme")).toMatchObject({ reference: fallback });
  });

  it("once decided stays when the front cannot tell a default", () => {
    expect(inputsOf({ name: "Acme", reference: "CRM-7" }, { name: "Acme" })).toMatchObject({ reference: "CRM-7" });
  });

  it("falls back to the default when a declared one is taken away", () => {
    expect(inputsOf({ name: "Acme", reference: "CRM-7" }, { name: "Acme" }, fallback)).toMatchObject({
      reference: fallback,
    });
  });

  it("stays away from an account that has none", () => {
    expect(inputsOf({ name: "Acme" }, { name: "Acme" }, fallback)).not.toHaveProperty("reference");
  });

  it.each(["00000000-0000-4000-8000-000000000001", true])("is not invented for an account taken over: %s", (adopt) => {
    expect(inputsOf({}, { name: "Acme", adopt }, fallback)).not.toHaveProperty("reference");
    expect(inputsOf({ name: "Acme", adopt }, { name: "Acme" }, fallback)).not.toHaveProperty("reference");
    const olds = { name: "Acme", reference: "CRM-7" };
    expect(inputsOf(olds, { name: "Acme", adopt }, fallback)).toMatchObject({ reference: "CRM-7" });
  });

  it("is none when nothing is declared and no default is known", () => {
    expect(inputsOf({}, { name: "Acme" })).not.toHaveProperty("reference");
  });
});

describe("diff", () => {
  const olds = { name: "Acme", enabled: true, reference: fallback, parentTenantId: "p", dateCreated: "d" };
  const same = without(olds, "parentTenantId", "dateCreated");

  it("is nothing when nothing changed", () => {
    expect(diff("id", olds, same)).toMatchObject({ changes: false, replaces: [] });
  });

  it.each([
    { name: "Other" },
    { description: "new" },
    { reference: "other" },
    { enabled: false },
    { timezone: "Europe/Paris" },
    { countryCode: "NL" },
    { acceptCharges: true },
    { name: unknownValue },
  ])("sees %j, and replaces nothing", (change) => {
    expect(diff("id", olds, { ...same, ...change })).toMatchObject({ changes: true, replaces: [] });
  });

  it("sees a field that is no longer declared", () => {
    expect(diff("id", { ...olds, timezone: "Europe/Paris" }, same).changes).toBe(true);
    expect(diff("id", { ...olds, acceptCharges: true }, same).changes).toBe(true);
  });

  it("takes an absent text and an empty one for the same", () => {
    expect(diff("id", { ...olds, description: "" }, same).changes).toBe(false);
    expect(diff("id", olds, { ...same, description: "" }).changes).toBe(false);
    expect(diff("id", olds, { ...same, acceptCharges: false }).changes).toBe(false);
  });

  it("never replaces, whatever changes, and is nothing after check made of the same program", () => {
    const text = fc.string({ maxLength: 5 });
    const inputs = fc.record(
      {
        name: text,
        description: text,
        reference: text,
        enabled: fc.boolean(),
        timezone: text,
        acceptCharges: fc.boolean(),
      },
      { requiredKeys: ["name"] },
    );
    fc.assert(
      fc.property(inputs, inputs, (before, after) => {
        expect(diff("id", before, after).replaces).toEqual([]);
        const first = inputsOf({}, before, fallback);
        expect(diff("id", first, inputsOf(first, before, fallback)).changes).toBe(false);
      }),
    );
  });
});
