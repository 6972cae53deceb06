import type { AccountRecord } from "../../provider/api/wire";
import { literal } from "../text";
import type { Name } from "./names";

export interface Declaration {
  account: AccountRecord;
  name: Name;
}

/** The files are read by people: a page of an editor's outline, not a database. */
const accountsInFile = 100;

/** Parts of the program, in the order of the names: file → source. `firstFile`: the number of the first one. */
export function accountFiles(declarations: readonly Declaration[], firstFile: number): Map<string, string> {
  const sorted = [...declarations].sort((one, other) => (one.name.resource < other.name.resource ? -1 : 1));
  const shared = sharedReferences(declarations);
  const files = new Map<string, string>();
  for (let at = 0; at < sorted.length; at += accountsInFile) {
    const number = String(firstFile + at / accountsInFile).padStart(3, "0");
    files.set(`accounts/${number}.ts`, accountFile(sorted.slice(at, at + accountsInFile), shared));
  }
  return files;
}

/** What the program says of an account: every field that the service returned with a value. */
export function declarable({ id, name, description, reference, enabled }: AccountRecord) {
  return {
    adopt: id,
    name,
    ...(description ? { description } : {}),
    ...(reference ? { reference } : {}),
    ...(enabled === undefined ? {} : { enabled }),
  };
}

/** A program declares a reference once: it is how an account is found. Accounts that share one keep it undeclared. */
function sharedReferences(declarations: readonly Declaration[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { account } of declarations) {
    if (!account.reference) continue;
    if (seen.has(account.reference)) shared.add(account.reference);
    seen.add(account.reference);
  }
  return shared;
}

function accountFile(declarations: readonly Declaration[], shared: ReadonlySet<string>): string {
  const parts = declarations.map((declaration) => declared(declaration, shared));
  return ['import * as reseller from "pulumi-reseller";\n', ...parts].join("\n");
}

/** Protected, because removing a line of the program must not disable a company's account unasked. */
function declared({ account, name }: Declaration, shared: ReadonlySet<string>): string {
  const fields = Object.entries(declarable(account)).map(([field, value]) => {
    const line = `${field}: ${literal(value)},`;
    return field === "reference" && shared.has(String(value)) ? `// ${line} other accounts have it too` : line;
  });
  return [
    `export const ${name.constant} = new reseller.Account(`,
    `  ${literal(name.resource)},`,
    "  {",
    ...fields.map((field) => `    ${field}`),
    "  },",
    "  { protect: true },",
    ");",
    "",
  ].join("\n");
}

/** `index.ts` with a line for each of these files: `before` is kept as it is. */
export function indexFile(before: string | undefined, files: Iterable<string>): string {
  const text = before ?? "// The accounts of the enterprise, each declared in one of these files.\n";
  const lines = [...files].map((file) => `import "./${file.replace(/\.ts$/, "")}";\n`);
  const missing = lines.filter((line) => !text.includes(line.trim()));
  return `${text}${text.endsWith("\n") || missing.length === 0 ? "" : "\n"}${missing.join("")}`;
}
