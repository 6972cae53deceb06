import { z } from "zod";
import { checkInputs, unknownValue } from "../../../provider/resources/check";

const shape = {
  name: z.string({ error: "must be text" }),
  size: z.number({ error: "must be a number" }).optional(),
  profile: z.object({ host: z.string({ error: "must be text" }) }).optional(),
};

describe("checking what a program declares", () => {
  it("finds nothing wrong with what fits", () => {
    expect(checkInputs(shape, { name: "a", size: 1, profile: { host: "h" } })).toEqual([]);
    expect(checkInputs(shape, { name: "a" })).toEqual([]);
  });

  it("says what is required", () => {
    expect(checkInputs(shape, {})).toEqual([{ property: "name", reason: "name is required" }]);
  });

  it("names each property that does not fit, also inside another", () => {
    expect(checkInputs(shape, { name: 7, size: "big", profile: { host: 1 } })).toEqual([
      { property: "name", reason: "name must be text" },
      { property: "size", reason: "size must be a number" },
      { property: "profile.host", reason: "profile.host must be text" },
    ]);
  });

  it("lets pass what is not known yet, whatever its type", () => {
    expect(checkInputs(shape, { name: unknownValue, size: unknownValue, profile: unknownValue })).toEqual([]);
  });

  it("refuses a property nobody declared, and offers the nearest", () => {
    expect(checkInputs(shape, { name: "a", siez: 1 })).toEqual([
      { property: "siez", reason: "siez is not a property here; did you mean size?" },
    ]);
    expect(checkInputs(shape, { name: "a", entirely_different: 1 })).toEqual([
      {
        property: "entirely_different",
        reason: "entirely_different is not a property here; there are name, size, profile",
      },
    ]);
  });

  it("passes over what the engine adds for itself", () => {
    expect(checkInputs(shape, { name: "a", __provider: "code", __defaultReference: "r" })).toEqual([]);
  });

  it.each(["constructor", "toString", "hasOwnProperty", "prototype"])("takes %s for no property", (key) => {
    expect(checkInputs(shape, { name: "a", [key]: "x" })).toMatchObject([{ property: key }]);
  });

  it("is not fooled by a prototype", () => {
    const inputs = JSON.parse('{"__proto__":{"name":"polluted"}}') as Record<string, unknown>;
    expect(checkInputs(shape, inputs)).toEqual([{ property: "name", reason: "name is required" }]);
    expect(checkInputs(shape, Object.create({ name: "inherited" }) as Record<string, unknown>)).toHaveLength(1);
    expect(({} as { name?: unknown }).name).toBeUndefined();
  });
});
