import { closeSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { clearInterval, setInterval } from "node:timers";
import { textOf } from "./files.mjs";
import { findIn, pathFolders } from "./on-path.mjs";
import { goVersion, root, tools } from "./paths.mjs";
import { spawnGroup } from "./processes.mjs";
import { remedyFor } from "./remedies.mjs";

const log = join(root, ".tools", "build.log");

function progress(started, usually) {
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

async function compile(go, { command, flags, usually }, out) {
  const args = ["build", "-v", "-trimpath", "-ldflags", `-s -w ${flags}`, "-o", out, command];
  const output = openSync(log, "w");
  const started = Date.now();
  const env = { ...process.env, GOWORK: "off" };
  const { ended } = spawnGroup(go, args, { cwd: tools, env, stdio: ["ignore", output, output] });
  closeSync(output);
  const timer = setInterval(() => progress(started, usually), 15_000);
  try {
    const { code, signal } = await ended;
    if (code !== 0) throw failure(`go build ended with ${signal ?? `exit code ${code}`}`);
  } finally {
    clearInterval(timer);
  }
}

/**
 * Builds a command of a module in tools/go.mod into `built`, which is there whole or not at all.
 * `what`: its name in messages; `isGood`: whether the built program works; `otherwise`: how to go on without Go.
 */
export async function buildWithGo({ what, built, isGood, otherwise, ...how }) {
  const go = findIn(pathFolders(), "go");
  if (!go) {
    throw new Error(
      `${what} has to be built from source, and Go is not on the PATH\n  remedy: install Go ${goVersion} or newer ` +
        `(your system's packages, or https://go.dev/doc/install), or ${otherwise}, then run this again`,
    );
  }
  console.log(`engine: building ${what} from source (${how.usually}; log: ${relative(root, log)})`);
  mkdirSync(join(root, ".tools"), { recursive: true });
  mkdirSync(dirname(built), { recursive: true });
  const out = `${built}.${process.pid}.tmp`;
  const clean = () => rmSync(out, { force: true });
  process.on("exit", clean);
  try {
    await compile(go, how, out);
    if (!isGood(out)) throw failure(`${what} was built but does not work`);
    renameSync(out, built);
  } finally {
    process.off("exit", clean);
    clean();
  }
}
