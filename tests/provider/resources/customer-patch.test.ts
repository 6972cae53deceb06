import fc from "fast-check";
import { applyPatch, deepClone, type Operation } from "fast-json-patch";
import { patchFor } from "../../../provider/resources/patch";
import { profile, without } from "../customer-support";

const names = ["name", "description", "enabled", "pbxConnectionProfile"] as const;
const replace = (path: string, value: unknown) => ({ op: "replace", path, value });

type Fields = Record<string, unknown>;

/** As the service holds it: an unset text is empty, an unset object null. */
const held = (fields: Fields): Fields => ({ name: "", description: "", pbxConnectionProfile: null, ...fields });

const applied = (before: Fields, patch: Operation[]): Fields =>
  applyPatch(deepClone(held(before)) as Fields, patch, true).newDocument;

describe("the patch of a customer's profile", () => {
  const patch = (before: unknown, desired: unknown) =>
    patchFor({ pbxConnectionProfile: before }, { pbxConnectionProfile: desired }, names);

  it("replaces the one field inside that differs", () => {
    expect(patch(profile, { ...profile, accountId: "8" })).toEqual([replace("/pbxConnectionProfile/accountId", "8")]);
  });

  it("replaces it whole when something was added to or removed from it, and nothing inside besides", () => {
    const other = { ...without(profile, "accountId"), apiKey: "another" };
    expect(patch(profile, other)).toEqual([replace("/pbxConnectionProfile", other)]);
    expect(patch(other, profile)).toEqual([replace("/pbxConnectionProfile", profile)]);
  });

  it("sets it whole, and clears it with null", () => {
    for (const unset of [undefined, null, ""]) {
      expect(patch(unset, profile)).toEqual([replace("/pbxConnectionProfile", profile)]);
      expect(patch(profile, unset)).toEqual([replace("/pbxConnectionProfile", null)]);
      expect(patch(unset, undefined)).toEqual([]);
    }
  });
});

describe("the patch between any two customers", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom("", "a", "~1", "/"));
  const safe = (key: string) => key !== "__proto__";
  const key = fc.oneof(fc.constantFrom("a", "b", "c", "a/b", "~", "name"), fc.string()).filter(safe);
  const { profileOf } = fc.letrec<{ profileOf: Fields; value: unknown }>((tie) => ({
    profileOf: fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    value: fc.oneof(
      { maxDepth: 2 },
      text,
      fc.boolean(),
      fc.integer(),
      fc.constant(null),
      fc.array(text, { maxLength: 3 }),
      tie("profileOf"),
    ),
  }));
  const customer = fc.record(
    { name: text, description: text, enabled: fc.boolean(), pbxConnectionProfile: profileOf },
    { requiredKeys: ["name", "enabled"], noNullPrototype: true },
  );
  // Two that have much in common, so that the patch reaches inside.
  const pair = fc
    .tuple(customer, customer, fc.constantFrom("a", "b", "c", "a/b"), text)
    .map(([before, other, inside, value]): [Fields, Fields] => {
      const shared = { ...before, ...other, pbxConnectionProfile: { ...before.pbxConnectionProfile, [inside]: value } };
      return [before, value.length % 2 === 0 ? other : shared];
    });

  it("makes the one from the other", () => {
    fc.assert(
      fc.property(pair, ([before, desired]) => {
        expect(applied(before, patchFor(before, desired, names))).toEqual(held(desired));
      }),
    );
  });

  it("has nothing but replacements, and never both a field and something inside it", () => {
    fc.assert(
      fc.property(pair, ([before, desired]) => {
        const patch = patchFor(before, desired, names);
        const paths = patch.map(({ path }) => path);
        expect(patch.every(({ op }) => op === "replace")).toBe(true);
        expect(new Set(paths).size).toBe(paths.length);
        for (const path of paths) expect(paths.filter((other) => other.startsWith(`${path}/`))).toEqual([]);
      }),
    );
  });

  it("is empty between equals, and changes neither of the two", () => {
    fc.assert(
      fc.property(pair, ([before, desired]) => {
        const copies = deepClone([before, desired]) as unknown;
        expect(patchFor(before, deepClone(before) as Fields, names)).toEqual([]);
        patchFor(before, desired, names);
        expect([before, desired]).toEqual(copies);
      }),
    );
  });
});
