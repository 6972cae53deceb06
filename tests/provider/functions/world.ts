import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { ZipFile } from "yazl";
import { BillingApi } from "../../../provider/api/billing";
import { AccountsApi } from "../../../provider/api/accounts";
import { Http, type Limits } from "../../../provider/api/http";
import { ResellerError } from "../../../provider/errors";
import type { DataService } from "../../../provider/functions/service";
import type { LoggedRequest } from "../../../simulator";
import { closeAfterwards, FakeClock, rejection, start, type World, type WorldOptions } from "../support";

const os: typeof import("node:os") = jest.requireActual("node:os");

export interface DataWorld extends World, DataService {
  /** The folder that counts as the system's temporary one during the test. */
  temporary: string;
  /** An empty folder. */
  folder: string;
}

/** What data sources need, against a simulator of its own. */
export async function startData(options: WorldOptions = {}): Promise<DataWorld> {
  const world = await start(options);
  return { ...world, billing: new BillingApi(world.http), ...folders() };
}

/** Two empty folders, removed when the test ends; the first one stands in for the system's temporary folder. */
export function folders(): { temporary: string; folder: string } {
  const parent = mkdtempSync(join(os.tmpdir(), "functions-test-"));
  const temporary = mkdtempSync(join(parent, "temporary-"));
  const folder = mkdtempSync(join(parent, "folder-"));
  const replaced = jest.spyOn(os, "tmpdir").mockReturnValue(temporary);
  closeAfterwards(() => {
    replaced.mockRestore();
    rmSync(parent, { recursive: true, force: true });
    return Promise.resolve();
  });
  return { temporary, folder };
}

/** A service that answers every request in one way of its own. */
export async function answering(
  answer: RequestListener,
  limits: Partial<Limits> = {},
): Promise<{ service: DataService; asked: () => number; clock: FakeClock }> {
  let count = 0;
  const server = createServer((request, response) => {
    count++;
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closeAfterwards(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const clock = new FakeClock();
  const tokens = { remedy: "", current: () => Promise.resolve("token"), renew: () => Promise.resolve(undefined) };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = new Http(url, tokens, clock, limits);
  closeAfterwards(() => http.close());
  const small = { archiveBytes: 4_000_000, summaryBytes: 1_000_000 };
  return {
    service: { accounts: new AccountsApi(http), billing: new BillingApi(http, small) },
    asked: () => count,
    clock,
  };
}

export function octets(bytes: Buffer | string): RequestListener {
  return (_request, response) => {
    const body = Buffer.from(bytes as string);
    response.writeHead(200, { "content-type": "application/octet-stream", "content-length": body.length });
    response.end(body);
  };
}

export function json(body: unknown, status = 200): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** The requests so far, as far as a client decides them. */
export function sent(world: World): Pick<LoggedRequest, "method" | "path" | "query">[] {
  return world.simulator.requests({ path: "^/api/" }).map(({ method, path, query }) => ({ method, path, query }));
}

export async function zipOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content as string), name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** What a call is rejected with, which must be an error of ours: one line, without the token. */
export async function refusal(promise: Promise<unknown>): Promise<ResellerError> {
  const error = await rejection(promise);
  if (!(error instanceof ResellerError)) throw error;
  expect(error.message).not.toMatch(/[\r\n]|token\b.*Bearer/);
  expect(error.message.length).toBeLessThanOrEqual(1000);
  return error;
}

export async function collected<T>(from: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of from) all.push(one);
  return all;
}

/** The id of the first invoice; the request log is empty afterwards. */
export async function firstInvoice(world: DataWorld): Promise<string> {
  for await (const { invoiceId } of world.billing.list()) {
    world.simulator.clearRequests();
    return invoiceId;
  }
  throw new Error("there is no invoice");
}

/** Names of what is in a folder, whatever is inside. */
export function contents(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String);
}
