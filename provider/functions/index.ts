/** The data sources, as fronts call them. */
export { getAccountMetrics } from "./account-metrics";
export { getAccount, getAccounts } from "./accounts";
export { getInvoiceDetail } from "./invoice-detail";
export { getInvoiceSummary } from "./invoice-summary";
export { getInvoice, getInvoices } from "./invoices";
export { reconcileInvoice } from "./reconcile-invoice";
export { sharedService } from "../service";
