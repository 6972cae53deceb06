import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Context, Call } from "./context";
import { control, isControl } from "./control";
import { deliver, pause, send } from "./deliver";
import { loggedBody, loggedHeaders } from "./request-log";
import { problem, type Reply } from "./respond";
import { route } from "./routes";

/** Largest request body in bytes; the usual limit of the kind of server that is simulated. */
const bodyLimit = 30_000_000;

/** A server that answers requests one by one and isn't listening yet. */
export function createSimulatorServer(context: Context): Server {
  const server = createServer((request, response) => {
    serve(context, request, response).catch(() => {
      if (response.headersSent || response.destroyed) response.destroy();
      else send(response, problem(500));
    });
  });
  server.keepAliveTimeout = 130_000;
  server.requestTimeout = 0;
  return server;
}

async function serve(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) {
    const tooLarge = problem(413);
    if (!request.destroyed) send(response, { ...tooLarge, headers: { ...tooLarge.headers, connection: "close" } });
    return;
  }
  const call = read(context, request, body);
  if (isControl(call)) {
    send(response, control(call));
    return;
  }
  const entry = context.log.add({
    method: call.method,
    path: call.path,
    query: Object.fromEntries(call.query),
    headers: loggedHeaders(call.headers),
    body: loggedBody(body, call.headers["content-type"] ?? ""),
    status: null,
    at: context.clock.iso(),
  });
  context.settings.onRequest?.(entry);
  const act = async (): Promise<Reply> => {
    const reply = await route(call);
    if (context.settings.latencyMs > 0) await pause(response, context.settings.latencyMs);
    return reply;
  };
  await deliver({ request, response, entry, act }, context.faults.take(call.method, call.path, call.search));
}

function read(context: Context, request: IncomingMessage, body: Buffer): Call {
  const url = request.url ?? "/";
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  const search = mark < 0 ? "" : url.slice(mark);
  return {
    context,
    method: request.method ?? "GET",
    path,
    search,
    query: new URLSearchParams(search),
    headers: request.headers,
    body,
    id: "",
  };
}

/** @returns the whole body, or `undefined` when it is too large or the client went away */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length;
      if (size > bodyLimit) return undefined;
      chunks.push(chunk as Buffer);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}
