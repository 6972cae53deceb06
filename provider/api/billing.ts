import { z } from "zod";
import { understood } from "./answer";
import { money, parseExactJson } from "./decimals";
import type { Saved } from "./download";
import type { Http } from "./http";
import { checkIdentifier } from "./identifiers";
import { everyRecord, pageSize } from "./pages";
import { optionalText, pageOfRecords, singleRecord } from "./wire";

/** Resources and their fields › Invoice. `invoiceid` is spelled like this by the service. */
const invoiceRecord = z
  .object({
    tenantId: z.string().min(1),
    invoiceid: z.string().min(1),
    invoiceNumber: optionalText,
    customerName: optionalText,
    billingPeriodStart: z.string(),
    billingPeriodEnd: z.string(),
    invoiceValue: money,
  })
  .transform(({ invoiceid, ...rest }) => ({ invoiceId: invoiceid, ...rest }));
export type InvoiceRecord = z.output<typeof invoiceRecord>;

const single = singleRecord(invoiceRecord);
const page = pageOfRecords(invoiceRecord);

// A million transactions make an archive of about 100 MB.
const mostArchiveBytes = 1024 ** 3;
const mostSummaryBytes = 128 * 1024 ** 2;

/** Endpoints › Billing data. */
export class BillingApi {
  constructor(
    private readonly http: Http,
    private readonly limits = { archiveBytes: mostArchiveBytes, summaryBytes: mostSummaryBytes },
  ) {}

  /** GET /v1.0/billingdata: every invoice once, whether the service pages the list or always sends all of it. */
  list(): AsyncGenerator<InvoiceRecord> {
    const doing = "list the invoices";
    return everyRecord(doing, idOf, async (pageIndex) => {
      // Paging of billing data is not shown: asked for like the account list, with its documented default.
      const query = { pageIndex, pageSize };
      const answer = await this.http.read({ doing, path: "/billingdata", query, parse: parseExactJson });
      const { data, page_size } = understood(doing, page, answer);
      // Longer than a page is all there is, shorter is the last page.
      return { records: data, last: data.length !== Math.min(page_size ?? pageSize, pageSize) };
    });
  }

  /**
   * GET /v1.0/billingdata/{INVOICE_ID}.
   * @throws NotFoundError only on the service's own 404 envelope; so do the two below.
   */
  async get(invoiceId: string): Promise<InvoiceRecord> {
    const doing = `read invoice ${invoiceId}`;
    const answer = await this.http.read({ doing, path: invoicePath(invoiceId), parse: parseExactJson });
    return understood(doing, single, answer).data;
  }

  /** GET /v1.0/billingdata/{INVOICE_ID}/detail: the ZIP archive, into `file`. */
  async detail(invoiceId: string, file: string): Promise<Saved> {
    const call = { doing: `read the detail of invoice ${invoiceId}`, path: `${invoicePath(invoiceId)}/detail` };
    return this.http.download(call, file, this.limits.archiveBytes);
  }

  /** GET /v1.0/billingdata/{INVOICE_ID}/summary: the PDF, into `file`. */
  async summary(invoiceId: string, file: string): Promise<Saved> {
    const call = { doing: `read the summary of invoice ${invoiceId}`, path: `${invoicePath(invoiceId)}/summary` };
    return this.http.download(call, file, this.limits.summaryBytes);
  }
}

function invoicePath(invoiceId: string): string {
  return `/billingdata/${checkIdentifier("invoiceId", invoiceId)}`;
}

function idOf({ invoiceId }: InvoiceRecord): string {
  return invoiceId;
}
