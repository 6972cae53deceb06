import fc from "fast-check";
import { applyPatch } from "fast-json-patch";
import { patchFor } from "../../../provider/resources/patch";

const names = ["name", "description", "reference", "enabled", "timezone"] as const;

describe("the patch of an account", () => {
  it("replaces the one field that differs", () => {
    expect(patchFor({ name: "a", enabled: true }, { name: "a", enabled: false }, names)).toEqual([
      { op: "replace", path: "/enabled", value: false },
    ]);
  });

  it("replaces several fields", () => {
    const patch = patchFor({ name: "a", description: "x" }, { name: "b", description: "y" }, names);
    expect(patch).toHaveLength(2);
    expect(patch).toContainEqual({ op: "replace", path: "/name", value: "b" });
    expect(patch).toContainEqual({ op: "replace", path: "/description", value: "y" });
  });

  it("sets a field that was not there with replace, the one operation the service shows", () => {
    expect(patchFor({ name: "a" }, { name: "a", timezone: "Europe/Paris" }, names)).toEqual([
      { op: "replace", path: "/timezone", value: "Europe/Paris" },
    ]);
  });

  it("clears a text that is no longer declared with an empty one", () => {
    expect(patchFor({ name: "a", description: "x" }, { name: "a" }, names)).toEqual([
      { op: "replace", path: "/description", value: "" },
    ]);
  });

  it("is nothing for a text that is empty here and absent or null there", () => {
    for (const unset of [{}, { description: "" }, { description: null }, { description: undefined }]) {
      for (const other of [{}, { description: "" }, { description: null }, { description: undefined }]) {
        expect(patchFor(unset, other, names)).toEqual([]);
      }
    }
  });

  it("knows only the fields named", () => {
    const before = { name: "a", acceptCharges: false, parentTenantId: "p" };
    expect(patchFor(before, { name: "a", acceptCharges: true, extra: 1 }, names)).toEqual([]);
  });

  it("takes nothing that is inherited", () => {
    const before = Object.create({ name: "inherited" }) as Record<string, unknown>;
    const desired = JSON.parse('{"name":"a","__proto__":{"description":"polluted"}}') as Record<string, unknown>;
    expect(patchFor(before, desired, names)).toEqual([{ op: "replace", path: "/name", value: "a" }]);
    expect(patchFor({}, { constructor: "x" }, ["name"])).toEqual([]);
  });

  const text = fc.oneof(fc.string(), fc.constantFrom("", "a", "b", "~1", "/", "__proto__"));
  const fields = fc.record(
    { name: text, description: text, reference: text, enabled: fc.boolean(), timezone: text },
    { requiredKeys: ["name", "enabled"] },
  );
  const filled = (given: object) => ({ name: "", description: "", reference: "", timezone: "", ...given });

  it("makes the new from the old, whatever they are, with nothing but replacements of different fields", () => {
    fc.assert(
      fc.property(fields, fields, (before, desired) => {
        const patch = patchFor(before, desired, names);
        expect(applyPatch(filled(before), patch, true, false).newDocument).toEqual(filled(desired));
        expect(patch.every(({ op, path }) => op === "replace" && /^\/[a-z]+$/.test(path))).toBe(true);
        expect(new Set(patch.map(({ path }) => path)).size).toBe(patch.length);
      }),
    );
  });

  it("is empty between equals, and after it has been applied", () => {
    fc.assert(
      fc.property(fields, fields, (before, desired) => {
        expect(patchFor(before, before, names)).toEqual([]);
        const after = applyPatch(filled(before), patchFor(before, desired, names), true, false).newDocument;
        expect(patchFor(after, desired, names)).toEqual([]);
      }),
    );
  });

  it("leaves what it was made from as it was", () => {
    fc.assert(
      fc.property(fields, fields, (before, desired) => {
        const copies = structuredClone([before, desired]);
        patchFor(before, desired, names);
        expect([before, desired]).toEqual(copies);
      }),
    );
  });
});
