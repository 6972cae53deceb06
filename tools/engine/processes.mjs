import { spawn, spawnSync } from "node:child_process";

/** What `pulumi version` says, without its "v"; undefined if it does not run. */
export function versionOf(pulumi) {
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const { status, stdout } = spawnSync(pulumi, ["version"], { encoding: "utf8", env, timeout: 10_000 });
  return status === 0 ? stdout.trim().replace(/^v/, "") : undefined;
}

const groups = new Set();

export function killGroup(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** A child in a process group of its own, so that what it starts can be ended with it. */
export function spawnGroup(command, args, options) {
  const child = spawn(command, args, { ...options, detached: true });
  groups.add(child);
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  }).finally(() => groups.delete(child));
  return { child, ended };
}

process.on("exit", () => {
  for (const child of groups) killGroup(child);
});
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  process.once(signal, () => process.exit(code));
}
