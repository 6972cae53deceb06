import { transformFileSync } from "@swc/core";
import { spawn } from "node:child_process";
import { createReadStream, createWriteStream, globSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";

/** Invoices of any size, and what reading one costs a process of its own. */

export const invoiceId = "0b5e2a54-93c7-4b7e-9a36-5d2f0c9f7a11";

const period = { fromDate: "2024-01-01T00:00:00+00:00", toDate: "2024-01-31T23:59:59+00:00" };
const columns =
  "id,quantity,value,fromdate,todate,productname,partnumber,tenantcode,tenantcodeext,tenantname,userid,username,resellercode,resellercodeext,resellername,role";

function idOf(row: number): string {
  // Scattered, as real ids are: counted up, they would compress beyond any real archive.
  const digits = (Math.imul(row + 1, 2_654_435_761) >>> 0).toString(16).padStart(8, "0");
  return `${digits}-0000-4000-8000-${String(row).padStart(12, "0")}`;
}

function partiesOf(row: number) {
  const tenant = String(row % 500).padStart(4, "0");
  const reseller = String((row % 500) % 20).padStart(4, "0");
  return {
    TenantCode: `T${tenant}`,
    TenantCodeExt: `EXT-T${tenant}`,
    TenantName: `Customer ${tenant}`,
    UserId: idOf(row).toUpperCase(),
    UserName: `User ${row}`,
    ResellerCode: `R${reseller}`,
    ResellerCodeExt: `EXT-R${reseller}`,
    ResellerName: `Reseller ${reseller}`,
    Role: "Agent",
  };
}

function* jsonText(rows: number): Generator<string> {
  const dates = { billingPeriodStart: "2024-01-01T00:00:00.0000000", billingPeriodEnd: "2024-01-31T23:59:59.0000000" };
  const header = { tenantId: "t", invoiceId, invoiceNumber: "INV-1", accountName: "Example", ...dates };
  yield `${JSON.stringify({ ...header, invoiceDate: dates.billingPeriodEnd, invoiceValue: 1 }).slice(0, -1)},"invoiceItems":[`;
  for (let row = 0; row < rows; row++) {
    const item = {
      id: idOf(row),
      quantity: 1,
      value: 4.1,
      ...period,
      calculationOrder: row + 1,
      operatorUsed: "PRICE",
      operatorValueUsed: 4.1,
      productTagName: `Product ${row % 7} #P-${row % 7}`,
      billingOutputTags: ["PurchaseResult", "VAT:S"],
      stringValues: Object.entries(partiesOf(row)).map(([name, value]) => ({ name, value })),
      numericValues: [{ name: "customer_licence_count", value: 3 }],
    };
    yield `${row === 0 ? "" : ","}${JSON.stringify(item, undefined, 2)}`;
  }
  yield '],"invoiceType":0}';
}

function* csvText(rows: number): Generator<string> {
  yield `${columns}\r\n`;
  for (let row = rows - 1; row >= 0; row--) {
    const { TenantCode, TenantCodeExt, TenantName, UserId, UserName, ...reseller } = partiesOf(row);
    const product = [`Product ${row % 7}`, `#P-${row % 7}`];
    const user = [TenantCode, TenantCodeExt, TenantName, UserId, UserName];
    const rest = [reseller.ResellerCode, reseller.ResellerCodeExt, reseller.ResellerName, reseller.Role];
    yield `${[idOf(row), "1", "4.10", period.fromDate, period.toDate, ...product, ...user, ...rest].join(",")}\r\n`;
  }
}

/** Texts joined into pieces of a size that streams handle well. */
function* inPieces(texts: Iterable<string>): Generator<Buffer> {
  let waiting: string[] = [];
  let length = 0;
  for (const text of texts) {
    waiting.push(text);
    length += text.length;
    if (length < 64 * 1024) continue;
    yield Buffer.from(waiting.join(""));
    waiting = [];
    length = 0;
  }
  yield Buffer.from(waiting.join(""));
}

async function writeArchive(rows: number, file: string): Promise<void> {
  const zip = new ZipFile();
  zip.addReadStream(Readable.from(inPieces(jsonText(rows))), "INV-1.json");
  zip.addReadStream(Readable.from(inPieces(csvText(rows))), "INV-1.csv");
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}

const root = resolve(__dirname, "../../..");

/** The provider as it is published: compiled, without the compiler in memory. */
export function compileProvider(folder: string): void {
  const options = {
    jsc: { target: "es2023", parser: { syntax: "typescript" } },
    module: { type: "commonjs" },
  } as const;
  for (const source of globSync("provider/**/*.ts", { cwd: root })) {
    const compiled = join(folder, source.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(compiled), { recursive: true });
    writeFileSync(compiled, transformFileSync(join(root, source), options).code);
  }
}

const measured = `
const { Http } = require("./provider/api/http");
const { BillingApi } = require("./provider/api/billing");
const { getInvoiceDetail } = require("./provider/functions/invoice-detail");
const [baseUrl, invoiceId, path] = process.argv.slice(2);
const tokens = { remedy: "", current: async () => "token", renew: async () => undefined };
let heap = 0;
const timer = setInterval(() => (heap = Math.max(heap, process.memoryUsage().heapUsed)), 20);
const before = process.memoryUsage().rss;
const started = performance.now();
getInvoiceDetail({ billing: new BillingApi(new Http(baseUrl, tokens)) }, { invoiceId, path }).then((detail) => {
  clearInterval(timer);
  const seconds = (performance.now() - started) / 1000;
  const { transactions, transactionValue, files, items } = detail;
  const rss = process.resourceUsage().maxRSS * 1024;
  console.log(JSON.stringify({ seconds, before, rss, heap, transactions, transactionValue, files, items: items?.length }));
  process.exit();
});
`;

export interface Measured {
  seconds: number;
  /** Resident memory in bytes before reading, and at its highest. */
  before: number;
  rss: number;
  heap: number;
  transactions: number;
  transactionValue: string;
  files?: { json: string; csv: string };
  archiveBytes: number;
}

/** Has a process of its own download and check an invoice of so many transactions, into `work/out`. */
export async function measure(rows: number, work: string): Promise<Measured> {
  compileProvider(work);
  const script = join(work, "measured.js");
  writeFileSync(script, measured);
  const archive = join(work, "archive.zip");
  await writeArchive(rows, archive);
  let archiveBytes = 0;
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/octet-stream" });
    createReadStream(archive)
      .on("data", (chunk) => (archiveBytes += chunk.length))
      .pipe(response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const environment = { ...process.env, NODE_PATH: join(root, "node_modules") };
    const child = spawn(process.execPath, [script, url, invoiceId, join(work, "out")], { env: environment });
    let [output, problems] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (problems += chunk.toString()));
    await new Promise((ended) => child.once("close", ended));
    if (output === "") throw new Error(`the measured process failed: ${problems}`);
    return { ...(JSON.parse(output) as Measured), archiveBytes };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
