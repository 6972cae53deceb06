import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { moveInPlace, withTemporaryFolder } from "../files";
import { field } from "../schema/fields";
import { checkArguments, filePath, invalid, invoiceId as invoice } from "./arguments";
import type { InvoiceHeader, InvoiceItem } from "./document/item";
import { readDocument } from "./document/read";
import type { Totals } from "./document/totals";
import type { DataService } from "./service";

/** The itemised breakdown of an invoice. Amounts are exact decimal text; dates keep the text of the service. */
export interface InvoiceDetail extends InvoiceHeader, Totals {
  /** Every item in the order of the invoice, summary items included. Absent with `path`. */
  items?: InvoiceItem[];
  /** Where the two files of the archive are. Present with `path`. */
  files?: { json: string; csv: string };
}

export const detailArguments = {
  invoiceId: invoice,
  path: field(filePath.optional(), {
    description:
      "A folder, made when it is missing. The JSON and the CSV file are put there whole, and `items` is left out.",
  }),
};

/**
 * The itemised breakdown of an invoice, from an archive that is opened with suspicion and whose two files must agree.
 * With `path`, a folder, the files are put there instead, and memory does not grow with the invoice.
 */
export async function getInvoiceDetail(service: DataService, args: unknown): Promise<InvoiceDetail> {
  const { invoiceId, path } = checkArguments("read the detail of an invoice", detailArguments, args);
  const doing = `read the detail of invoice ${invoiceId}`;
  if (path === undefined) {
    return withTemporaryFolder(doing, tmpdir(), async (folder) => {
      const items: InvoiceItem[] = [];
      const { header, totals } = await readDocument(service, invoiceId, folder, (item) => items.push(item));
      return { ...header, ...totals, items };
    });
  }
  if ((await stat(path).catch(() => undefined))?.isDirectory() === false) {
    throw invalid("path", doing, `path ${JSON.stringify(path)} is a file; name a folder`);
  }
  return withTemporaryFolder(doing, path, async (folder) => {
    const { header, totals, json, csv } = await readDocument(service, invoiceId, folder);
    const files = { json: join(path, json.name), csv: join(path, csv.name) };
    await moveInPlace(doing, json.file, files.json);
    await moveInPlace(doing, csv.file, files.csv);
    return { ...header, ...totals, files };
  });
}
