// Puts a link to a PostgreSQL server's programs at .tools/postgresql, for the tests that keep state in one.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { installDebianPackage } from "./debian-package.mjs";
import { isExecutable, putSymlink, realPath } from "./engine/files.mjs";
import { findIn, pathFolders } from "./engine/on-path.mjs";
import { root } from "./engine/paths.mjs";

const versions = "/usr/lib/postgresql";
const link = join(root, ".tools", "postgresql");

// The package of the client alone brings psql but not these two, which find each other only beside each other.
const isServer = (folder) => ["initdb", "postgres"].every((name) => isExecutable(join(folder, name)));

function folderOfServer() {
  const onPath = findIn(pathFolders(), "initdb");
  const debian = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = debian.map((version) => join(versions, version, "bin"));
  return [...(onPath ? [dirname(realPath(onPath))] : []), ...folders].find(isServer);
}

// The tests start servers of their own: the package must not set one up for the machine.
function wantNoServerOfTheMachine() {
  const file = "/etc/postgresql-common/createcluster.conf";
  if (process.getuid?.() !== 0 || existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "create_main_cluster = false\n");
}

let reason;
if (!folderOfServer()) {
  wantNoServerOfTheMachine();
  reason = installDebianPackage("postgresql");
}
const folder = folderOfServer();
if (folder) {
  putSymlink(link, folder);
  console.log(`postgresql: ${folder} ready for the tests`);
} else {
  console.log(`postgresql: no server here, so its tests are skipped (${reason ?? "the package brought none"})`);
}
