import { start, stop } from "./children.mjs";
import { optionsOf, withTypeScript } from "./options.mjs";
import { preload, requireHere, resolveFor } from "./resolve.mjs";

const messages = requireHere("@pulumi/pulumi/proto/language_pb");

// The SDK's exit code for "the user has been told what is wrong".
const alreadyReported = 32;

const programs = new Set();

export const stopPrograms = () => programs.forEach(stop);

function argumentsFor(request, engineAddress) {
  const info = request.getInfo();
  const flags = {
    monitor: request.getMonitorAddress(),
    engine: engineAddress,
    organization: request.getOrganization(),
    project: request.getProject(),
    stack: request.getStack(),
    "root-directory": info.getRootDirectory(),
    pwd: info.getProgramDirectory(),
    parallel: String(request.getParallel()),
  };
  const given = Object.entries(flags).filter(([, value]) => value);
  return [
    ...given.flatMap(([name, value]) => [`--${name}`, value]),
    ...(request.getDryrun() ? ["--dry-run"] : []),
    info.getEntryPoint() || ".",
    ...request.getArgsList(),
  ];
}

function environmentFor(request, options) {
  const config = Object.fromEntries(request.getConfigMap().toArray());
  return {
    ...withTypeScript(process.env, options),
    PULUMI_CONFIG: JSON.stringify(config),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
  };
}

function responseTo({ code, signal }) {
  const response = new messages.RunResponse();
  if (code === alreadyReported) response.setBail(true);
  else if (code === null) response.setError(`Program exited unexpectedly: ${signal}`);
  else if (code !== 0) response.setError(`Program exited with non-zero exit code: ${code}`);
  return response;
}

export async function run(call, engineAddress) {
  const request = call.request;
  const failed = (message) => new messages.RunResponse().setError(message);
  if (!engineAddress) return failed("the language host was given no engine address");
  if (request.getAttachDebugger()) {
    return failed(
      "attaching a debugger is not supported by this language host; set the runtime option nodeargs instead",
    );
  }
  const options = optionsOf(request.getInfo());
  const program = resolveFor(request.getInfo().getProgramDirectory(), "@pulumi/pulumi/cmd/run");
  const args = [...preload, ...options.nodeArgs, program, ...argumentsFor(request, engineAddress)];
  const child = start(process.execPath, args, { env: environmentFor(request, options) });
  child.stdout.pipe(process.stdout, { end: false });
  child.stderr.pipe(process.stderr, { end: false });
  if (call.cancelled) stop(child);
  call.on("cancelled", () => stop(child));
  programs.add(child);
  return responseTo(await child.ended.finally(() => programs.delete(child)));
}
