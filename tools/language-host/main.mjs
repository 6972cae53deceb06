import { version } from "../engine/paths.mjs";
import { stopAll } from "./children.mjs";
import { onEngineGone } from "./engine-gone.mjs";
import { about, getProgramDependencies, installDependencies } from "./project.mjs";
import { requireHere } from "./resolve.mjs";
import { runPlugin } from "./run-plugin.mjs";
import { run, stopPrograms } from "./run.mjs";

const grpc = requireHere("@grpc/grpc-js");
const { Empty } = requireHere("google-protobuf/google/protobuf/empty_pb");
const { LanguageRuntimeService } = requireHere("@pulumi/pulumi/proto/language_grpc_pb");
const messages = requireHere("@pulumi/pulumi/proto/language_pb");
const { PluginInfo } = requireHere("@pulumi/pulumi/proto/plugin_pb");

const flagsWithValue = ["tracing", "root", "runtime"];

function positionalOf([first, ...rest]) {
  if (!first?.startsWith("-")) return first;
  return positionalOf(flagsWithValue.includes(first.replace(/^--?/, "")) ? rest.slice(1) : rest);
}

let engineAddress = positionalOf(process.argv.slice(2));

const asStatus = (error) => ({
  code: error.code in grpc.status ? error.code : grpc.status.UNKNOWN,
  details: error.message,
});

const unary = (handle) => (call, answer) => {
  Promise.resolve(call)
    .then(handle)
    .then(
      (response) => answer(null, response),
      (error) => answer(asStatus(error)),
    );
};

const streaming = (handle) => (call) => {
  Promise.resolve(call)
    .then(handle)
    .then(
      () => call.end(),
      (error) => call.emit("error", asStatus(error)),
    );
};

const needsOfficialRelease = unary(() => {
  const details = "this language host runs programs only; generating code needs an official Pulumi release";
  throw Object.assign(new Error(details), { code: grpc.status.UNIMPLEMENTED });
});

const server = new grpc.Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
server.addService(LanguageRuntimeService, {
  handshake: unary((call) => {
    engineAddress = call.request.getEngineAddress();
    return new messages.LanguageHandshakeResponse();
  }),
  getPluginInfo: unary(() => new PluginInfo().setVersion(version)),
  getRequiredPackages: unary(() => new messages.GetRequiredPackagesResponse()),
  getRequiredPlugins: unary(() => new messages.GetRequiredPluginsResponse()),
  getProgramDependencies: unary(getProgramDependencies),
  about: unary(about),
  runtimeOptionsPrompts: unary(() => new messages.RuntimeOptionsResponse()),
  template: unary(() => new messages.TemplateResponse()),
  installDependencies: streaming(installDependencies),
  run: unary((call) => run(call, engineAddress)),
  runPlugin: streaming(runPlugin),
  cancel: unary(() => {
    stopPrograms();
    return new Empty();
  }),
  generateProgram: needsOfficialRelease,
  generateProject: needsOfficialRelease,
  generatePackage: needsOfficialRelease,
  pack: needsOfficialRelease,
  link: needsOfficialRelease,
});

async function shutDown() {
  await stopAll();
  process.exit();
}

process.on("SIGINT", shutDown).on("SIGTERM", shutDown);
// A broken pipe means that the engine is gone, which standard input tells too.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);
onEngineGone(shutDown);

server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) {
    console.error(error.message);
    process.exit(1);
  }
  process.stdout.write(`${port}\n`);
});
