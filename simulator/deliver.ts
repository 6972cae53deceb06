import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Fault } from "./faults";
import type { LoggedRequest } from "./request-log";
import { empty, html, json, type Reply } from "./respond";

/** One exchange on its way out. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  entry: LoggedRequest;
  /** Lets the request take effect and gives the answer it deserves. */
  act: () => Promise<Reply>;
}

const proxyPage = `<!DOCTYPE html>
<html><head><title>502 Bad Gateway</title></head>
<body><center><h1>502 Bad Gateway</h1></center><hr><center>proxy</center></body></html>
`;

/** Sends an answer as it is. */
export function send(response: ServerResponse, reply: Reply, entry?: LoggedRequest): void {
  head(response, reply, entry);
  response.end(reply.body);
}

function head(response: ServerResponse, reply: Reply, entry?: LoggedRequest): void {
  if (entry) entry.status = reply.status;
  const length = reply.status === 204 ? {} : { "content-length": String(reply.body.length) };
  response.writeHead(reply.status, { ...length, ...reply.headers });
}

/** Answers an exchange, with a fault or without. */
export async function deliver(exchange: Exchange, fault: Fault | undefined): Promise<void> {
  const { response, entry, act } = exchange;
  const answer = (reply: Reply): void => {
    send(response, reply, entry);
  };
  switch (fault?.action) {
    case undefined:
      answer(await act());
      return;
    case "cut-before":
      cut(exchange, fault.reset);
      return;
    case "cut-after":
      await act();
      cut(exchange, fault.reset);
      return;
    case "truncate":
      truncate(exchange, await act());
      return;
    case "empty-body":
      await act();
      answer(empty(fault.status ?? 200));
      return;
    case "delay-headers": {
      const reply = await act();
      if (await pause(response, fault.ms)) answer(reply);
      return;
    }
    case "delay-body": {
      const reply = await act();
      head(response, reply, entry);
      response.flushHeaders();
      if (reply.body.length > 0) response.write(reply.body.subarray(0, 1));
      if (await pause(response, fault.ms)) response.end(reply.body.subarray(1));
      return;
    }
    case "status": {
      if (fault.act === true) await act();
      answer(ownReply(fault));
      return;
    }
    case "html":
      if (fault.act === true) await act();
      answer(html(fault.status ?? 502, proxyPage));
      return;
    case "endless-body":
      await endless(exchange, await act(), fault.bytes ?? 200_000_000);
      return;
    case "redirect":
      answer(empty(fault.status ?? 302, { location: fault.location }));
      return;
    case "close-idle": {
      const reply = await act();
      response.once("finish", () => exchange.request.socket.end());
      answer(reply);
      return;
    }
    case "json":
      await act();
      answer(json(fault.status ?? 200, fault.body ?? null));
      return;
  }
}

function ownReply(fault: Extract<Fault, { action: "status" }>): Reply {
  const { status, body, contentType } = fault;
  const headers: Record<string, string> = { ...fault.headers };
  if (contentType !== undefined) headers["content-type"] = contentType;
  if (body === undefined) return empty(status, headers);
  if (typeof body !== "string") return json(status, body, headers);
  return { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers }, body: Buffer.from(body) };
}

function cut({ request }: Exchange, reset = false): void {
  if (reset) request.socket.resetAndDestroy();
  else request.socket.destroy();
}

function truncate(exchange: Exchange, reply: Reply): void {
  if (reply.body.length === 0) {
    cut(exchange);
    return;
  }
  head(exchange.response, reply, exchange.entry);
  exchange.response.write(reply.body.subarray(0, Math.floor(reply.body.length / 2)), () => {
    cut(exchange);
  });
}

async function endless({ response, entry }: Exchange, reply: Reply, bytes: number): Promise<void> {
  entry.status = reply.status;
  response.writeHead(reply.status, reply.headers);
  response.write(reply.body.subarray(0, Math.floor(reply.body.length / 2)));
  const blanks = Buffer.alloc(64 * 1024, " ");
  for (let sent = 0; sent < bytes && !response.destroyed; sent += blanks.length) {
    if (!response.write(blanks)) await drained(response);
  }
  response.end();
}

async function drained(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}

/** Waits. @returns whether the client is still there */
export async function pause(response: ServerResponse, ms: number): Promise<boolean> {
  if (response.destroyed) return false;
  const gone = new AbortController();
  const abort = (): void => {
    gone.abort();
  };
  response.once("close", abort);
  try {
    await wait(ms, undefined, { signal: gone.signal });
  } catch {
    return false;
  } finally {
    response.off("close", abort);
  }
  return !response.destroyed;
}
