import { randomBytes } from "node:crypto";

/** A whole answer before it is sent, so that a fault can still cut, delay or replace it. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Thrown inside a handler to answer with something other than success. */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(readonly reply: Reply) {
    super(`refused with ${reply.status}`);
  }
}

const jsonType = "application/json; charset=utf-8";

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return rawJson(status, Buffer.from(JSON.stringify(value)), headers);
}

export function rawJson(status: number, body: Buffer, headers: Record<string, string> = {}): Reply {
  return { status, headers: { "content-type": jsonType, ...headers }, body };
}

export function empty(status: number, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: Buffer.alloc(0) };
}

export function octets(body: Buffer): Reply {
  return { status: 200, headers: { "content-type": "application/octet-stream" }, body };
}

export function html(status: number, page: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { "content-type": "text/html; charset=utf-8", ...headers }, body: Buffer.from(page) };
}

/** Single-record envelope. Service document: "Resources and their fields › Response envelopes". */
export function envelope(data: unknown, timestamp: string, status = 200, headers: Record<string, string> = {}): Reply {
  return json(status, { data, status: "success", timestamp }, headers);
}

/** Page envelope; `pageIndex` is left out where the service doesn't show it. */
export function pageEnvelope(data: unknown[], timestamp: string, pageSize: number, pageIndex?: number): Reply {
  const index = pageIndex === undefined ? {} : { page_index: pageIndex };
  return json(200, { page_size: pageSize, ...index, data, status: "success", timestamp });
}

/** Error envelope. */
export function errorEnvelope(error: number, message: string, timestamp: string): Reply {
  return json(error, { error, message, status: "error", timestamp });
}

const titles: Record<number, [title: string, section: string]> = {
  400: ["Bad Request", "15.5.1"],
  413: ["Content Too Large", "15.5.14"],
  415: ["Unsupported Media Type", "15.5.16"],
  500: ["An error occurred while processing your request.", "15.6.1"],
};

/**
 * RFC 9457 problem details, as an ASP.NET service gives them where the service document says nothing.
 * @param errors messages by the field they are about; a map turns the title into that of a validation problem
 */
export function problem(status: number, errors?: Record<string, string[]>): Reply {
  const [title, section] = titles[status] ?? ["Error", "15"];
  const body = {
    type: `https://tools.ietf.org/html/rfc9110#section-${section}`,
    title: errors ? "One or more validation errors occurred." : title,
    status,
    ...(errors ? { errors } : {}),
    traceId: `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-00`,
  };
  return json(status, body, { "content-type": "application/problem+json; charset=utf-8" });
}
