import * as pulumi from "@pulumi/pulumi";
import * as reseller from "pulumi-reseller-native";

const active = reseller.getAccounts({
    enabled: true,
    namePrefix: "Acme",
});
export const first = active.then(active => `${active.accounts?.[0]?.name} has id ${active.accounts?.[0]?.id}`);
