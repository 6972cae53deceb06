import * as pulumi from "@pulumi/pulumi";
import type { InvoiceRecord } from "../../provider/api/billing";
import type { InvoiceDetail } from "../../provider/functions/invoice-detail";
import type { InvoiceSummary } from "../../provider/functions/invoice-summary";
import type { InvoiceReconciliation } from "../../provider/functions/reconcile-invoice";
import { call, callOutput, type Inputs } from "./call";

export interface GetInvoicesArgs {
  /** Tenant the invoice belongs to. Default: all. */
  tenantId?: string;
  /**
   * First day on which a billing period may start, such as `2024-01-01`: compared with the date as the invoice writes
   * it. Or a date-time with an offset, compared as a moment. Default: any.
   */
  periodFrom?: string;
  /** Last day, or moment, on which a billing period may start. Default: any. */
  periodTo?: string;
}
export type GetInvoicesOutputArgs = Inputs<GetInvoicesArgs>;

/** `invoiceValue` is exact decimal text, never a binary number: `1234567890123456.78`. Dates keep their text. */
export type GetInvoiceResult = InvoiceRecord;

export interface GetInvoicesResult {
  /** In the order of the service. */
  invoices: GetInvoiceResult[];
}

/** Lists invoices, all pages. */
export function getInvoices(args: GetInvoicesArgs = {}, _opts?: pulumi.InvokeOptions): Promise<GetInvoicesResult> {
  return call((core, service) => core.getInvoices(service, args));
}

/** {@link getInvoices} with arguments that may be outputs. */
export function getInvoicesOutput(
  args: GetInvoicesOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetInvoicesResult> {
  return callOutput(getInvoices, args, opts);
}

export interface GetInvoiceArgs {
  invoiceId: string;
}
export type GetInvoiceOutputArgs = Inputs<GetInvoiceArgs>;

/** Reads one invoice. @throws NotFoundError */
export function getInvoice(args: GetInvoiceArgs, _opts?: pulumi.InvokeOptions): Promise<GetInvoiceResult> {
  return call((core, service) => core.getInvoice(service, args));
}

/** {@link getInvoice} with arguments that may be outputs. */
export function getInvoiceOutput(
  args: GetInvoiceOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetInvoiceResult> {
  return callOutput(getInvoice, args, opts);
}

export interface GetInvoiceDetailArgs {
  invoiceId: string;
  /** A folder, made when it is missing. The JSON and the CSV file are put there whole, and `items` is left out. */
  path?: string;
}
export type GetInvoiceDetailOutputArgs = Inputs<GetInvoiceDetailArgs>;
export type GetInvoiceDetailResult = InvoiceDetail;

/**
 * Reads the itemised breakdown of an invoice: its items and their totals, exact to the last digit, as decimal text.
 * The two files of the archive must agree in every transaction. Without `path` all items are held in memory; with it,
 * memory does not grow with the invoice, as long as both files list the transactions in one order.
 * @throws InvalidDocumentError when the archive is unsafe or broken, or its files differ (`differences`).
 */
export function getInvoiceDetail(
  args: GetInvoiceDetailArgs,
  _opts?: pulumi.InvokeOptions,
): Promise<GetInvoiceDetailResult> {
  return call((core, service) => core.getInvoiceDetail(service, args));
}

/** {@link getInvoiceDetail} with arguments that may be outputs. */
export function getInvoiceDetailOutput(
  args: GetInvoiceDetailOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetInvoiceDetailResult> {
  return callOutput(getInvoiceDetail, args, opts);
}

export interface GetInvoiceSummaryArgs {
  invoiceId: string;
  /** Where the PDF is to be. Default: in a fresh temporary folder. */
  path?: string;
}
export type GetInvoiceSummaryOutputArgs = Inputs<GetInvoiceSummaryArgs>;

export interface GetInvoiceSummaryResult extends InvoiceSummary {
  /** The PDF, ready for a resource that takes a file. */
  asset: pulumi.asset.FileAsset;
}

/**
 * Downloads the PDF copy of an invoice. `path` has it whole or not at all.
 * @throws InvalidDocumentError when what arrives is not a PDF, is cut short, or does not end.
 */
export function getInvoiceSummary(
  args: GetInvoiceSummaryArgs,
  _opts?: pulumi.InvokeOptions,
): Promise<GetInvoiceSummaryResult> {
  return call(async (core, service) => {
    const saved = await core.getInvoiceSummary(service, args);
    return { ...saved, asset: new pulumi.asset.FileAsset(saved.path) };
  });
}

/** {@link getInvoiceSummary} with arguments that may be outputs. */
export function getInvoiceSummaryOutput(
  args: GetInvoiceSummaryOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetInvoiceSummaryResult> {
  return callOutput(getInvoiceSummary, args, opts);
}

/** A tenant id, or what is known of the tenant; whole records of {@link getAccounts} will do. */
export type DeclaredTenant =
  string | { id?: string | undefined; reference?: string | undefined; name?: string | undefined };

export interface ReconcileInvoiceArgs {
  invoiceId: string;
  /** The resellers that are declared. Not compared when left out. */
  accounts?: DeclaredTenant[];
  /** The customers that are declared. Not compared when left out. */
  customers?: DeclaredTenant[];
}

type DeclaredTenantInput = pulumi.Input<
  string | { id?: pulumi.Input<string>; reference?: pulumi.Input<string | undefined>; name?: pulumi.Input<string> }
>;

export interface ReconcileInvoiceOutputArgs {
  invoiceId: pulumi.Input<string>;
  accounts?: pulumi.Input<DeclaredTenantInput[]>;
  customers?: pulumi.Input<DeclaredTenantInput[]>;
}
export type ReconcileInvoiceResult = InvoiceReconciliation;

/**
 * Holds what an invoice bills against what a program declares: who is billed and not declared, who is declared and not
 * billed, and the licences of each tenant.
 *
 * Invoices name resellers and customers by code, external code and name, not for certain by tenant id. A declared entry
 * stands for the billed one that has, in this order: its id as code or external code (case does not matter); its
 * reference as external code or code; its name, where that is unique on both sides. For an account given by id alone,
 * reference and name are read from the service first. Customers cannot be read: give their reference or name.
 */
export function reconcileInvoice(
  args: ReconcileInvoiceArgs,
  _opts?: pulumi.InvokeOptions,
): Promise<ReconcileInvoiceResult> {
  return call((core, service) => core.reconcileInvoice(service, args));
}

/** {@link reconcileInvoice} with arguments that may be outputs. */
export function reconcileInvoiceOutput(
  args: ReconcileInvoiceOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<ReconcileInvoiceResult> {
  return callOutput(reconcileInvoice, args as Inputs<ReconcileInvoiceArgs>, opts);
}
