import * as pulumi from "@pulumi/pulumi";
import { readFileSync } from "node:fs";
import { Reseller, type ResellerArgs } from "./reseller";

// Charges are a decision of the stack: pulumi config set acceptCharges true
const acceptCharges = new pulumi.Config().getBoolean("acceptCharges") ?? false;
const declared = JSON.parse(readFileSync(`${__dirname}/resellers.json`, "utf8")) as ResellerArgs[];

export const tenantIds = Object.fromEntries(
  declared.map((args) => [args.key, new Reseller(args, acceptCharges).tenantId]),
);
