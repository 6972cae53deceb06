import * as pulumi from "@pulumi/pulumi";
import * as reseller from "pulumi-reseller-native";

const march = reseller.getInvoiceDetail({
    invoiceId: "inv-2026-03",
    path: "invoices",
});
export const total = march.then(march => `${march.transactionValue} in ${march.transactions} transactions`);
