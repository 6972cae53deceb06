import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { FileError } from "../../provider/errors";
import { moveInPlace, onDisk, withTemporaryFolder } from "../../provider/files";

/** What tells the folder of an earlier import, and keeps what it imported. */
export const recordFile = "imported.json";

/** The folder of the project as it was found. */
export interface Folder {
  path: string;
  /** Texts in quotes anywhere in the program, `imported.json` included: ids, references and names that are in use. */
  literals: ReadonlySet<string>;
  /** Name of the project. This and the next two are undefined before the first import. */
  project: string | undefined;
  /** Text of `index.ts`. */
  index: string | undefined;
  /** Tenant id → resource name, of every account imported before. */
  record: Record<string, string> | undefined;
  /** Number of the next file of accounts. */
  nextFile: number;
}

const doing = "write the project";

/** @throws FileError when there is something else than an earlier import in it. */
export async function openFolder(path: string): Promise<Folder> {
  const names = await onDisk(doing, path, () => entries(path));
  if (names.length === 0) {
    return { path, literals: new Set(), project: undefined, index: undefined, record: undefined, nextFile: 1 };
  }
  const missing = [recordFile, "index.ts", "Pulumi.yaml"].filter((name) => !names.includes(name));
  if (missing.length > 0) {
    throw new FileError(path, {
      doing,
      said: `${JSON.stringify(path)} is not empty, and without ${missing.join(", ")} it is no earlier import.`,
      next: "Name another folder with --out. Nothing was written.",
    });
  }
  return readEarlier(path);
}

/** A version control folder leaves a folder empty. */
async function entries(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).filter((name) => name !== ".git");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

async function readEarlier(path: string): Promise<Folder> {
  const literals = new Set<string>();
  for (const file of await sources(path)) {
    for (const text of literalsIn(await readFile(join(path, file), "utf8"))) literals.add(text);
  }
  const numbers = (await readdir(join(path, "accounts")).catch(() => [])).map((name) => parseInt(name, 10) || 0);
  const settings = await readFile(join(path, "Pulumi.yaml"), "utf8");
  return {
    path,
    literals,
    project: /^name:\s*["']?([\w.-]+)/m.exec(settings)?.[1],
    index: await readFile(join(path, "index.ts"), "utf8"),
    record: readRecord(path, await readFile(join(path, recordFile), "utf8")),
    nextFile: Math.max(0, ...numbers) + 1,
  };
}

function readRecord(path: string, text: string): Record<string, string> {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text));
  } catch (cause) {
    throw new FileError(
      path,
      {
        doing,
        said: `${recordFile} in ${JSON.stringify(path)} is no JSON object of tenant ids and names.`,
        next: "Correct it, or fetch it from version control. Nothing was written.",
      },
      { cause },
    );
  }
}

async function sources(path: string, below = ""): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(path, below), { withFileTypes: true })) {
    const file = join(below, entry.name);
    if (entry.name === "node_modules" || entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) found.push(...(await sources(path, file)));
    else if (/\.(ts|js|json)$/.test(entry.name)) found.push(file);
  }
  return found;
}

/** Line by line, so that an apostrophe in a comment misleads no further than its line. */
function* literalsIn(source: string): Generator<string> {
  for (const line of source.split("\n")) {
    for (const quoted of [/"((?:[^"\\]|\\.)*)"/g, /'((?:[^'\\]|\\.)*)'/g, /`((?:[^`\\]|\\.)*)`/g]) {
      for (const [, text = ""] of line.matchAll(quoted)) yield unescaped(text);
    }
  }
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

/**
 * Writes files, in this order, each whole or not at all. An index that names a file which is not there yet is an error
 * that is seen, and that the next import repairs; the other way about, accounts would be missing unseen.
 */
export async function writeFiles(path: string, files: ReadonlyMap<string, string>): Promise<void> {
  await withTemporaryFolder(doing, path, async (temporary) => {
    for (const [file, text] of files) {
      await onDisk(doing, path, async () => {
        await mkdir(dirname(join(temporary, file)), { recursive: true });
        await mkdir(dirname(join(path, file)), { recursive: true });
        await writeFile(join(temporary, file), text);
      });
    }
    for (const file of files.keys()) await moveInPlace(doing, join(temporary, file), join(path, file));
  });
}
