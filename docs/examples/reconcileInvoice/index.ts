import * as pulumi from "@pulumi/pulumi";
import * as reseller from "pulumi-reseller-native";

const march = reseller.reconcileInvoice({
    invoiceId: "inv-2026-03",
    accounts: [
        {
            reference: "crm-1001",
        },
        {
            name: "Globex Voice",
        },
    ],
});
export const result = march.then(march => `Billed as declared: ${march.matches}`);
