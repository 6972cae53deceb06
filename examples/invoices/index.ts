import { join } from "node:path";
import * as reseller from "pulumi-reseller";

// Beside this file: a program runs in the folder of its project.
const out = "out";

/** Reads only: the documents of the last billing period are put into ./out, and what they say becomes outputs. */
export = async () => {
  const invoices = await lastPeriod();
  const { accounts } = await reseller.getAccounts({ enabled: true });
  const outputs: Record<string, object> = {};
  for (const { invoiceId, invoiceNumber, customerName, invoiceValue } of invoices) {
    const folder = join(out, invoiceId);
    const pdf = await reseller.getInvoiceSummary({ invoiceId, path: join(folder, "invoice.pdf") });
    const detail = await reseller.getInvoiceDetail({ invoiceId, path: folder });
    const checked = await reseller.reconcileInvoice({ invoiceId, accounts });
    outputs[invoiceNumber ?? invoiceId] = {
      customerName,
      invoiceValue,
      pdf: { path: pdf.path, sha256: pdf.sha256 },
      licences: detail.licences,
      products: Object.fromEntries(detail.totalsByProduct.map(({ product, value }) => [product, value])),
      customers: Object.fromEntries(detail.totalsByTenant.map(({ tenant, value }) => [tenant.name, value])),
      billedNotDeclared: checked.billedNotDeclared.map(({ name }) => name),
      declaredNotBilled: checked.declaredNotBilled.map(({ name }) => name),
    };
  }
  return { invoices: outputs };
};

async function lastPeriod(): Promise<reseller.GetInvoiceResult[]> {
  const { invoices } = await reseller.getInvoices();
  const startOf = (invoice: reseller.GetInvoiceResult) =>
    reseller.instantOf(invoice.billingPeriodStart).epochMilliseconds;
  const last = Math.max(...invoices.map(startOf));
  return invoices.filter((invoice) => startOf(invoice) === last);
}
