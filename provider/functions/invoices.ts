import { Temporal } from "temporal-polyfill";
import { z } from "zod";
import type { InvoiceRecord } from "../api/billing";
import { UnexpectedResponseError } from "../errors";
import { field } from "../schema/fields";
import { line } from "../schema/text";
import { checkArguments, identifier, invoiceId } from "./arguments";
import { instantOf } from "./dates";
import type { DataService } from "./service";

const day = line.superRefine((value, context) => {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value) && isDate(value)) return;
  if (isMoment(value)) return;
  context.addIssue({
    code: "custom",
    message: "must be a date such as 2024-01-31, or a date-time with an offset such as 2024-01-31T00:00:00Z",
  });
});

export const invoicesArguments = {
  tenantId: field(identifier.optional(), { description: "Tenant the invoice belongs to. Default: all." }),
  periodFrom: field(day.optional(), {
    description:
      "First day on which a billing period may start, such as 2024-01-01: compared with the date as the invoice writes " +
      "it. Or a date-time with an offset, compared as a moment. Default: any.",
  }),
  periodTo: field(day.optional(), {
    description: "Last day, or moment, on which a billing period may start. Default: any.",
  }),
};
export const invoiceArguments = { invoiceId };

/**
 * The invoices of a tenant, or of all, whose billing period starts from `periodFrom` to `periodTo`, both included.
 * A plain date is compared with the date as the invoice writes it, a date-time with an offset as a moment.
 */
export async function getInvoices(service: DataService, args: unknown): Promise<{ invoices: InvoiceRecord[] }> {
  const { tenantId, periodFrom, periodTo } = checkArguments("list the invoices", invoicesArguments, args ?? {});
  const invoices: InvoiceRecord[] = [];
  for await (const invoice of service.billing.list()) {
    if (tenantId !== undefined && invoice.tenantId.toLowerCase() !== tenantId.toLowerCase()) continue;
    if (periodFrom !== undefined && compareStart(invoice, periodFrom) < 0) continue;
    if (periodTo !== undefined && compareStart(invoice, periodTo) > 0) continue;
    invoices.push(invoice);
  }
  return { invoices };
}

export async function getInvoice(service: DataService, args: unknown): Promise<InvoiceRecord> {
  const wanted = checkArguments("read an invoice", invoiceArguments, args);
  return service.billing.get(wanted.invoiceId);
}

/** Negative when the billing period starts before `bound`, 0 when with it, positive when after. */
function compareStart({ invoiceId, billingPeriodStart: start }: InvoiceRecord, bound: string): number {
  const written = start.slice(0, 10);
  if (!bound.includes("T") && isDate(written)) return Temporal.PlainDate.compare(written, bound);
  if (bound.includes("T") && isMoment(start)) return Temporal.Instant.compare(instantOf(start), instantOf(bound));
  throw new UnexpectedResponseError(
    {
      doing: "list the invoices of a period",
      said: `billingPeriodStart of invoice ${invoiceId} is ${JSON.stringify(start.slice(0, 60))}, which cannot be compared with ${bound}.`,
      next: "List the invoices without periodFrom and periodTo, or give plain dates.",
    },
    200,
  );
}

function isDate(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

function isMoment(text: string): boolean {
  try {
    instantOf(text);
    return true;
  } catch {
    return false;
  }
}
