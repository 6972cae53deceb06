import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { FileError } from "./errors";

/** Work on this machine's disk: whatever happens, nothing half-written stays. */

/** @throws FileError in place of what the operating system says. */
export async function onDisk<T>(doing: string, path: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown reason";
    throw new FileError(
      path,
      {
        doing,
        said: `${JSON.stringify(path)} cannot be written (${code}).`,
        next: "Check that the folder exists, may be written and has room, then run again.",
      },
      { cause },
    );
  }
}

/**
 * Runs `work` with a folder of its own inside `parent`, which is made when it is missing, and removes it afterwards.
 * Files are moved from there to their places: on one file system that is a rename, which is whole or not at all.
 */
export async function withTemporaryFolder<T>(
  doing: string,
  parent: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await onDisk(doing, parent, async () => {
    await mkdir(parent, { recursive: true });
    return mkdtemp(join(parent, ".reseller-"));
  });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function moveInPlace(doing: string, from: string, to: string): Promise<void> {
  await onDisk(doing, to, () => rename(from, to));
}
