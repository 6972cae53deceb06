import { notFound } from "./accounts";
import type { Call } from "./context";
import { invoiceArchive } from "./invoice-archive";
import { invoicePdf } from "./invoice-pdf";
import { amount, buildInvoice, offsetDate, type Invoice } from "./invoices";
import { readPage, slice } from "./paging";
import { envelope, octets, pageEnvelope, type Reply } from "./respond";

/** The invoices of one simulator, made once; archives and PDFs are made when they are asked for. */
export class Invoices {
  readonly all: readonly Invoice[];
  private readonly byId: ReadonlyMap<string, Invoice>;

  constructor(count: number, seed: number, tenantId: string) {
    this.all = Array.from({ length: count }, (_, index) => buildInvoice(seed, index, tenantId));
    this.byId = new Map(this.all.map((invoice) => [invoice.id, invoice]));
  }

  get(id: string): Invoice | undefined {
    return this.byId.get(id);
  }
}

/** GET /v1.0/billingdata. Service document: "Endpoints › Billing data". */
export function listInvoices(call: Call): Reply {
  const { settings, invoices, clock } = call.context;
  const page = readPage(call);
  const shown = settings.billingPaging === "all" ? invoices.all : slice(invoices.all, page);
  return pageEnvelope(shown.map(record), clock.iso(), page.size);
}

/** GET /v1.0/billingdata/{INVOICE_ID}. */
export function readInvoice(call: Call): Reply {
  return envelope(record(find(call)), call.context.clock.iso());
}

/** GET /v1.0/billingdata/{INVOICE_ID}/detail: the ZIP archive. */
export async function readInvoiceDetail(call: Call): Promise<Reply> {
  return octets(await invoiceArchive(find(call)));
}

/** GET /v1.0/billingdata/{INVOICE_ID}/summary: the PDF. */
export async function readInvoiceSummary(call: Call): Promise<Reply> {
  return octets(await invoicePdf(find(call)));
}

function find(call: Call): Invoice {
  const invoice = call.context.invoices.get(call.id);
  if (!invoice) throw notFound(call);
  return invoice;
}

/** Service document: "Invoice (list item and single-invoice record)"; `invoiceid` is spelled like this there. */
function record(invoice: Invoice): Record<string, unknown> {
  return {
    tenantId: invoice.tenantId,
    invoiceid: invoice.id,
    invoiceNumber: invoice.number,
    customerName: invoice.customerName,
    billingPeriodStart: offsetDate(invoice.start),
    billingPeriodEnd: offsetDate(invoice.end),
    invoiceValue: amount(invoice.totalCents),
  };
}
