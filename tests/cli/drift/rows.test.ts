import type { EngineEvent } from "@pulumi/pulumi/automation";
import { type Row, rowsOf } from "../../../cli/drift/rows";
import { asJson, asMarkdown, asText } from "../../../cli/drift/report";

/** What the engine's events mean as drift, and how it is printed. */

const urn = "urn:pulumi:dev::demo::pulumi-nodejs:dynamic/reseller:Account::acme";
const type = "pulumi-nodejs:dynamic/reseller:Account";
const secretValue = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "[secret]" };

interface Side {
  inputs?: object;
  outputs?: object;
}

function event(op: string, before: Side, after: Side): EngineEvent {
  const side = ({ inputs = {}, outputs = inputs }: Side) => ({
    type,
    urn,
    id: "1",
    parent: "",
    provider: "",
    inputs,
    outputs,
  });
  const metadata = { op, urn, type, provider: "", old: side(before), new: side(after) };
  return { sequence: 1, timestamp: 1, resOutputsEvent: { metadata } } as unknown as EngineEvent;
}

const found = (op: string, before: Side, after: Side) =>
  rowsOf(event(op, before, after)).map(({ property, inCode, inService }) => [property, inCode, inService]);

test("a declared property that changed is drift", () => {
  const before = { inputs: { name: "Acme", tags: ["a"], enabled: true } };
  expect(found("update", before, { inputs: { name: "ACME", tags: ["a", "b"], enabled: true } })).toEqual([
    ["name", "Acme", "ACME"],
    ["tags", ["a"], ["a", "b"]],
  ]);
  expect(found("update", before, { inputs: { tags: ["a"], enabled: true } })).toEqual([["name", "Acme", undefined]]);
});

test("a change that shows in the outputs only is drift when the property is declared", () => {
  const inputs = { name: "Acme" };
  const before = { inputs, outputs: { name: "Acme", etag: "1" } };
  expect(found("update", before, { inputs, outputs: { name: "ACME", etag: "2" } })).toEqual([["name", "Acme", "ACME"]]);
  expect(found("update", before, { inputs, outputs: { name: "Acme", etag: "2" } })).toEqual([]);
});

test("what the program does not declare, what only steers the provider, and its code are no drift", () => {
  const before = { inputs: { name: "Acme", adopt: "1", __provider: "old" }, outputs: { name: "Acme" } };
  expect(found("update", before, { inputs: { name: "Acme", __provider: "new" }, outputs: { name: "Acme" } })).toEqual(
    [],
  );
});

test("a secret is never told, wherever it stands, and its change is", () => {
  const before = { inputs: { name: "Acme", key: secretValue, profile: { apiKey: secretValue, host: "a" } } };
  expect(found("update", before, before)).toEqual([["key or profile", "[secret]", "[secret], another"]]);
  const moved = { inputs: { ...before.inputs, profile: { apiKey: secretValue, host: "b" } } };
  expect(found("update", before, moved)).toEqual([
    ["profile", { apiKey: "[secret]", host: "a" }, { apiKey: "[secret]", host: "b" }],
  ]);
});

test("the settings of a provider are no drift", () => {
  const update = event("update", { inputs: { token: secretValue } }, { inputs: { token: secretValue } });
  const { metadata } = update.resOutputsEvent ?? {};
  if (metadata) metadata.type = "pulumi:providers:pulumi-nodejs";
  expect(rowsOf(update)).toEqual([]);
});

test("a resource that is gone is one row, and an unchanged one none", () => {
  const [row, ...others] = rowsOf(event("delete", { inputs: { name: "Acme" } }, {}));
  expect(row).toMatchObject({ resource: "acme", type: "Account", property: undefined });
  expect(others).toEqual([]);
  expect(found("same", { inputs: { name: "Acme" } }, { inputs: { name: "Acme" } })).toEqual([]);
  expect(rowsOf({ sequence: 1, timestamp: 1 })).toEqual([]);
});

const row: Row = { urn, type: "Account", resource: "acme", property: "name", inCode: "Acme", inService: "| <img> \n" };

test("text from the service stays inside its cell", () => {
  const reports = [
    { stack: "dev", rows: [{ ...row, inService: "| <img src=x> [a](b) `c` \n\u202e" }], failure: undefined },
  ];
  expect(asText(reports).split("\n")[1]).toBe(
    String.raw`dev    Account acme  name      "Acme"   "| <img src=x> [a](b) ` + "`c`" + String.raw` \n\u202e"`,
  );
  const line = asMarkdown(reports)
    .split("\n")
    .find((each) => each.startsWith("| dev"));
  expect(line?.split(/(?<!\\)\|/)).toHaveLength(7);
  expect(line).not.toMatch(/(?<!\\)[<[`(]/);
});

test("long values are cut in tables, and whole in JSON", () => {
  const long = "x".repeat(500);
  const reports = [{ stack: "dev", rows: [{ ...row, inService: long }], failure: undefined }];
  expect(
    Math.max(
      ...asText(reports)
        .split("\n")
        .map((line) => line.length),
    ),
  ).toBeLessThan(120);
  expect(asJson(reports)).toContain(long);
});

test("a failure stands under the table", () => {
  const reports = [
    { stack: "dev", rows: [row], failure: undefined },
    { stack: "prod", rows: [], failure: "the service answered 401" },
  ];
  expect(asText(reports)).toContain(
    "1 difference in 1 of 2 stacks.\nCould not check stack prod: the service answered 401",
  );
  expect(asText(reports.slice(1))).toBe("No drift in 0 stacks.\nCould not check stack prod: the service answered 401");
  expect(JSON.parse(asJson(reports))).toMatchObject({
    stacks: [{ stack: "dev" }, { failure: "the service answered 401" }],
  });
});
