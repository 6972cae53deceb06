import { join } from "node:path";
import { isExecutable, putSameFile } from "./files.mjs";
import { buildWithGo } from "./go-build.mjs";
import { bin, cache, cacheKey, version } from "./paths.mjs";
import { versionOf } from "./processes.mjs";
import { writeScripts } from "./scripts.mjs";

const built = join(cache, cacheKey, "pulumi");

/** Uses the engine that this user has already built; says whether it did. */
export function useCachedBuild() {
  if (!isExecutable(built) || versionOf(built) !== version) return false;
  writeScripts();
  putSameFile(join(bin, "pulumi"), built);
  return true;
}

export async function buildFromSource() {
  await buildWithGo({
    what: `pulumi v${version}`,
    command: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    flags: `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${version}`,
    usually: "usually 3 to 6 minutes the first time",
    otherwise: "put pulumi itself on the PATH",
    built,
    isGood: (pulumi) => versionOf(pulumi) === version,
  });
  if (!useCachedBuild()) throw new Error(`${built} does not run`);
}
