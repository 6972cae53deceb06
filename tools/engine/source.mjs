import { closeSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { clearInterval, setInterval } from "node:timers";
import { isExecutable, putSameFile, textOf } from "./files.mjs";
import { findIn, pathFolders } from "./on-path.mjs";
import { bin, cache, cacheKey, goVersion, root, tools, version } from "./paths.mjs";
import { spawnGroup, versionOf } from "./processes.mjs";
import { remedyFor } from "./remedies.mjs";
import { writeScripts } from "./scripts.mjs";

const built = join(cache, cacheKey, "pulumi");
const log = join(root, ".tools", "build.log");
const usually = "usually 3 to 6 minutes the first time";

/** Uses the engine that this user has already built; says whether it did. */
export function useCachedBuild() {
  if (!isExecutable(built) || versionOf(built) !== version) return false;
  writeScripts();
  putSameFile(join(bin, "pulumi"), built);
  return true;
}

function progress(started) {
  const seconds = Math.round((Date.now() - started) / 1000);
  const elapsed = `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const lines = (textOf(log) ?? "").trim().split("\n");
  const loaded = lines.filter((line) => line.startsWith("go: downloading ")).length;
  const compiled = lines.length - loaded;
  const waitsFor =
    compiled > loaded ? `compiling, ${compiled} packages so far` : `downloading, ${loaded} modules so far`;
  console.log(`  ${waitsFor}; ${elapsed} (${usually})`);
}

function failure(problem) {
  const text = textOf(log) ?? "";
  const last = text.trim().split("\n").slice(-12).join("\n  | ");
  return new Error(`${problem}\n  | ${last}\n  the whole log: ${relative(root, log)}\n  remedy: ${remedyFor(text)}`);
}

async function build(go, out) {
  const flags = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${version}`;
  const command = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
  const args = ["build", "-v", "-trimpath", "-ldflags", flags, "-o", out, command];
  const output = openSync(log, "w");
  const started = Date.now();
  const env = { ...process.env, GOWORK: "off" };
  const { ended } = spawnGroup(go, args, { cwd: tools, env, stdio: ["ignore", output, output] });
  closeSync(output);
  const timer = setInterval(() => progress(started), 15_000);
  try {
    const { code, signal } = await ended;
    if (code !== 0) throw failure(`go build ended with ${signal ?? `exit code ${code}`}`);
  } finally {
    clearInterval(timer);
  }
}

export async function buildFromSource() {
  const go = findIn(pathFolders(), "go");
  if (!go) {
    throw new Error(
      `the engine has to be built from source, and Go is not on the PATH\n  remedy: install Go ${goVersion} or newer ` +
        `(your system's packages, or https://go.dev/doc/install), or put pulumi itself on the PATH, then run this again`,
    );
  }
  console.log(`engine: building pulumi v${version} from source (${usually}; log: ${relative(root, log)})`);
  mkdirSync(join(root, ".tools"), { recursive: true });
  mkdirSync(join(cache, cacheKey), { recursive: true });
  const out = `${built}.${process.pid}.tmp`;
  const clean = () => rmSync(out, { force: true });
  process.on("exit", clean);
  try {
    await build(go, out);
    if (versionOf(out) !== version) throw failure(`the built engine does not report version ${version}`);
    renameSync(out, built);
  } finally {
    process.off("exit", clean);
    clean();
  }
  if (!useCachedBuild()) throw new Error(`${built} does not run`);
}
