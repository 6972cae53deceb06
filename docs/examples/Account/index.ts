import * as pulumi from "@pulumi/pulumi";
import * as reseller from "pulumi-reseller-native";

const acme = new reseller.Account("acme", {
    name: "Acme Telecom",
    description: "Reseller for the north",
    reference: "crm-1001",
    timezone: "Europe/Amsterdam",
    countryCode: "NL",
    acceptCharges: true,
});
export const accountId = acme.id;
