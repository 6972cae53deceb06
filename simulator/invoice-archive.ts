import { ZipFile } from "yazl";
import { invoiceItems } from "./invoice-items";
import { amount, amountText, offsetDate, sevenDigitDate, type Invoice, type Transaction } from "./invoices";

const columns = [
  "id",
  "quantity",
  "value",
  "fromdate",
  "todate",
  "productname",
  "partnumber",
  "tenantcode",
  "tenantcodeext",
  "tenantname",
  "userid",
  "username",
  "resellercode",
  "resellercodeext",
  "resellername",
  "role",
];

/** The ZIP archive of an invoice: one JSON file and one CSV file. Service document: "Endpoints › Billing data". */
export async function invoiceArchive(invoice: Invoice): Promise<Buffer> {
  const zip = new ZipFile();
  const options = { mtime: new Date(invoice.date) };
  zip.addBuffer(Buffer.from(JSON.stringify(detailFile(invoice), undefined, 2)), `${invoice.number}.json`, options);
  zip.addBuffer(Buffer.from(csvFile(invoice)), `${invoice.number}.csv`, options);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Service document: "Invoice detail JSON file (inside the ZIP)". */
function detailFile(invoice: Invoice): object {
  return {
    tenantId: invoice.tenantId,
    invoiceId: invoice.id,
    invoiceNumber: invoice.number,
    accountName: invoice.customerName,
    billingPeriodStart: sevenDigitDate(invoice.start),
    billingPeriodEnd: sevenDigitDate(invoice.end),
    invoiceDate: sevenDigitDate(invoice.date),
    invoiceValue: amount(invoice.totalCents),
    invoiceItems: invoiceItems(invoice),
    invoiceType: 0,
  };
}

/** Service document: "Invoice detail CSV file (inside the ZIP)". */
function csvFile(invoice: Invoice): string {
  const rows = invoice.transactions.map((transaction) => csvRow(invoice, transaction));
  return [columns, ...rows].map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
}

function csvRow(invoice: Invoice, { id, quantity, valueCents, product, ...rest }: Transaction): string[] {
  return [
    id,
    String(quantity),
    amountText(valueCents),
    offsetDate(invoice.start),
    offsetDate(invoice.end),
    product.name,
    product.partNumber ?? "",
    rest.tenant.code,
    rest.tenant.codeExt,
    rest.tenant.name,
    rest.userId,
    rest.userName,
    rest.reseller.code,
    rest.reseller.codeExt,
    rest.reseller.name,
    rest.role,
  ];
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
