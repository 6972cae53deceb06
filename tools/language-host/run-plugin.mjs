import { Buffer } from "node:buffer";
import { start, stop } from "./children.mjs";
import { optionsOf, withTypeScript } from "./options.mjs";
import { startPolicyProxy } from "./policy-proxy.mjs";
import { preload, requireHere, resolveFor } from "./resolve.mjs";

const messages = requireHere("@pulumi/pulumi/proto/language_pb");

const stdout = (chunk) => new messages.RunPluginResponse().setStdout(chunk);
const stderr = (chunk) => new messages.RunPluginResponse().setStderr(chunk);

const environmentOf = (pairs) =>
  Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));

function startPlugin(call, module, args, cwd, extraEnv) {
  const request = call.request;
  const options = optionsOf(request.getInfo());
  const env = { ...withTypeScript(environmentOf(request.getEnvList()), options), ...extraEnv };
  const entry = resolveFor(request.getInfo().getProgramDirectory(), module);
  const child = start(process.execPath, [...preload, ...options.nodeArgs, entry, ...args], { cwd, env });
  child.stderr.on("data", (chunk) => call.write(stderr(chunk)));
  if (call.cancelled) stop(child);
  call.on("cancelled", () => stop(child));
  return child;
}

function startProvider(call) {
  const request = call.request;
  const args = [request.getInfo().getProgramDirectory(), ...request.getArgsList()];
  const child = startPlugin(call, "@pulumi/pulumi/cmd/run-plugin", args, request.getPwd() || undefined, {});
  child.stdout.on("data", (chunk) => call.write(stdout(chunk)));
  return child.ended;
}

// The engine configures a policy pack over gRPC, but the SDK reads what it is told from its environment at its start.
async function startPolicyPack(call) {
  const request = call.request;
  const directory = request.getInfo().getProgramDirectory();
  const proxy = await startPolicyProxy();
  try {
    call.write(stdout(Buffer.from(`${proxy.port}\n`)));
    const cancelled = new Promise((resolve) => call.once("cancelled", () => resolve({ cancelled: true })));
    const configuration = await Promise.race([proxy.configured, cancelled]);
    if (configuration?.cancelled || call.cancelled) return { code: 0 };
    const args = [...request.getArgsList(), directory];
    const child = startPlugin(call, "@pulumi/pulumi/cmd/run-policy-pack", args, directory, configuration);
    proxy.attach(child, (chunk) => call.write(stdout(chunk)));
    return await child.ended;
  } finally {
    proxy.close();
  }
}

/** Runs a provider or a policy pack, and gives what it prints and its exit code. */
export async function runPlugin(call) {
  if (call.request.getAttachDebugger()) throw new Error("attaching a debugger is not supported by this language host");
  const { code } = await (call.request.getKind() === "analyzer" ? startPolicyPack(call) : startProvider(call));
  call.write(new messages.RunPluginResponse().setExitcode(code ?? 1));
}
