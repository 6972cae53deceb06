import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { unwrap, wrap } from "../../../provider/plugin/wire";
import { unknownValue } from "../../../provider/resources/check";

type Json = Parameters<typeof Struct.fromJavaScript>[0];

const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

/** What the engine would send. */
function sent(fields: object): Struct {
  return Struct.fromJavaScript(fields as Json);
}

describe("properties from the engine", () => {
  it("come as they are, without what is null", () => {
    const fields = { name: "Acme", enabled: false, count: 1.5, list: ["a", { b: 1 }] };
    expect(unwrap(sent({ ...fields, none: null }))).toEqual({ fields: { ...fields, none: undefined }, secrets: [] });
  });

  it("count as empty when they are not there", () => {
    expect(unwrap(undefined)).toEqual({ fields: {}, secrets: [] });
  });

  it("have their secrets taken out at any depth, and remembered", () => {
    const fields = {
      apiKey: secret("k"),
      profile: { key: secret("p") },
      whole: secret({ inner: secret(1) }),
      l: [secret(2)],
    };
    const { fields: plain, secrets } = unwrap(sent(fields));
    expect(plain).toEqual({ apiKey: "k", profile: { key: "p" }, whole: { inner: 1 }, l: [2] });
    expect(secrets).toEqual([["apiKey"], ["l", "0"], ["profile", "key"], ["whole"], ["whole", "inner"]]);
  });

  it.each([
    ["a text", unknownValue],
    ["a boolean", "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7"],
    ["a number", "3eeb2bf0-c639-47a8-9e75-3b44932eb421"],
    ["a list", "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2"],
    ["an object", "dd056dcd-154b-4c76-9bd3-c8f88648b5ff"],
  ])("are unknown in one spelling, where %s is not known yet", (_, spelling) => {
    const { fields, secrets } = unwrap(sent({ value: spelling, hidden: secret(spelling) }));
    expect(fields).toEqual({ value: unknownValue, hidden: unknownValue });
    expect(secrets).toEqual([["hidden"]]);
  });

  it("cannot reach the prototype of anything", () => {
    const fields = JSON.parse(
      '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
    ) as object;
    const { fields: plain } = unwrap(sent(fields));
    expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("properties to the engine", () => {
  it("are marked as secret where they were, and nowhere else", () => {
    const fields = { apiKey: "k", name: "Acme", profile: { key: "p", host: "h" }, list: ["a", "b"] };
    const marked = wrap(fields, [["apiKey"], ["profile", "key"], ["list", "1"], ["not", "there"]]).toJavaScript();
    expect(marked).toEqual({
      apiKey: secret("k"),
      name: "Acme",
      profile: { key: secret("p"), host: "h" },
      list: ["a", secret("b")],
    });
  });

  it("leave out what is undefined", () => {
    expect(wrap({ name: "Acme", description: undefined }).toJavaScript()).toEqual({ name: "Acme" });
  });

  it("come back as they went", () => {
    const fields = { name: "Acme", unknown: unknownValue, profile: { key: "p" }, list: [1, true] };
    const secrets = [["profile", "key"], ["unknown"]];
    const back = unwrap(wrap(fields, secrets));
    expect(back.fields).toEqual(fields);
    expect(back.secrets).toEqual([["profile", "key"], ["unknown"]]);
  });
});
