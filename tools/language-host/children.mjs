import { spawn } from "node:child_process";

const killAfter = 5000;
const outputGrace = 2000;
const running = new Set();

/** Starts a child whose `ended` tells its exit code, once its output has been read. */
export function start(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  child.ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
    // What the child itself left running may hold its output open for ever.
    child.once("exit", (code, signal) => setTimeout(resolve, outputGrace, { code, signal }).unref());
  }).finally(() => running.delete(child));
  return child;
}

export function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGINT");
  setTimeout(() => child.kill("SIGKILL"), killAfter).unref();
}

/** Ends every child and waits for them. */
export async function stopAll() {
  const children = [...running];
  children.forEach(stop);
  // The timers of stop() do not keep this process up; this one does, until the last child is gone.
  const wait = setTimeout(() => undefined, killAfter + outputGrace);
  await Promise.allSettled(children.map((child) => child.ended));
  clearTimeout(wait);
}
