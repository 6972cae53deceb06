import { amount, offsetDate, vatPercent, type Invoice, type Transaction } from "./invoices";

/** Service document: "Invoice item". */
export interface InvoiceItem {
  id: string;
  quantity: number;
  value: number;
  fromDate: string;
  toDate: string;
  calculationOrder: number;
  operatorUsed: "PRICE" | "SUM" | "ADJUSTPERCENTAGE";
  operatorValueUsed: number;
  productTagName: string;
  billingOutputTags: string[];
  stringValues: { name: string; value: string }[];
  /** Only on per-user items. */
  numericValues?: { name: string; value: number }[];
}

type Line = Pick<InvoiceItem, "operatorUsed" | "operatorValueUsed" | "productTagName" | "billingOutputTags"> & {
  cents: number;
  quantity?: number;
};

/** The items of an invoice in the order in which they are calculated: users, products, totals, ledger entries. */
export function invoiceItems(invoice: Invoice): InvoiceItem[] {
  const period = { fromDate: offsetDate(invoice.start), toDate: offsetDate(invoice.end) };
  const users = invoice.transactions.map((transaction, index) => ({
    id: transaction.id,
    quantity: transaction.quantity,
    value: amount(transaction.valueCents),
    ...period,
    calculationOrder: index + 1,
    operatorUsed: "PRICE" as const,
    operatorValueUsed: amount(transaction.unitCents),
    productTagName: tagName(transaction),
    billingOutputTags: ["PurchaseResult", "VAT:S"],
    stringValues: userValues(transaction),
    numericValues: [{ name: "customer_licence_count", value: transaction.customerLicences }],
  }));
  const summaries = [...productLines(invoice), ...totalLines(invoice)].map(
    ({ cents, quantity = 1, ...line }, index) => ({
      id: `${invoice.id}-${index + 1}`,
      quantity,
      value: amount(cents),
      ...period,
      calculationOrder: users.length + index + 1,
      ...line,
      stringValues: [],
    }),
  );
  return [...users, ...summaries];
}

function productLines({ transactions }: Invoice): Line[] {
  const names = [...new Set(transactions.map(tagName))];
  return names.map((productTagName) => {
    const sold = transactions.filter((transaction) => tagName(transaction) === productTagName);
    return {
      productTagName,
      cents: sold.reduce((sum, { valueCents }) => sum + valueCents, 0),
      quantity: sold.reduce((sum, { quantity }) => sum + quantity, 0),
      operatorUsed: "SUM",
      operatorValueUsed: 0,
      billingOutputTags: ["Summary"],
    };
  });
}

function totalLines({ totalCents, vatCents }: Invoice): Line[] {
  const sum = { operatorUsed: "SUM", operatorValueUsed: 0 } as const;
  const gross = totalCents + vatCents;
  return [
    { ...sum, productTagName: "Total", cents: totalCents, billingOutputTags: ["Total"] },
    {
      operatorUsed: "ADJUSTPERCENTAGE",
      operatorValueUsed: vatPercent,
      productTagName: "VAT",
      cents: vatCents,
      billingOutputTags: ["TotalVAT", "VAT:S"],
    },
    { ...sum, productTagName: "Total including VAT", cents: gross, billingOutputTags: ["TotalInclVAT"] },
    {
      ...sum,
      productTagName: "Receivables",
      cents: gross,
      billingOutputTags: ["GL", "GL_Balance", "GL_Entry:1100;debit;Receivables"],
    },
    { ...sum, productTagName: "Sales", cents: totalCents, billingOutputTags: ["GL", "GL_Entry:4000;credit;Sales"] },
    {
      ...sum,
      productTagName: "VAT payable",
      cents: vatCents,
      billingOutputTags: ["GL", "GL_VAT", "GL_Entry:2200;credit;VAT payable"],
    },
  ];
}

function tagName({ product }: Transaction): string {
  return product.partNumber === undefined ? product.name : `${product.name} ${product.partNumber}`;
}

function userValues({ role, reseller, tenant, userId, userName }: Transaction): InvoiceItem["stringValues"] {
  const values = {
    Role: role,
    ResellerCode: reseller.code,
    ResellerCodeExt: reseller.codeExt,
    ResellerName: reseller.name,
    TenantCode: tenant.code,
    TenantCodeExt: tenant.codeExt,
    TenantName: tenant.name,
    UserId: userId,
    UserName: userName,
  };
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
