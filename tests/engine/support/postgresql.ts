import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./installed";
import { succeed } from "./processes";

const programs = join(root, ".tools/postgresql");
const user = "pulumi";
const isRoot = process.getuid?.() === 0;
const nobody = 65534;

/** Whether a server can be started here; `make postgresql` says why not. */
export const hasPostgres = existsSync(join(programs, "initdb"));

/** A PostgreSQL server of its own in a temporary folder, reached on this machine only and with a password. */
export class PostgresServer implements AsyncDisposable {
  /** For programs that keep their state in it: the address without the password, and the password beside it. */
  readonly settings: { PULUMI_BACKEND_URL: string; PGPASSWORD: string };

  private constructor(
    readonly folder: string,
    readonly port: number,
    password: string,
    readonly server: ChildProcess,
  ) {
    const address = `postgres://${user}@127.0.0.1:${port}/postgres`;
    this.settings = { PULUMI_BACKEND_URL: `${address}?sslmode=disable`, PGPASSWORD: password };
  }

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), "reseller-postgresql-"));
    try {
      const password = randomBytes(16).toString("hex");
      writeFileSync(join(folder, "password"), password, { mode: 0o600 });
      if (isRoot) for (const path of [folder, join(folder, "password")]) chownSync(path, nobody, nobody);
      const data = join(folder, "data");
      const access = ["--username", user, "--pwfile", join(folder, "password"), "--auth", "scram-sha-256"];
      const [initdb, ...options] = unprivileged(
        "initdb",
        "-D",
        data,
        ...access,
        "--no-sync",
        "--no-locale",
        "-E",
        "UTF8",
      );
      await succeed(initdb, options, { cwd: folder, env: process.env });
      const port = await freePort();
      const reach = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
      const [postgres, ...args] = unprivileged("postgres", "-D", data, "-p", String(port), ...reach);
      const server = spawn(postgres, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
      await ready(server);
      return new PostgresServer(folder, port, password, server);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** @returns the rows of a query, each as its columns with `|` between */
  async query(sql: string): Promise<string[]> {
    const env = { ...process.env, ...this.settings };
    const args = ["-h", "127.0.0.1", "-p", String(this.port), "-U", user, "-d", "postgres", "-Atc", sql];
    const { stdout } = await succeed(join(programs, "psql"), args, { cwd: this.folder, env });
    return stdout.split("\n").filter((line) => line !== "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.server.exitCode === null && this.server.signalCode === null) {
      // Ends the connections that are open, then the server.
      this.server.kill("SIGINT");
      await once(this.server, "exit");
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The server refuses to run as root, and must not outlive a test run that is killed. */
function unprivileged(program: string, ...args: string[]): [string, ...string[]] {
  const path = join(programs, program);
  if (process.platform !== "linux") return [path, ...args];
  const identity = isRoot ? [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : [];
  return ["setpriv", "--pdeathsig", "INT", ...identity, "--", path, ...args];
}

async function ready(server: ChildProcess): Promise<void> {
  let log = "";
  await new Promise<void>((resolve, reject) => {
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      if (log.includes("ready to accept connections")) resolve();
    });
    server.once("error", reject);
    server.once("exit", () => {
      reject(new Error(`The PostgreSQL server did not start:\n${log}`));
    });
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
