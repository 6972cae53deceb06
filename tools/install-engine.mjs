import { lstatSync } from "node:fs";
import { join, sep } from "node:path";
import { isExecutable, realPath } from "./engine/files.mjs";
import { useCachedRelease, useOfficialRelease } from "./engine/official.mjs";
import { useEngineOnPath } from "./engine/on-path.mjs";
import { bin, cache, hosts, version } from "./engine/paths.mjs";
import { versionOf } from "./engine/processes.mjs";
import { isSupported } from "./engine/range.mjs";
import { scriptsMatch } from "./engine/scripts.mjs";
import { buildFromSource, useCachedBuild } from "./engine/source.mjs";

const pulumi = join(bin, "pulumi");

/** What .tools/bin holds, in words; undefined if that is not whole or does not match this checkout. */
function present() {
  if (!["pulumi", ...hosts].every((name) => isExecutable(join(bin, name)))) return undefined;
  const found = versionOf(pulumi);
  if (!found) return undefined;
  if (!lstatSync(pulumi).isSymbolicLink()) {
    return found === version && scriptsMatch() ? `v${found} (built from source)` : undefined;
  }
  const target = realPath(pulumi);
  if (target.startsWith(realPath(cache) + sep)) {
    return found === version ? `v${found} (official release)` : undefined;
  }
  return isSupported(found) ? `v${found} (${target})` : undefined;
}

async function install() {
  if (process.platform === "win32") {
    throw new Error("Windows is not supported here\n  remedy: use the Windows Subsystem for Linux");
  }
  if (present()) return;
  // What this user already has comes before anything that needs the network.
  if (useEngineOnPath() || useCachedRelease() || useCachedBuild()) return;
  if (await useOfficialRelease()) return;
  await buildFromSource();
}

try {
  await install();
  const engine = present();
  if (!engine) throw new Error(".tools/bin is not complete\n  remedy: remove .tools and run this again");
  console.log(`engine: pulumi ${engine} ready in .tools/bin`);
} catch (error) {
  console.error(`engine: ${error.message}`);
  process.exitCode = 1;
}
