import { delimiter, dirname, join } from "node:path";
import { isExecutable, putSymlink, realPath } from "./files.mjs";
import { bin, hosts } from "./paths.mjs";
import { versionOf } from "./processes.mjs";
import { isSupported, supportedText } from "./range.mjs";

export function pathFolders() {
  const own = realPath(bin);
  return (process.env.PATH ?? "").split(delimiter).filter((folder) => folder && realPath(folder) !== own);
}

export function findIn(folders, name) {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Puts links to an engine and its hosts into .tools/bin. */
export function linkEngine(pulumi, hostPaths) {
  hosts.forEach((host, i) => putSymlink(join(bin, host), hostPaths[i]));
  putSymlink(join(bin, "pulumi"), pulumi);
}

/** Uses the pulumi on the PATH if it fits; says whether it did. */
export function useEngineOnPath() {
  const folders = pathFolders();
  const found = findIn(folders, "pulumi");
  if (!found) return false;
  // Before its version is asked for: the npm wrapper of the same name would start a download.
  const hostPaths = hosts.map((host) => findIn([dirname(realPath(found)), ...folders], host));
  const missing = hosts.filter((_, i) => !hostPaths[i]);
  if (missing.length > 0) {
    console.log(`  ${found} is not used: ${missing.join(" and ")} not found beside it or on the PATH`);
    return false;
  }
  const version = versionOf(found);
  if (!version || !isSupported(version)) {
    console.log(`  ${found} is not used: version ${version ?? "unknown"}, needed is ${supportedText}`);
    return false;
  }
  linkEngine(realPath(found), hostPaths);
  return true;
}
