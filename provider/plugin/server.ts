import { Readable, type Writable } from "node:stream";
import { type sendUnaryData, Server, ServerCredentials } from "@grpc/grpc-js";
import type { ServerUnaryCall, ServerWritableStream } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { failureOf } from "./failures";
import { ResellerPlugin } from "./service";

type Handler<Request, Response> = (request: Request) => Response | Promise<Response>;

/** Answers every call: with the response, or with what went wrong. */
function answering<Request, Response>(handler: Handler<Request, Response>) {
  return (call: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>): void => {
    Promise.resolve(call.request)
      .then(handler)
      .then(
        (response) => {
          callback(null, response);
        },
        (error: unknown) => {
          callback(failureOf(error));
        },
      );
  };
}

/** Answers with one message after the other, as fast as they are taken; what went wrong comes last. */
function streaming<Request, Response>(handler: (request: Request) => AsyncIterable<Response>) {
  return (call: ServerWritableStream<Request, Response>): void => {
    const responses = Readable.from(handler(call.request));
    responses.on("error", (error) => call.emit("error", failureOf(error)));
    call.on("cancelled", () => responses.destroy());
    responses.pipe(call as object as Writable);
  };
}

/** Serves the engine on a port of this machine that the system picks. @returns the port */
export async function serve(engineAddress?: string): Promise<{ port: number; close: () => void }> {
  const plugin = new ResellerPlugin(engineAddress);
  // The engine sets no limit of its own; the detail of an invoice may be large.
  const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  server.addService(ResourceProviderService, {
    handshake: answering(plugin.handshake.bind(plugin)),
    attach: answering(plugin.attach.bind(plugin)),
    getPluginInfo: answering(plugin.getPluginInfo.bind(plugin)),
    getSchema: answering(plugin.getSchema.bind(plugin)),
    getMapping: answering(plugin.getMapping.bind(plugin)),
    cancel: answering(plugin.cancel.bind(plugin)),
    checkConfig: answering(plugin.checkConfig.bind(plugin)),
    diffConfig: answering(plugin.diffConfig.bind(plugin)),
    configure: answering(plugin.configure.bind(plugin)),
    invoke: answering(plugin.invoke.bind(plugin)),
    check: answering(plugin.check.bind(plugin)),
    diff: answering(plugin.diff.bind(plugin)),
    create: answering(plugin.create.bind(plugin)),
    read: answering(plugin.read.bind(plugin)),
    update: answering(plugin.update.bind(plugin)),
    delete: answering(plugin.delete.bind(plugin)),
    list: streaming(plugin.list.bind(plugin)),
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
  return {
    port,
    close: () => {
      server.forceShutdown();
    },
  };
}
