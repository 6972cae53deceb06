import { createHash } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { succeed } from "./processes";

/** The repository. */
export const root = resolve(__dirname, "../../..");

const prefix = "pulumi-reseller-installed-";
const programDependencies = ["@pulumi/pulumi", "typescript", "ts-node"];

/**
 * A folder whose node_modules holds the package as `npm pack` makes it, installed by npm beside what a program needs.
 * Made once for each content of the package and shared by the tests; nobody writes to it.
 */
export async function installedPackage(): Promise<string> {
  await buildWhenStale();
  const folder = join(tmpdir(), `${prefix}${contentHash()}`);
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date());
    return folder;
  }
  dropOldFolders();
  const fresh = mkdtempSync(join(tmpdir(), `${prefix}new-`));
  const options = { cwd: fresh, env: process.env };
  try {
    writeFileSync(join(fresh, "package.json"), JSON.stringify({ name: "demo", private: true }));
    await succeed("npm", ["pack", root, "--ignore-scripts", "--pack-destination", fresh], options);
    const archive = readdirSync(fresh).filter((name) => name.endsWith(".tgz"));
    const packages = programDependencies.map((name) => `${name}@${installedVersion(name)}`);
    const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--save-exact"];
    await succeed("npm", ["install", ...quiet, ...archive.map((name) => `./${name}`), ...packages], options);
    if (!existsSync(folder)) renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}

/** Copies a tree with hard links: complete and apart, in a fifth of a second. */
export function linkTree(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  }
}

function installedVersion(name: string): string {
  const manifest = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")) as {
    version: string;
  };
  return manifest.version;
}

/** Compiles lib/ where a source is newer. */
export async function buildWhenStale(): Promise<void> {
  const built = join(root, "lib/sdk/index.js");
  const sources = ["provider", "sdk", "cli", "simulator"].flatMap((name) => filesBelow(join(root, name)));
  const newest = Math.max(...sources.map((file) => statSync(file).mtimeMs));
  if (existsSync(built) && statSync(built).mtimeMs > newest) return;
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  await succeed(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: root, env: process.env });
}

function contentHash(): string {
  const hash = createHash("sha256").update(process.version);
  for (const name of programDependencies) hash.update(`${name}@${installedVersion(name)}\n`);
  for (const file of [...filesBelow(join(root, "lib")).sort(), join(root, "package.json")]) {
    hash.update(file).update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 16);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Earlier contents of the package. Programs hold links of their own, so only a folder being made must stay. */
function dropOldFolders(): void {
  const tenMinutesAgo = Date.now() - 600_000;
  for (const name of readdirSync(tmpdir()).filter((other) => other.startsWith(prefix))) {
    const folder = join(tmpdir(), name);
    if (statSync(folder).mtimeMs < tenMinutesAgo) rmSync(folder, { recursive: true, force: true });
  }
}
