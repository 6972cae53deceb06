import * as reseller from "pulumi-reseller";

const acme = new reseller.Account("acme", {
  name: "Acme Telecom",
  description: "Reseller for the Benelux",
  reference: "CRM-1042",
  timezone: "Europe/Amsterdam",
  countryCode: "NL",
  acceptCharges: true,
});

const globex = new reseller.Account("globex", {
  name: "Globex Voice",
  timezone: "Europe/Berlin",
  countryCode: "DE",
  acceptCharges: true,
});

export const acmeTenantId = acme.id;
export const globexTenantId = globex.id;
