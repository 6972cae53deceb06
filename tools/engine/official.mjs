import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { clearInterval, setInterval } from "node:timers";
import { isExecutable } from "./files.mjs";
import { linkEngine } from "./on-path.mjs";
import { cache, cacheKey, hosts, version } from "./paths.mjs";
import { killGroup, spawnGroup } from "./processes.mjs";

const idleSeconds = 20;
const home = join(cache, `${cacheKey}-official`);

function isComplete(folder) {
  return ["pulumi", ...hosts].every((name) => isExecutable(join(folder, "bin", name)));
}

/** Uses the official release if this user already has it; says whether it did. */
export function useCachedRelease() {
  if (!isComplete(home)) return false;
  const inHome = (name) => join(home, "bin", name);
  linkEngine(inHome("pulumi"), hosts.map(inHome));
  return true;
}

function bytesIn(folder) {
  let sum = 0;
  for (const name of readdirSync(folder, { recursive: true })) {
    const entry = statSync(join(folder, name), { throwIfNoEntry: false });
    if (entry?.isFile()) sum += entry.size;
  }
  return sum;
}

// A slow line may need minutes for the release; a line that is cut brings nothing at all.
function watch(folder, onIdle) {
  let bytes = 0;
  let idle = 0;
  return setInterval(() => {
    const now = bytesIn(folder);
    idle = now === bytes ? idle + 1 : 0;
    bytes = now;
    if (idle >= idleSeconds) onIdle();
  }, 1000);
}

function reasonIn(output) {
  const lines = output.split("\n").map((line) => line.trim());
  const own = lines.findLast((line) => line.startsWith("pulumi: "));
  const npm = lines.find((line) => /^npm (error|ERR!) /.test(line) && !/ code /.test(line));
  return (own ?? npm ?? "the download failed").replace(/^(pulumi:|npm (error|ERR!)) /, "");
}

async function download(folder) {
  // The wrapper keeps a release in PULUMI_HOME/versions and loads it through the folder for temporary files.
  const env = { ...process.env, PULUMI_HOME: folder, TMPDIR: folder, PULUMI_SKIP_UPDATE_CHECK: "true" };
  delete env.PULUMI_VERSION;
  const args = ["exec", "--yes", `--package=pulumi@${version}`, "--", "pulumi", "version"];
  const { child, ended } = spawnGroup("npm", args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  let cut = false;
  const timer = watch(folder, () => {
    cut = true;
    killGroup(child);
  });
  try {
    const { code } = await ended;
    if (cut) return `nothing arrived for ${idleSeconds} s`;
    return code === 0 ? undefined : reasonIn(output);
  } finally {
    clearInterval(timer);
  }
}

/** Fetches the official release through the npm package `pulumi`; says whether it could. */
export async function useOfficialRelease() {
  console.log(`engine: asking for the official release of pulumi v${version}`);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "download-"));
  const clean = () => rmSync(folder, { recursive: true, force: true });
  process.on("exit", clean);
  try {
    const reason = await download(folder).catch((error) => error.message);
    const release = join(folder, "versions", version);
    const complete = !reason && isComplete(release);
    if (!complete) {
      console.log(`  not available from here (${reason ?? "the release is incomplete"}); building from source instead`);
      return false;
    }
    try {
      renameSync(release, home);
    } catch (error) {
      // A run at the same time was first, and its copy is as good; anything less than a whole copy makes way.
      if (!isComplete(home)) {
        rmSync(home, { recursive: true, force: true });
        renameSync(release, home);
      }
      if (!isComplete(home)) throw error;
    }
    return useCachedRelease();
  } finally {
    process.off("exit", clean);
    clean();
  }
}
