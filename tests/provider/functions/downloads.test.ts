import { writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RequestListener } from "node:http";
import {
  InvalidDocumentError,
  NetworkError,
  NotFoundError,
  ServiceUnavailableError,
  UnauthorizedError,
  UnexpectedResponseError,
} from "../../../provider/errors";
import { getInvoiceDetail } from "../../../provider/functions/invoice-detail";
import { getInvoiceSummary } from "../../../provider/functions/invoice-summary";
import type { Fault } from "../../../simulator";
import { answering, contents, type DataWorld, firstInvoice, folders, octets, refusal, startData } from "./world";

const functions = { detail: getInvoiceDetail, summary: getInvoiceSummary };
const pathOf = { detail: (folder: string) => folder, summary: (folder: string) => join(folder, "summary.pdf") };

describe.each(["detail", "summary"] as const)("downloading the %s of an invoice", (kind) => {
  const read = async (world: DataWorld, where: "folder" | "temporary") => {
    const invoiceId = await firstInvoice(world);
    return functions[kind](world, {
      invoiceId,
      ...(where === "folder" ? { path: pathOf[kind](world.folder) } : {}),
    });
  };

  it.each<[string, Fault]>([
    ["a connection cut before the answer", { action: "cut-before" }],
    ["a connection reset after the request", { action: "cut-after", reset: true }],
    ["an answer cut short", { action: "truncate" }],
    ["503", { action: "status", status: 503 }],
    ["429 with a wait", { action: "status", status: 429, headers: { "retry-after": "2" } }],
    ["a proxy's page", { action: "html", status: 200 }],
  ])("survives %s", async (_name, fault) => {
    const world = await startData({ seedInvoices: 1 });
    world.simulator.arm({ path: kind, times: 2, ...fault });
    await read(world, "folder");
    expect(world.simulator.requests({ path: kind })).toHaveLength(3);
    expect(world.clock.waits).toHaveLength(2);
    expect(contents(world.temporary)).toEqual([]);
  });

  it.each<[string, Fault, new (...args: never[]) => Error, RegExp]>([
    ["answers that are always cut short", { action: "truncate" }, NetworkError, /the connection failed/],
    ["503 without end", { action: "status", status: 503 }, ServiceUnavailableError, /503/],
    ["a proxy's page", { action: "html", status: 200 }, UnexpectedResponseError, /200 with an HTML page/],
    [
      "JSON in place of it",
      { action: "json", body: { data: {} } },
      UnexpectedResponseError,
      /answered 200 with a body/,
    ],
    ["a proxy's 404", { action: "html", status: 404 }, UnexpectedResponseError, /not the service's own "Not Found"/],
    ["a redirect", { action: "redirect", location: "http://127.0.0.1:9/x" }, UnexpectedResponseError, /never followed/],
    ["401", { action: "status", status: 401 }, UnauthorizedError, /401/],
    ["204 without anything", { action: "empty-body", status: 204 }, InvalidDocumentError, /ZIP|not a PDF/],
    [
      "the service's own 404",
      { action: "json", status: 404, body: { error: 404, message: "Not Found", status: "error", timestamp: "" } },
      NotFoundError,
      /404/,
    ],
  ])("fails with one line after %s, and leaves nothing behind", async (_name, fault, type, said) => {
    for (const where of ["folder", "temporary"] as const) {
      const world = await startData({ seedInvoices: 1 });
      world.simulator.arm({ path: kind, times: Infinity, ...fault });
      const error = await refusal(read(world, where));
      expect(error).toBeInstanceOf(type);
      expect(error.message).toMatch(said);
      expect(world.clock.waited()).toBeLessThanOrEqual(60_000);
      expect([contents(world.folder), contents(world.temporary)]).toEqual([[], []]);
    }
  });

  it.each<[string, RequestListener, RegExp]>([
    ["without end", endless, /more than the \d+ bytes that are accepted/],
    [
      "that is announced as too large",
      (_request, response) => {
        response.writeHead(200, { "content-type": "application/octet-stream", "content-length": 50_000_000 });
        response.write("%PDF-");
      },
      /more than the \d+ bytes/,
    ],
  ])("stops at a body %s, asks once and leaves nothing behind", async (_name, answer, said) => {
    const { folder, temporary } = folders();
    const { service, asked } = await answering(answer);
    for (const path of [{ path: pathOf[kind](folder) }, {}]) {
      const error = await refusal(functions[kind](service, { invoiceId: "inv-1", ...path }));
      expect(error).toBeInstanceOf(InvalidDocumentError);
      expect(error.message).toMatch(said);
    }
    expect(asked()).toBe(2);
    expect([contents(folder), contents(temporary)]).toEqual([[], []]);
  });

  it.each<[string, object, RequestListener, RegExp]>([
    ["headers that never come", { headersMs: 40 }, () => undefined, /did not start to answer in time/],
    ["a body that stops", { bodyMs: 40 }, begin, /the answer stopped half-way/],
    ["a body that trickles", { downloadMs: 120 }, trickle, /the answer did not end in time/],
  ])("gives up on %s", async (_name, limits, answer, said) => {
    const { folder, temporary } = folders();
    const { service } = await answering(answer, { ...limits, budgetMs: 0 });
    const error = await refusal(functions[kind](service, { invoiceId: "inv-1", path: pathOf[kind](folder) }));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.message).toMatch(said);
    expect([contents(folder), contents(temporary)]).toEqual([[], []]);
  });
});

function endless(...[, response]: Parameters<RequestListener>): void {
  response.writeHead(200, { "content-type": "application/octet-stream" });
  const piece = Buffer.alloc(64 * 1024, "%PDF-");
  const push = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once("drain", push);
  };
  push();
}

function begin(...[, response]: Parameters<RequestListener>): void {
  response.writeHead(200, { "content-type": "application/octet-stream" });
  response.write("%PDF-");
}

function trickle(...[, response]: Parameters<RequestListener>): void {
  begin({} as never, response);
  const timer = setInterval(() => response.write("%"), 10);
  response.once("close", () => {
    clearInterval(timer);
  });
}

describe("the summary of an invoice", () => {
  const whole = "%PDF-1.7\nhello\n%%EOF\n";

  it("is at its path, whole, with its size and checksum", async () => {
    const { folder } = folders();
    const { service } = await answering(octets(whole));
    const path = join(folder, "made", "invoice.pdf");
    expect(await getInvoiceSummary(service, { invoiceId: "inv-1", path })).toEqual({
      invoiceId: "inv-1",
      path,
      bytes: whole.length,
      sha256: "a163ac728a978f637d463ca3afd3a9a96925f547568f0125b15eec7115f8b111",
    });
    expect(readFileSync(path, "latin1")).toBe(whole);
    expect(contents(folder)).toEqual(["made", "made/invoice.pdf"]);
  });

  it("is in a fresh temporary folder without a path", async () => {
    const { temporary } = folders();
    const { service } = await answering(octets(whole));
    const [one, two] = [
      await getInvoiceSummary(service, { invoiceId: "inv-1" }),
      await getInvoiceSummary(service, { invoiceId: "inv-1" }),
    ];
    expect(one.path).not.toBe(two.path);
    expect(one.path).toMatch(/inv-1\.pdf$/);
    expect(one.path.startsWith(temporary)).toBe(true);
    expect(readFileSync(one.path, "latin1")).toBe(whole);
    expect(contents(temporary)).toHaveLength(4);
  });

  it.each<[string, string | Buffer, RegExp]>([
    ["no PDF", "PK\x03\x04 something else %%EOF", /not a PDF/],
    ["HTML without its type", "<!doctype html><title>Sign in</title>", /not a PDF/],
    ["nothing", "", /not a PDF/],
    ["cut short", whole.slice(0, 12), /is cut short: its 12 bytes do not end with %%EOF/],
    ["its end far from the end", whole + "x".repeat(2_000), /is cut short/],
  ])("is refused when it is %s, and what was there stays", async (_name, bytes, said) => {
    const { folder, temporary } = folders();
    const { service, asked } = await answering(octets(bytes));
    const path = join(folder, "invoice.pdf");
    writeFileSync(path, "last month's");
    for (const args of [{ invoiceId: "inv-1", path }, { invoiceId: "inv-1" }]) {
      const error = await refusal(getInvoiceSummary(service, args));
      expect(error).toBeInstanceOf(InvalidDocumentError);
      expect(error.message).toMatch(said);
    }
    expect(asked()).toBe(2);
    expect(readFileSync(path, "latin1")).toBe("last month's");
    expect([contents(folder), contents(temporary)]).toEqual([["invoice.pdf"], []]);
  });

  it("asks the service once, by the documented path", async () => {
    const world = await startData({ seedInvoices: 1 });
    const invoiceId = await firstInvoice(world);
    const path = join(world.folder, "invoice.pdf");
    const { bytes } = await getInvoiceSummary(world, { invoiceId, path });
    expect(world.simulator.requests()).toMatchObject([
      {
        method: "GET",
        path: `/api/v1.0/billingdata/${invoiceId}/summary`,
        query: {},
        headers: { accept: "application/octet-stream", authorization: "Bearer <redacted>" },
        body: undefined,
      },
    ]);
    expect(readFileSync(path)).toHaveLength(bytes);
  });

  it.each([
    [{ invoiceId: "a/b" }, "invoiceId"],
    [{ invoiceId: "i", path: "" }, "path"],
    [{ invoiceId: "i", pth: "x" }, "pth"],
  ])("refuses the arguments %j before anything is sent", async (args, property) => {
    const { service, asked } = await answering(octets(whole));
    expect(await refusal(getInvoiceSummary(service, args))).toMatchObject({ name: "InvalidArgumentError", property });
    expect(asked()).toBe(0);
  });

  it("refuses a folder as its path before anything is sent", async () => {
    const { folder } = folders();
    const { service, asked } = await answering(octets(whole));
    const error = await refusal(getInvoiceSummary(service, { invoiceId: "i", path: folder }));
    expect(error).toMatchObject({ name: "InvalidArgumentError", property: "path" });
    expect(asked()).toBe(0);
  });
});
