import { amountText, offsetDate, vatPercent, type Invoice } from "./invoices";

/** The PDF copy of an invoice, A4, one line for each transaction. Service document: "Endpoints › Billing data". */
export async function invoicePdf(invoice: Invoice): Promise<Buffer> {
  // Loading it takes longer than starting the simulator, and few runs ask for a PDF.
  const { default: PdfDocument } = await import("pdfkit");
  const document = new PdfDocument({
    size: "A4",
    info: { Title: `Invoice ${invoice.number}`, CreationDate: new Date(invoice.date) },
  });
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => document.once("end", resolve));

  document.fontSize(20).text(`Invoice ${invoice.number}`);
  document.fontSize(10).text(invoice.customerName);
  document.text(`${offsetDate(invoice.start).slice(0, 10)} to ${offsetDate(invoice.end).slice(0, 10)}`).moveDown();
  for (const { product, tenant, userName, quantity, valueCents } of invoice.transactions) {
    document.text(`${tenant.name}, ${userName}: ${product.name} x ${quantity}  ${amountText(valueCents)}`);
  }
  document.moveDown().text(`Total ${amountText(invoice.totalCents)}`);
  document.text(`VAT ${vatPercent}% ${amountText(invoice.vatCents)}`);
  document.text(`Total including VAT ${amountText(invoice.totalCents + invoice.vatCents)}`);
  document.end();
  await ended;
  return Buffer.concat(chunks);
}
