import type { functions } from "../schema/functions";
import type { Service } from "../service";

type DataSource = (service: Service, args: unknown) => Promise<object>;

/** Every function of the schema by its name. Loaded at the first call: archives take libraries resources do without. */
export async function dataSources(): Promise<Record<string, DataSource>> {
  const core = await import("../functions/index.js");
  return {
    getAccount: core.getAccount,
    getAccounts: core.getAccounts,
    getAccountMetrics: core.getAccountMetrics,
    getInvoices: core.getInvoices,
    getInvoice: core.getInvoice,
    getInvoiceDetail: core.getInvoiceDetail,
    getInvoiceSummary: core.getInvoiceSummary,
    reconcileInvoice: core.reconcileInvoice,
  } satisfies Record<keyof typeof functions, DataSource>;
}
