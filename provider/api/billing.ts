import { z } from "zod";
import { UnexpectedResponseError } from "../errors";
import { money, parseExactJson } from "./decimals";
import type { Saved } from "./download";
import type { Http } from "./http";
import { checkIdentifier } from "./identifiers";
import { pageOfRecords, singleRecord } from "./wire";

const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

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

// Paging of billing data is not shown: asked for like the account list, with its documented default.
const pageSize = 1000;
const mostPages = 1000;
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
  async *list(): AsyncGenerator<InvoiceRecord> {
    const doing = "list the invoices";
    const seen = new Set<string>();
    for (let pageIndex = 0; pageIndex < mostPages; pageIndex++) {
      const query = { pageIndex, pageSize };
      const { body } = await this.http.read({ doing, path: "/billingdata", query, parse: parseExactJson });
      const { data, page_size } = understood(doing, page, body);
      const fresh = data.filter(({ invoiceId }) => !seen.has(invoiceId));
      for (const invoice of fresh) {
        seen.add(invoice.invoiceId);
        yield invoice;
      }
      const size = Math.min(page_size ?? pageSize, pageSize);
      // Longer than a page is all there is, shorter is the last page, and nothing new is a page that repeats.
      if (data.length !== size || fresh.length === 0) return;
    }
    throw new UnexpectedResponseError(
      {
        doing,
        said: `the list did not end after ${mostPages} pages.`,
        next: "Check that reseller:baseUrl is the API host.",
      },
      200,
    );
  }

  /**
   * GET /v1.0/billingdata/{INVOICE_ID}.
   * @throws NotFoundError only on the service's own 404 envelope; so do the two below.
   */
  async get(invoiceId: string): Promise<InvoiceRecord> {
    const doing = `read invoice ${invoiceId}`;
    const { body } = await this.http.read({ doing, path: invoicePath(invoiceId), parse: parseExactJson });
    return understood(doing, single, body).data;
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

function understood<T extends z.ZodType>(doing: string, shape: T, body: unknown): z.output<T> {
  const result = shape.safeParse(body);
  if (result.success) return result.data;
  const place = result.error.issues[0]?.path.join(".");
  throw new UnexpectedResponseError(
    {
      doing,
      said: `the service answered 200 with a body that is not what its description says${place ? ` (${place})` : ""}.`,
      next: "Check that reseller:baseUrl is the API host, and its version v1.0.",
    },
    200,
  );
}
