import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { type sendUnaryData, type ServerUnaryCall, credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { LanguageRuntimeClient } from "@pulumi/pulumi/proto/language_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/language_pb";
import { RegisterResourceResponse } from "@pulumi/pulumi/proto/resource_pb";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

const root = resolve(__dirname, "../..");

let engine: Server;
let engineAddress: string;
let logged: string[] = [];
let program: string;
let host: ChildProcessWithoutNullStreams;
let client: LanguageRuntimeClient;
let printed = "";

/** Hears what programs log, and knows just enough to let a program start. */
async function startEngine(): Promise<void> {
  engine = new Server();
  engine.addService(EngineService, {
    log: (call: ServerUnaryCall<LogRequest, Empty>, answer: sendUnaryData<Empty>) => {
      logged.push(call.request.getMessage());
      answer(null, new Empty());
    },
  });
  engine.addService(ResourceMonitorService, {
    registerResource: (_call: unknown, answer: sendUnaryData<RegisterResourceResponse>) => {
      const stack = new RegisterResourceResponse();
      stack.setUrn("urn:pulumi:dev::demo::pulumi:pulumi:Stack::demo-dev");
      answer(null, stack);
    },
    registerResourceOutputs: (_call: unknown, answer: sendUnaryData<Empty>) => {
      answer(null, new Empty());
    },
  });
  const port = await ask<number>((answer) => {
    engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), answer);
  });
  engineAddress = `127.0.0.1:${port}`;
}

async function startHost(args: string[]): Promise<void> {
  host = spawn(process.execPath, [join(root, "tools/language-host/main.mjs"), ...args], { cwd: program });
  const [port] = (await once(createInterface(host.stdout), "line")) as [string];
  expect(port).toMatch(/^\d+$/);
  for (const stream of [host.stdout, host.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  client = new LanguageRuntimeClient(`127.0.0.1:${port}`, credentials.createInsecure());
}

function ask<Answer>(send: (answer: (error: Error | null, response: Answer) => void) => unknown): Promise<Answer> {
  return new Promise((fulfil, reject) =>
    send((error, response) => {
      if (error) reject(error);
      else fulfil(response);
    }),
  );
}

function programInfo(entryPoint = "."): messages.ProgramInfo {
  const info = new messages.ProgramInfo();
  info.setRootDirectory(program);
  info.setProgramDirectory(program);
  info.setEntryPoint(entryPoint);
  info.setOptions(Struct.fromJavaScript({ typescript: false }));
  return info;
}

function runRequest(entryPoint: string): messages.RunRequest {
  const request = new messages.RunRequest();
  request.setInfo(programInfo(entryPoint));
  request.setProject("demo");
  request.setStack("dev");
  request.setMonitorAddress(engineAddress);
  request.setParallel(4);
  request.getConfigMap().set("demo:key", "value");
  request.setConfigsecretkeysList(["demo:key"]);
  return request;
}

const run = (request: messages.RunRequest) =>
  ask<messages.RunResponse>((answer) => client.run(request, answer)).then((response) => response.toObject());

beforeEach(async () => {
  printed = "";
  logged = [];
  program = mkdtempSync(join(tmpdir(), "language-host-"));
  symlinkSync(join(root, "node_modules"), join(program, "node_modules"));
  const dependencies = { "@pulumi/pulumi": "^3.0.0", "not-installed": "1.2.3" };
  writeFileSync(join(program, "package.json"), JSON.stringify({ name: "demo", dependencies }));
  await startEngine();
  await startHost(["--logtostderr", "-tracing", "none", engineAddress]);
});

afterEach(async () => {
  client.close();
  host.stdin.end();
  if (host.exitCode === null) await once(host, "exit");
  engine.forceShutdown();
  rmSync(program, { recursive: true });
});

test("says who it is, shakes hands and needs no packages", async () => {
  const plugin = await ask<{ getVersion(): string }>((answer) => client.getPluginInfo(new Empty(), answer));
  expect(plugin.getVersion()).toMatch(/^3\.\d+\.\d+$/);
  const greeting = new messages.LanguageHandshakeRequest();
  greeting.setEngineAddress(engineAddress);
  await ask((answer) => client.handshake(greeting, answer));
  const request = new messages.GetRequiredPackagesRequest();
  request.setInfo(programInfo());
  const packages = await ask<messages.GetRequiredPackagesResponse>((answer) =>
    client.getRequiredPackages(request, answer),
  );
  expect(packages.getPackagesList()).toEqual([]);
});

test("lists the program's dependencies with the versions installed, and reports a missing package.json", async () => {
  const request = new messages.GetProgramDependenciesRequest();
  request.setInfo(programInfo());
  const get = () =>
    ask<messages.GetProgramDependenciesResponse>((answer) => client.getProgramDependencies(request, answer));
  expect((await get()).toObject().dependenciesList).toEqual([
    { name: "@pulumi/pulumi", version: expect.stringMatching(/^3\.\d+\.\d+$/) as string },
    { name: "not-installed", version: "1.2.3" },
  ]);
  rmSync(join(program, "package.json"));
  await expect(get()).rejects.toThrow("package.json");
});

test("runs a program with its configuration and passes on its exit code", async () => {
  const show = "console.log(process.env.PULUMI_CONFIG, process.env.PULUMI_CONFIG_SECRET_KEYS, process.argv.slice(2));";
  writeFileSync(join(program, "program.js"), `${show} process.exit(7);`);
  const request = runRequest("program.js");
  request.setArgsList(["extra"]);
  expect(await run(request)).toEqual({ error: "Program exited with non-zero exit code: 7", bail: false });
  expect(printed).toContain(`{"demo:key":"value"} ["demo:key"] [ 'extra' ]`);
});

test("says that the user knows already when the program says so", async () => {
  writeFileSync(join(program, "program.js"), "process.exit(32);");
  expect(await run(runRequest("program.js"))).toEqual({ error: "", bail: true });
});

test("gives node its own arguments, and fails when node does", async () => {
  const request = runRequest("program.js");
  request.getInfo()?.setOptions(Struct.fromJavaScript({ nodeargs: "--require './no such file.js'" }));
  expect(await run(request)).toEqual({ error: "Program exited with non-zero exit code: 1", bail: false });
  expect(printed).toContain("Cannot find module './no such file.js'");
});

test("says at once that a program does not exist", async () => {
  expect(await run(runRequest("nonexistent.js"))).toEqual({ error: "", bail: true });
  expect(logged).toContainEqual(expect.stringMatching(/nonexistent\.js' failed .*\n.*ENOENT/));
});

test("ends the program when told to cancel", async () => {
  writeFileSync(join(program, "program.js"), "console.log('running'); setInterval(() => {}, 1000);");
  const cancelled = run(runRequest("program.js"));
  while (!printed.includes("running")) await setTimeout(20);
  await ask((answer) => client.cancel(new Empty(), answer));
  expect(await cancelled).toEqual({ error: "Program exited unexpectedly: SIGINT", bail: false });
});

test("ends itself and its program when the engine is gone", async () => {
  writeFileSync(join(program, "program.js"), "console.log('pid', process.pid); setInterval(() => {}, 1000);");
  const abandoned = run(runRequest("program.js")).catch(() => undefined);
  while (!/pid \d+\n/.test(printed)) await setTimeout(20);
  host.stdin.end();
  expect(await once(host, "exit")).toEqual([0, null]);
  expect(() => process.kill(Number(/pid (\d+)/.exec(printed)?.[1]), 0)).toThrow("ESRCH");
  await abandoned;
});
