import { z } from "zod";
import { metricsArguments } from "../functions/account-metrics";
import { accountArguments, accountsArguments } from "../functions/accounts";
import { detailArguments } from "../functions/invoice-detail";
import { summaryArguments } from "../functions/invoice-summary";
import { invoiceArguments, invoicesArguments } from "../functions/invoices";
import { reconcileArguments } from "../functions/reconcile-invoice";
import { describedType, field } from "./fields";

/** What each data source takes and returns, for the package schema. A test holds it against what they return. */

export interface FunctionDeclaration {
  description: string;
  inputs: z.ZodRawShape;
  outputs: z.ZodRawShape;
}

const text = (description: string) => field(z.string(), { description });
const optionalText = (description: string) => field(z.string().optional(), { description });
const count = (description: string) => field(z.int(), { description });
const amount = (description: string) => text(`${description} Exact decimal text.`);
const optionalAmount = (description: string) => optionalText(`${description} Exact decimal text.`);
const list = <T extends z.ZodType>(member: T, description: string) => field(z.array(member), { description });
const inForm = "ISO 8601 date-time as the service wrote it";

const account = describedType("AccountRecord", "A reseller account as the service returns it.", {
  id: text("Tenant id."),
  name: text("Name of the reseller."),
  description: optionalText("Free text."),
  enabled: field(z.boolean().optional(), { description: "Whether the account has access to the system." }),
  parentTenantId: optionalText("Tenant id of the enterprise that owns the account."),
  reference: optionalText("The caller-supplied reference."),
  dateCreated: optionalText(`${inForm}, without offset.`),
});

const invoice = describedType("Invoice", "An invoice.", {
  tenantId: text("Tenant the invoice belongs to."),
  invoiceId: text("Invoice identifier."),
  invoiceNumber: optionalText("Invoice number."),
  customerName: optionalText("Name of the customer."),
  billingPeriodStart: text(`Start of the billing period. ${inForm}, with offset.`),
  billingPeriodEnd: text(`End of the billing period. ${inForm}, with offset.`),
  invoiceValue: amount("Total."),
});

const party = describedType("Party", "A reseller or one of its customers, as an invoice names it.", {
  code: text("Code; empty when the invoice has none."),
  codeExt: text("External code; empty when the invoice has none."),
  name: text("Name; empty when the invoice has none."),
});

const kindOfParty = field(
  z.enum(["account", "customer"]).meta({
    typeName: "PartyKind",
    description: "Whether a party is a reseller or one of its customers.",
  }),
  { description: "A reseller account, or one of its customers." },
);

const billedParty = describedType("BilledParty", "A reseller or customer that an invoice names.", {
  kind: kindOfParty,
  ...party.shape,
});

const tenant = {
  id: optionalText("Tenant id."),
  reference: optionalText("The caller-supplied reference."),
  name: optionalText("Name, in full and in its case."),
};
const declaredTenant = describedType(
  "DeclaredTenant",
  "What is known of a reseller or customer. One is enough.",
  tenant,
);
const unbilledParty = describedType("UnbilledParty", "A declared reseller or customer that an invoice does not name.", {
  kind: kindOfParty,
  ...tenant,
});

const tenantTotal = describedType("TenantTotal", "Sum of the transactions of one tenant.", {
  tenant: field(party, { description: "The tenant: a customer of the reseller." }),
  reseller: field(party, { description: "The reseller." }),
  transactions: count("How many transactions there are."),
  quantity: amount("Sum of their quantities."),
  value: amount("Sum of their values."),
  licences: count("How many licences the customer has, by its transactions."),
});

const operator = z.enum(["PRICE", "SUM", "ADJUSTPERCENTAGE"]).meta({
  typeName: "Operator",
  description: "How an invoice item was calculated.",
});

const namedText = describedType("NamedText", "A text with its name.", {
  name: text("Names that occur: Role, ResellerCode, ResellerCodeExt, ResellerName, TenantCode, TenantName, UserId …"),
  value: text("The text."),
});
const namedAmount = describedType("NamedAmount", "An amount with its name.", {
  name: text("Name that occurs: customer_licence_count."),
  value: amount("The amount."),
});

const invoiceItem = describedType("InvoiceItem", "One line of an invoice: a per-user transaction, or a summary item.", {
  id: text("Identifier of the item."),
  quantity: amount("Quantity."),
  value: amount("Value."),
  fromDate: optionalText(`${inForm}, with offset.`),
  toDate: optionalText(`${inForm}, with offset.`),
  calculationOrder: field(z.int().optional(), { description: "Items carry increasing order numbers." }),
  operatorUsed: field(operator, { description: "How the value was calculated." }),
  operatorValueUsed: optionalAmount("What it was calculated with."),
  productTagName: text("Product name, possibly followed by a part number that starts with #."),
  billingOutputTags: list(z.string(), "Tags such as PurchaseResult, Summary, Total, TotalInclVAT, GL, VAT:<code>."),
  stringValues: list(namedText, "Whom a transaction is for. Empty on summary items."),
  numericValues: list(namedAmount, "Amounts of a per-user item."),
});

const productTotal = describedType("ProductTotal", "Sum of the transactions of one product.", {
  productTagName: text("As the invoice names it, part number included."),
  product: text("Without the part number."),
  partNumber: optionalText("Starts with #."),
  quantity: amount("Sum of their quantities."),
  value: amount("Sum of their values."),
});

const operatorTotal = describedType("OperatorTotal", "Sum of all items that were calculated in one way.", {
  operator: field(operator, { description: "The way." }),
  items: count("How many items there are, summary items included."),
  value: amount("Sum of their values."),
});

const files = describedType("InvoiceFiles", "Where the two files of the archive are.", {
  json: text("Path of the detailed JSON file."),
  csv: text("Path of the simplified CSV file."),
});

const metrics = {
  accountTenantId: text("Tenant id of the account."),
  accountName: text("Name of the account."),
  enabled: field(z.boolean(), { description: "Whether the account has access to the system." }),
  dateCreated: text(`${inForm}, without offset.`),
  additional: field(z.record(z.string(), z.unknown()), {
    description:
      "Every further field as the service sent it, the usage of each customer among them. A number that JavaScript " +
      "cannot hold exactly comes as its text.",
  }),
};

const detail = {
  tenantId: text("Tenant the invoice belongs to."),
  invoiceId: text("Invoice identifier."),
  invoiceNumber: optionalText("Invoice number."),
  accountName: optionalText("Name of the account."),
  billingPeriodStart: text(`${inForm}, without offset.`),
  billingPeriodEnd: text(`${inForm}, without offset.`),
  invoiceDate: optionalText(`${inForm}, without offset.`),
  invoiceValue: amount("Total."),
  invoiceType: field(z.int().optional(), { description: "Kind of invoice, as the service numbers it." }),
  transactions: count("How many per-user transactions there are: the rows of the CSV file."),
  transactionValue: amount("Sum of their values."),
  licences: count("Sum of the licences of all tenants."),
  totalsByProduct: list(productTotal, "Sums by product."),
  totalsByTenant: list(tenantTotal, "Sums by tenant."),
  totalsByOperator: list(operatorTotal, "Sums by the way items were calculated."),
  items: field(z.array(invoiceItem).optional(), {
    description: "Every item in the order of the invoice, summary items included. Absent with `path`.",
  }),
  files: field(files.optional(), { description: "Where the two files of the archive are. Present with `path`." }),
};

const summary = {
  invoiceId: text("Invoice identifier."),
  path: text("Where the PDF is."),
  bytes: count("Size in bytes."),
  sha256: text("SHA-256 of the file, hexadecimal."),
};

const reconciliation = {
  invoiceId: text("Invoice identifier."),
  matches: field(z.boolean(), { description: "Everything billed is declared, and the other way round." }),
  billedNotDeclared: list(billedParty, "Who is billed and not declared."),
  declaredNotBilled: list(unbilledParty, "Who is declared and not billed."),
  tenants: list(tenantTotal, "What the invoice charges for each tenant, with its licences."),
};

const tenants = (declared: z.ZodType) =>
  field(z.array(declaredTenant).optional(), { description: declared.description ?? "" });

/** Every data source by its name in `reseller:index`. */
export const functions = {
  getAccount: {
    description: "Looks up one account, disabled ones included, by exactly one of id, reference and name.",
    inputs: accountArguments,
    outputs: account.shape,
  },
  getAccounts: {
    description: "Lists the accounts that meet every condition given, all pages.",
    inputs: accountsArguments,
    outputs: { accounts: list(account, "In the order of the service.") },
  },
  getAccountMetrics: {
    description: "Reads the licence usage of an account's customers.",
    inputs: metricsArguments,
    outputs: metrics,
  },
  getInvoices: {
    description: "Lists invoices, all pages.",
    inputs: invoicesArguments,
    outputs: { invoices: list(invoice, "In the order of the service.") },
  },
  getInvoice: { description: "Reads one invoice.", inputs: invoiceArguments, outputs: invoice.shape },
  getInvoiceDetail: {
    description:
      "Reads the itemised breakdown of an invoice: its items and their totals, exact to the last digit. The two files " +
      "of the archive must agree in every transaction.",
    inputs: detailArguments,
    outputs: detail,
  },
  getInvoiceSummary: {
    description: "Downloads the PDF copy of an invoice. `path` has it whole or not at all.",
    inputs: summaryArguments,
    outputs: summary,
  },
  reconcileInvoice: {
    description:
      "Holds what an invoice bills against what a program declares: who is billed and not declared, who is declared " +
      "and not billed, and the licences of each tenant. A declared entry stands for the billed one that has its id, " +
      "its reference, or its name where that is unique on both sides.",
    inputs: {
      ...reconcileArguments,
      accounts: tenants(reconcileArguments.accounts),
      customers: tenants(reconcileArguments.customers),
    },
    outputs: reconciliation,
  },
} satisfies Record<string, FunctionDeclaration>;
