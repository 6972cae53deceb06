// Puts the language host for YAML programs beside the engine: only the tests of the native plugin need it.
import { dirname, join } from "node:path";
import { isExecutable, putSameFile, putSymlink, realPath } from "./engine/files.mjs";
import { buildWithGo } from "./engine/go-build.mjs";
import { findIn, pathFolders } from "./engine/on-path.mjs";
import { bin, cache, yamlKey, yamlVersion } from "./engine/paths.mjs";

const name = "pulumi-language-yaml";
const placed = join(bin, name);
const built = join(cache, yamlKey, name);

async function install() {
  // An official release of the engine brings it. What an earlier run put here does not count: it may be another version.
  const beside = dirname(realPath(join(bin, "pulumi")));
  const found = findIn([...(beside === realPath(bin) ? [] : [beside]), ...pathFolders()], name);
  if (found) {
    putSymlink(placed, found);
    return;
  }
  if (!isExecutable(built)) {
    await buildWithGo({
      what: `${name} v${yamlVersion}`,
      command: `github.com/pulumi/pulumi-yaml/cmd/${name}`,
      flags: `-X github.com/pulumi/pulumi-yaml/pkg/version.Version=${yamlVersion}`,
      usually: "usually a minute once the engine has been built",
      otherwise: `put ${name} on the PATH`,
      built,
      isGood: isExecutable,
    });
  }
  putSameFile(placed, built);
}

try {
  await install();
  console.log(`engine: ${name} ready in .tools/bin`);
} catch (error) {
  console.error(`engine: ${error.message}`);
  process.exitCode = 1;
}
