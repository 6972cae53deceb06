import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { InvalidDocumentError } from "../errors";
import { moveInPlace, onDisk, withTemporaryFolder } from "../files";
import { field } from "../schema/fields";
import { checkArguments, filePath, invalid, invoiceId as invoice } from "./arguments";
import type { DataService } from "./service";

export interface InvoiceSummary {
  invoiceId: string;
  /** Where the PDF is. */
  path: string;
  bytes: number;
  /** SHA-256 of the file, hexadecimal. */
  sha256: string;
}

export const summaryArguments = {
  invoiceId: invoice,
  path: field(filePath.optional(), {
    description: "Where the PDF is to be. Default: in a fresh temporary folder.",
  }),
};

/** The PDF copy of an invoice: at `path` only when it is whole, or in a fresh temporary folder. */
export async function getInvoiceSummary(service: DataService, args: unknown): Promise<InvoiceSummary> {
  const { invoiceId, path } = checkArguments("read the summary of an invoice", summaryArguments, args);
  const doing = `read the summary of invoice ${invoiceId}`;
  if (path !== undefined) {
    if ((await stat(path).catch(() => undefined))?.isDirectory()) {
      throw invalid("path", doing, `path ${JSON.stringify(path)} is a folder; name the file too`);
    }
    return download(service, doing, invoiceId, path);
  }
  const folder = await onDisk(doing, tmpdir(), () => mkdtemp(join(tmpdir(), "reseller-invoice-")));
  try {
    return await download(service, doing, invoiceId, join(folder, `${invoiceId}.pdf`));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function download(service: DataService, doing: string, invoiceId: string, path: string): Promise<InvoiceSummary> {
  return withTemporaryFolder(doing, dirname(path), async (folder) => {
    const file = join(folder, "summary.pdf");
    const { bytes, sha256 } = await service.billing.summary(invoiceId, file);
    await requirePdf(doing, file, bytes);
    await moveInPlace(doing, file, path);
    return { invoiceId, path, bytes, sha256 };
  });
}

const startMark = "%PDF-";
const endMark = "%%EOF";
// Readers look for the end mark in the last kilobyte: some writers add a little after it.
const tailBytes = 1024;

async function requirePdf(doing: string, file: string, bytes: number): Promise<void> {
  const read = async (position: number, length: number): Promise<string> => {
    const handle = await open(file, "r");
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.toString("latin1", 0, bytesRead);
    } finally {
      await handle.close();
    }
  };
  const isPdf = (await read(0, startMark.length)) === startMark;
  if (isPdf && (await read(Math.max(0, bytes - tailBytes), tailBytes)).includes(endMark)) return;
  throw new InvalidDocumentError({
    doing,
    said: isPdf
      ? `the PDF is cut short: its ${bytes} bytes do not end with ${endMark}.`
      : `the service sent ${bytes} bytes that are not a PDF (it starts with ${startMark}).`,
    next: "Nothing was kept. Run again; if it stays so, download it from the portal.",
  });
}
