import { join } from "node:path";
import { createContext, Script } from "node:vm";
import * as fc from "fast-check";
import ts from "typescript";
import { nameAccounts } from "../../../cli/import/names";
import { accountFiles, indexFile } from "../../../cli/import/program";
import { openFolder } from "../../../cli/import/folder";
import { projectFiles } from "../../../cli/import/project";
import type { AccountRecord } from "../../../provider/api/wire";

/** The program that an import writes: it says what the service said, whatever that is, and compiles. */

const root = join(__dirname, "../../..");

function account(number: number, fields: Partial<AccountRecord> = {}): AccountRecord {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const none = { description: undefined, reference: undefined, parentTenantId: undefined, dateCreated: undefined };
  return { ...none, id, name: `Reseller ${number}`, enabled: true, ...fields };
}

function sources(accounts: readonly AccountRecord[], taken: string[] = []): Map<string, string> {
  const names = nameAccounts(accounts, new Set(taken));
  return accountFiles(
    accounts.map((each) => ({ account: each, name: names.get(each.id) ?? { resource: "", constant: "" } })),
    1,
  );
}

/** Runs a program file in a world of its own. @returns what it declares: resource → arguments, and its exports */
function evaluate(source: string) {
  const { outputText, diagnostics } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    reportDiagnostics: true,
  });
  expect(diagnostics).toEqual([]);
  const declared: [string, unknown, unknown][] = [];
  function Account(...args: [string, unknown, unknown]): void {
    declared.push(args);
  }
  const world = { exports: {} as Record<string, unknown>, require: () => ({ Account }) };
  new Script(outputText).runInContext(createContext(world));
  return { declared, exports: Object.keys(world.exports) };
}

const first = account(1, { name: "Acme Telecom", description: "Benelux", reference: "CRM-1042" });

test("an account takes one line a field, and is protected", () => {
  expect(sources([first]).get("accounts/001.ts")).toBe(`import * as reseller from "pulumi-reseller";

export const acmeTelecom = new reseller.Account(
  "acme-telecom",
  {
    adopt: "00000000-0000-4000-8000-000000000001",
    name: "Acme Telecom",
    description: "Benelux",
    reference: "CRM-1042",
    enabled: true,
  },
  { protect: true },
);
`);
});

test("a large enterprise is written a hundred accounts a file, in the order of their names", () => {
  const accounts = Array.from({ length: 250 }, (_, index) => account(250 - index, { name: `R ${1250 - index}` }));
  const files = sources(accounts);
  expect([...files.keys()]).toEqual(["accounts/001.ts", "accounts/002.ts", "accounts/003.ts"]);
  const names = [...files.values()].flatMap((source) => evaluate(source).declared.map(([name]) => name));
  expect(names).toEqual([...names].sort());
  expect(names).toHaveLength(250);
});

const awkward = [
  ...[
    "__proto__",
    "constructor",
    "class",
    "await",
    "reseller",
    "require",
    "globalThis",
    "Global This",
    "3com",
    "",
    " ",
  ],
  ...['"', "'", "`", "${process.exit()}", "*/", "//", "\\", "a\nb", "a\r\nb", "\u2028", "\u2029", "\u202e", "\0"],
  ...["👩‍👩‍👧", "株式会社", "日本電気", "Ünïcödé", "ﬁ", "\ud800", "x".repeat(500), "A-1", "a 1", "a1", "</script>"],
];

const text = fc.oneof(
  fc.constantFrom(...awkward),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);

test("whatever the service says, the program says the same, under names of its own", () => {
  const fields = fc.record({
    name: text,
    description: fc.option(text, { nil: undefined }),
    reference: fc.option(text, { nil: undefined }),
    enabled: fc.option(fc.boolean(), { nil: undefined }),
  });
  const accounts = fc.uniqueArray(fc.tuple(fc.nat(20), fields), { selector: ([number]) => number, maxLength: 12 });
  fc.assert(
    fc.property(accounts, fc.subarray(["acme", "class", "account", "x"]), (given, taken) => {
      const records = given.map(([number, each]) => account(number, each));
      const times = (reference: string) => records.filter((record) => record.reference === reference).length;
      for (const source of sources(records, taken).values()) {
        const { declared, exports } = evaluate(source);
        const said = declared.map(([, args]) => args as Record<string, unknown>);
        const expected = records.map(({ id, name, description, reference, enabled }) => ({
          adopt: id,
          name,
          ...(description ? { description } : {}),
          // One reference for several accounts is told in a comment only.
          ...(reference && times(reference) === 1 ? { reference } : {}),
          ...(enabled === undefined ? {} : { enabled }),
        }));
        const byId = (one: { adopt?: unknown }, other: { adopt?: unknown }) =>
          String(one.adopt) < String(other.adopt) ? -1 : 1;
        expect(JSON.stringify(said.sort(byId))).toBe(JSON.stringify(expected.sort(byId)));
        const names = declared.map(([name]) => name);
        expect(new Set([...names, ...taken]).size).toBe(names.length + taken.length);
        expect(exports).toHaveLength(names.length);
        for (const name of names) expect(name).toMatch(/^[\p{L}\p{Nd}\p{M}-]+$/u);
        // Nothing that a reader does not see.
        expect(source.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }
    }),
    // Each run compiles: finding the smallest example would take minutes.
    { numRuns: 150, endOnFailure: true },
  );
});

test("accounts that share a name are told apart by their tenant ids, whichever is listed first", () => {
  const twins = [account(1, { id: "aaaaaaaa-1", name: "Acme" }), account(2, { id: "bbbbbbbb-2", name: "ACME!" })];
  const resources = (records: AccountRecord[], taken: string[] = []) =>
    Object.fromEntries([...nameAccounts(records, new Set(taken))].map(([id, { resource }]) => [id, resource]));
  const expected = { "aaaaaaaa-1": "acme-aaaaaaaa", "bbbbbbbb-2": "acme-bbbbbbbb" };
  expect(resources(twins)).toEqual(expected);
  expect(resources(twins.reverse())).toEqual(expected);
  expect(resources(twins.slice(0, 1))).toEqual({ "bbbbbbbb-2": "acme" });
  expect(resources(twins.slice(0, 1), ["acme"])).toEqual({ "bbbbbbbb-2": "acme-bbbbbbbb" });
});

test("the index keeps what is in it, and gets each line once", () => {
  const edited = 'import "./accounts/001";\n// mine';
  expect(indexFile(edited, ["accounts/001.ts", "accounts/002.ts"])).toBe(
    'import "./accounts/001";\n// mine\nimport "./accounts/002";\n',
  );
  expect(indexFile(edited, ["accounts/001.ts"])).toBe(edited);
});

test("a project of 5,000 accounts type-checks with its own settings", async () => {
  const accounts = Array.from({ length: 5_000 }, (_, index) => account(index, { reference: `R-${index}` }));
  const names = nameAccounts(accounts, new Set());
  const folder = await openFolder(join(root, ".tools/none"));
  const files = projectFiles(
    folder,
    accounts.map((each) => ({ account: each, name: names.get(each.id) ?? { resource: "", constant: "" } })),
    { baseUrl: "https://api.example.com" },
  );
  // Inside the repository, as the program has to find the package; on no disk.
  const at = (file: string) => join(root, "tests/cli/generated", file);
  const written = new Map([...files].map(([file, source]) => [at(file), source]));
  const { compilerOptions } = JSON.parse(files.get("tsconfig.json") ?? "") as { compilerOptions: object };
  const { options, errors } = ts.convertCompilerOptionsFromJson(compilerOptions, at(""));
  expect(errors).toEqual([]);
  const checked = { ...options, paths: { "pulumi-reseller": [join(root, "sdk/index.ts")] }, types: ["node"] };
  const disk = ts.createCompilerHost(checked);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => written.has(file) || disk.fileExists(file),
    readFile: (file) => written.get(file) ?? disk.readFile(file),
    directoryExists: (path) => at("accounts/").startsWith(path) || disk.directoryExists?.(path) !== false,
    getSourceFile: (file, version) => {
      const source = written.get(file) ?? disk.readFile(file);
      return source === undefined ? undefined : ts.createSourceFile(file, source, version);
    },
  };
  const compiled = ts.createProgram([at("index.ts")], checked, host);
  const own = compiled.getSourceFiles().filter(({ fileName }) => written.has(fileName));
  expect(own).toHaveLength(51);
  const diagnostics = own.flatMap((file) => ts.getPreEmitDiagnostics(compiled, file));
  expect(diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")).slice(0, 3)).toEqual(
    [],
  );
}, 120_000);
