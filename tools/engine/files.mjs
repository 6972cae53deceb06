import { accessSync, constants, copyFileSync, linkSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

// Written beside its place and renamed, so that a run at the same time never sees half a file.
function put(path, write) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  try {
    write(temporary);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

export const putSymlink = (path, target) => put(path, (temporary) => symlinkSync(target, temporary));

export const putScript = (path, text) => put(path, (temporary) => writeFileSync(temporary, text, { mode: 0o755 }));

// A symlink would not do: the engine resolves its own path, looks for the hosts beside it and warns about any others.
export const putSameFile = (path, source) =>
  put(path, (temporary) => {
    try {
      linkSync(source, temporary);
    } catch {
      copyFileSync(source, temporary, constants.COPYFILE_FICLONE);
    }
  });
