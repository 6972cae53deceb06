import { type ChildProcess, type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { promisify } from "node:util";

/** What a command did. `output` is both streams in the order of arrival. */
export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
  output: string;
}

/** A command under way. */
export interface Running {
  child: ChildProcess;
  ended: Promise<Run>;
}

/** Starts a command. Never waits for it: the simulator lives in this process and has to answer meanwhile. */
export function start(
  command: string,
  args: string[],
  { stdin = "ignore", ...options }: { cwd: string; env: NodeJS.ProcessEnv; stdin?: "ignore" | "pipe" },
): Running {
  const child = spawn(command, args, { ...options, stdio: [stdin, "pipe", "pipe"] }) as ChildProcessByStdio<
    Writable | null,
    Readable,
    Readable
  >;
  const run: Run = { code: null, stdout: "", stderr: "", output: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      run[name] += text;
      run.output += text;
    });
  }
  const ended = once(child, "close").then(([code]) => ({ ...run, code: code as number | null }));
  return { child, ended };
}

/** Runs a command that has to succeed. @throws with everything it printed */
export async function succeed(command: string, args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
  const run = await start(command, args, options).ended;
  if (run.code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${String(run.code)}:\n${run.output}`);
  return run;
}

/** Ends a process and everything below it with SIGKILL. The engine gives its plugins process groups of their own. */
export async function killTree(root: number): Promise<void> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="]);
  const rows = stdout
    .trim()
    .split("\n")
    .map((row) => row.trim().split(/\s+/).map(Number));
  const doomed = [root];
  for (const parent of doomed) {
    for (const [pid, ppid] of rows) if (ppid === parent && pid !== undefined) doomed.push(pid);
  }
  for (const pid of doomed) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
}
