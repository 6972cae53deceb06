import { z } from "zod";
import { decimal, money } from "../../api/decimals";

/** Resources and their fields › Invoice detail JSON file. Amounts become decimal text, dates keep theirs. */

const text = z.string({ error: "must be text" });
const optionalText = text.nullish().transform((value) => value ?? undefined);

const list = <T extends z.ZodType>(member: T) =>
  z
    .array(member, { error: "must be a list" })
    .nullish()
    .transform((members) => members ?? []);

export const invoiceHeader = z.object({
  tenantId: text,
  invoiceId: text.min(1),
  invoiceNumber: optionalText,
  accountName: optionalText,
  billingPeriodStart: text,
  billingPeriodEnd: text,
  invoiceDate: optionalText,
  invoiceValue: money,
  invoiceType: z
    .int()
    .nullish()
    .transform((value) => value ?? undefined),
});
export type InvoiceHeader = z.output<typeof invoiceHeader>;

export const invoiceItem = z.object({
  id: text.min(1, "must not be empty"),
  quantity: decimal,
  value: money,
  fromDate: optionalText,
  toDate: optionalText,
  calculationOrder: z
    .int()
    .nullish()
    .transform((value) => value ?? undefined),
  operatorUsed: text,
  operatorValueUsed: decimal.nullish().transform((value) => value ?? undefined),
  productTagName: text,
  billingOutputTags: list(text),
  stringValues: list(z.object({ name: text, value: text.nullable().transform((value) => value ?? "") })),
  numericValues: list(z.object({ name: text, value: decimal })),
});
/** One line of an invoice: a per-user transaction, or a summary item when `stringValues` is empty. */
export type InvoiceItem = z.output<typeof invoiceItem>;

/** Per-user transactions are the ones the CSV file lists; summary items carry no string values. */
export function isTransaction(item: InvoiceItem): boolean {
  return item.stringValues.length > 0;
}

/** The value a transaction carries under a name such as `TenantCode`; "" when it has none. */
export function named(item: InvoiceItem, name: string): string {
  return item.stringValues.find((pair) => pair.name === name)?.value ?? "";
}

/** What an item says of a tenant (its customer) or of its reseller. */
export interface Party {
  code: string;
  codeExt: string;
  name: string;
}

export function partyOf(item: InvoiceItem, kind: "Tenant" | "Reseller"): Party {
  return {
    code: named(item, `${kind}Code`),
    codeExt: named(item, `${kind}CodeExt`),
    name: named(item, `${kind}Name`),
  };
}
