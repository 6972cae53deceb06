import * as pulumi from "@pulumi/pulumi";
import * as reseller from "pulumi-reseller";

// The same program everywhere. What differs between the environments is in Pulumi.<stack>.yaml and nowhere else.
const config = new pulumi.Config();
const acceptCharges = config.getBoolean("acceptCharges") ?? false;
const protect = config.getBoolean("protect") ?? false;

const acme = new reseller.Account(
  "acme",
  {
    name: "Acme Telecom",
    reference: "CRM-1042",
    timezone: "Europe/Amsterdam",
    countryCode: "NL",
    acceptCharges,
  },
  { protect },
);
const globex = new reseller.Account(
  "globex",
  {
    name: "Globex Voice",
    reference: "CRM-1043",
    timezone: "Europe/Berlin",
    countryCode: "DE",
    acceptCharges,
  },
  { protect },
);

export const acmeTenantId = acme.id;
export const globexTenantId = globex.id;
