import * as pulumi from "@pulumi/pulumi";
import * as reseller from "pulumi-reseller";

/** A reseller as the file has it. `key` names its resources: keep it when the name changes. */
export interface ResellerArgs {
  key: string;
  name: string;
  reference: string;
  timezone: string;
  countryCode: string;
  customers: { key: string; name: string; culture: string }[];
}

/** An account and its customers, as one unit. */
export class Reseller extends pulumi.ComponentResource {
  readonly tenantId: pulumi.Output<string>;
  readonly customerTenantIds: pulumi.Output<string[]>;

  constructor({ key, customers, ...account }: ResellerArgs, acceptCharges: boolean) {
    super("example:reseller:Reseller", key);
    this.tenantId = new reseller.Account(key, { ...account, acceptCharges }, { parent: this }).id;
    this.customerTenantIds = pulumi.output(
      customers.map(
        ({ key: customer, ...rest }) =>
          new reseller.Customer(
            `${key}-${customer}`,
            { ...rest, timezone: account.timezone, acceptCharges },
            // A customer that the service cannot delete would block a destroy.
            { parent: this, retainOnDelete: true },
          ).id,
      ),
    );
    this.registerOutputs();
  }
}
