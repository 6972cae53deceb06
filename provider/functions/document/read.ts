import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { DataService } from "../service";
import { type ArchiveLimits, unpack, type Unpacked } from "./archive";
import { broken } from "./broken";
import { Comparison } from "./comparison";
import { readCsv } from "./csv";
import { type InvoiceHeader, type InvoiceItem, isTransaction } from "./item";
import { readJson } from "./json";
import { type Totals, TotalsBuilder } from "./totals";

export interface Document {
  header: InvoiceHeader;
  totals: Totals;
  json: Unpacked;
  csv: Unpacked;
}

/**
 * Downloads the archive of an invoice into `folder` and reads it, one item at a time: memory does not grow with it.
 * When this returns, every check held: the archive, both files, and that they say the same.
 * @throws InvalidDocumentError, NotFoundError, FileError, and what the client throws.
 */
export async function readDocument(
  service: DataService,
  invoiceId: string,
  folder: string,
  onItem: (item: InvoiceItem) => void = () => undefined,
  limits: Partial<ArchiveLimits> = {},
): Promise<Document> {
  const doing = `read the detail of invoice ${invoiceId}`;
  const archive = join(folder, "detail.zip");
  await service.billing.detail(invoiceId, archive);
  const { json, csv } = await unpack(doing, archive, folder, limits);
  const totals = new TotalsBuilder();
  const comparison = new Comparison();
  const items = readJson(doing, createReadStream(json.file));
  const rows = readCsv(doing, csv.file);
  try {
    for (;;) {
      const item = await items.next();
      if (item.done === true) {
        for await (const row of rows) comparison.row(row);
        requireInvoice(doing, item.value, invoiceId);
        comparison.finish(doing);
        return { header: item.value, totals: totals.totals(), json, csv };
      }
      onItem(item.value);
      totals.add(item.value);
      if (!isTransaction(item.value)) continue;
      comparison.transaction(item.value);
      // In step with the items: where both files have one order, nothing has to wait for its partner.
      const row = await rows.next();
      if (row.done !== true) comparison.row(row.value);
    }
  } finally {
    await Promise.all([items.return(undefined as never), rows.return(undefined)]);
  }
}

function requireInvoice(doing: string, header: InvoiceHeader, invoiceId: string): void {
  if (header.invoiceId.toLowerCase() === invoiceId.toLowerCase()) return;
  throw broken(doing, `the archive is that of another invoice, ${JSON.stringify(header.invoiceId.slice(0, 60))}`);
}
