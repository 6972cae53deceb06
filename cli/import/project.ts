import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { defaultProfile } from "../../provider/config";
import { literal } from "../text";
import { type Folder, recordFile } from "./folder";
import { accountFiles, type Declaration, indexFile } from "./program";

/** Which service was read, and as whom. */
export interface Origin {
  baseUrl: string;
  profile?: string;
}

/** Everything an import writes, in the order of writing: file → text. */
export function projectFiles(
  folder: Folder,
  declarations: readonly Declaration[],
  origin: Origin,
): Map<string, string> {
  const accounts = accountFiles(declarations, folder.nextFile);
  const program = new Map([["index.ts", indexFile(folder.index, accounts.keys())], ...accounts]);
  const first = folder.record === undefined ? frame(nameFor(folder.path), origin) : {};
  return new Map([...program, ...Object.entries(first), [recordFile, record(folder.record, declarations)]]);
}

/** The tenant ids that were imported, each with its resource: one a line, so that additions are lines too. */
function record(before: Record<string, string> = {}, declarations: readonly Declaration[]): string {
  const added = declarations.map(({ account, name }) => [account.id, name.resource] as const);
  const lines = [...Object.entries(before), ...added].map(([id, name]) => `  ${literal(id)}: ${literal(name)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** What the engine allows in the name of a project. */
function nameFor(path: string): string {
  const name = basename(resolve(path)).replace(/[^A-Za-z0-9_.-]+/g, "-");
  return /[A-Za-z0-9]/.test(name) ? name.slice(0, 100) : "resellers";
}

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** The files around the program, written once. No secret belongs into them. */
function frame(name: string, { baseUrl, profile = defaultProfile }: Origin): Record<string, string> {
  // By the package's own name, as its place differs between source and package.
  const own = JSON.parse(readFileSync(require.resolve("pulumi-reseller/package.json"), "utf8")) as Manifest;
  const dependencies = {
    "@pulumi/pulumi": own.dependencies["@pulumi/pulumi"],
    "pulumi-reseller": `^${own.version}`,
    "ts-node": own.devDependencies["ts-node"],
    typescript: own.devDependencies["typescript"],
  };
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, target: "es2022", module: "node16" };
  return {
    "Pulumi.yaml": [
      `name: ${JSON.stringify(name)}`,
      "description: The reseller accounts of the enterprise",
      "runtime: nodejs",
      "config:",
      "  reseller:baseUrl:",
      `    value: ${JSON.stringify(baseUrl)}`,
      ...(profile === defaultProfile ? [] : ["  reseller:profile:", `    value: ${JSON.stringify(profile)}`]),
      "",
    ].join("\n"),
    "package.json": json({ name: "resellers", private: true, dependencies }),
    "tsconfig.json": json({ compilerOptions }),
    ".gitignore": "node_modules/\n",
    "README.md": readme,
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

const readme = `# Resellers

The reseller accounts of the enterprise, written by \`pulumi-reseller import\` and yours to edit from now on.
Runs use the sign-in on this machine; \`npx pulumi-reseller status\` shows it, \`npx pulumi-reseller login\` makes one.

\`\`\`sh
npm install                  # pulumi-reseller from its .tgz, if your registry does not have it: npm install <file>
pulumi stack init dev
pulumi preview               # what adopting would change: nothing
pulumi up                    # takes the accounts into the stack; sends no write
\`\`\`

- \`adopt\` names the account that exists. It is read once, by the \`up\` that takes it over, and may be removed later.
- \`protect\` keeps an account from being disabled by removing it here. To give one up without disabling it, run
  \`pulumi state unprotect <urn>\` and \`pulumi state delete <urn>\`, then remove its lines.
- \`timezone\` and \`countryCode\` are never returned by the service, so they are not declared here.
- \`npx pulumi-reseller import --out .\` adds accounts that are new, in files of their own and a line in \`index.ts\`.
  It changes and removes nothing else. Accounts listed in \`imported.json\` are not added again, also when you have
  removed them from the program; delete an account's line there to have it added again.
- \`npx pulumi-reseller drift\` tells what was changed elsewhere.
`;
