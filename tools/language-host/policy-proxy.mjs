import { Buffer } from "node:buffer";
import { requireHere } from "./resolve.mjs";

const grpc = requireHere("@grpc/grpc-js");
const { AnalyzerService } = requireHere("@pulumi/pulumi/proto/analyzer_grpc_pb");
const { AnalyzerStackConfigureRequest } = requireHere("@pulumi/pulumi/proto/analyzer_pb");

const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
const asIs = (bytes) => bytes;
const raw = { requestSerialize: asIs, requestDeserialize: asIs, responseSerialize: asIs, responseDeserialize: asIs };
const service = Object.fromEntries(
  Object.entries(AnalyzerService).map(([name, method]) => [name, { ...method, ...raw }]),
);
const nothing = Buffer.alloc(0);

function environmentOf(bytes) {
  const request = AnalyzerStackConfigureRequest.deserializeBinary(bytes);
  const given = {
    PULUMI_NODEJS_ORGANIZATION: request.getOrganization(),
    PULUMI_NODEJS_PROJECT: request.getProject(),
    PULUMI_NODEJS_STACK: request.getStack(),
    PULUMI_NODEJS_DRY_RUN: String(request.getDryRun()),
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().toArray())),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value));
}

// The first line is the port on which the policy pack listens; what follows is ordinary output.
function readPort(child, onOutput) {
  return new Promise((resolve, reject) => {
    let start = nothing;
    const onStart = (chunk) => {
      start = Buffer.concat([start, chunk]);
      const end = start.indexOf("\n");
      if (end === -1) return;
      child.stdout.off("data", onStart).on("data", onOutput);
      if (end + 1 < start.length) onOutput(start.subarray(end + 1));
      const port = Number(start.toString("utf8", 0, end));
      if (Number.isInteger(port) && port > 0) resolve(port);
      else reject(new Error(`the policy pack printed no port but: ${start.toString("utf8", 0, end)}`));
    };
    child.stdout.on("data", onStart);
    child.ended.then(() => reject(new Error("the policy pack ended before it was ready")), reject);
  });
}

const send = (client, path, bytes) =>
  new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, asIs, asIs, bytes, (error, answer) => (error ? reject(error) : resolve(answer)));
  });

async function connect(port, configuration) {
  const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), unlimited);
  try {
    if (configuration) await send(client, AnalyzerService.configureStack.path, configuration);
  } catch (error) {
    // Older policy packs know no such call.
    if (error.code !== grpc.status.UNIMPLEMENTED) throw error;
  }
  return client;
}

/** Answers the engine in place of a policy pack that is yet to start, and forwards to it once it has. */
export async function startPolicyProxy() {
  const configured = Promise.withResolvers();
  const pack = Promise.withResolvers();
  pack.promise.catch(() => undefined);
  let configuration;

  const forward = (path) => (call, answer) => {
    // `pulumi policy publish` asks without configuring first.
    configured.resolve({});
    pack.promise.then((client) => send(client, path, call.request)).then((bytes) => answer(null, bytes), answer);
  };
  const handlers = Object.fromEntries(Object.entries(service).map(([name, { path }]) => [name, forward(path)]));
  handlers.handshake = (_call, answer) => answer(null, nothing);
  handlers.configureStack = (call, answer) => {
    configuration = call.request;
    configured.resolve(environmentOf(configuration));
    answer(null, nothing);
  };

  const server = new grpc.Server(unlimited);
  server.addService(service, handlers);
  const port = await new Promise((resolve, reject) => {
    const insecure = grpc.ServerCredentials.createInsecure();
    server.bindAsync("127.0.0.1:0", insecure, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  return {
    port,
    configured: configured.promise,
    attach(child, onOutput) {
      readPort(child, onOutput)
        .then((packPort) => connect(packPort, configuration))
        .then(pack.resolve, pack.reject);
    },
    close() {
      pack.reject(new Error("the policy pack has ended"));
      pack.promise.then((client) => client.close()).catch(() => undefined);
      server.forceShutdown();
    },
  };
}
