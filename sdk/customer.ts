import * as pulumi from "@pulumi/pulumi";
import * as provider from "./dynamic/customer";
import { leaveOut } from "./position";

/** Connection data for a customer's telephone system (service document: Customer › pbxConnectionProfile). */
export interface PbxConnectionProfileArgs {
  /** Kind of telephone system; what travels is `<kind>PbxConnectionProfile`. Give this or `_type`. */
  kind?: pulumi.Input<string | undefined>;
  /** The same in full, `<kind>PbxConnectionProfile`. */
  _type?: pulumi.Input<string | undefined>;
  /** Address of the telephone system's REST interface, http or https. */
  hostRest: pulumi.Input<string>;
  /** Address of the telephone system's websocket interface, ws or wss. */
  hostWebsocket: pulumi.Input<string>;
  /** Account identifier on the telephone system. */
  accountId: pulumi.Input<string>;
  /** Key for the telephone system. Kept secret, whether or not it is given as one. */
  apiKey: pulumi.Input<string>;
}

/** What a program declares of a customer (service document: Resources and their fields › Customer). */
export interface CustomerArgs {
  /** Name of the customer. Not blank. */
  name: pulumi.Input<string>;
  /** Free text. */
  description?: pulumi.Input<string | undefined>;
  /** Whether the customer has access to the system. Default: true. */
  enabled?: pulumi.Input<boolean | undefined>;
  /** IANA time zone in Region/City form, such as `Europe/Amsterdam`. The service never returns it. */
  timezone?: pulumi.Input<string | undefined>;
  /** Locale tag in language-REGION form, such as `nl-NL`. The service never returns it. */
  culture?: pulumi.Input<string | undefined>;
  /** Connection data for the customer's telephone system. The service never returns it. */
  pbxConnectionProfile?: pulumi.Input<PbxConnectionProfileArgs | undefined>;
  /**
   * Accepts what creating or changing this customer may cost. Without it the service refuses what is charged, and
   * nothing is done. Default: false. Setting it sends nothing by itself.
   */
  acceptCharges?: pulumi.Input<boolean | undefined>;
  /**
   * Tenant id of a customer that exists: it is taken over, and nothing is created or charged. Counts when the resource
   * is first declared; removing it later changes nothing.
   */
  adopt?: pulumi.Input<string | undefined>;
}

// A dynamic resource offers as outputs exactly the properties named when it is made.
const outputs = {
  description: undefined,
  enabled: undefined,
  timezone: undefined,
  culture: undefined,
  pbxConnectionProfile: undefined,
  acceptCharges: undefined,
  tenantId: undefined,
};

const type = "pulumi-nodejs:dynamic/reseller:Customer";

/**
 * A customer: a tenant below a reseller account. Creating one may cost money: it needs `acceptCharges: true`.
 * The service documents its creation only; changing and deleting are tried, and what it lacks is said plainly.
 */
export class Customer extends pulumi.dynamic.Resource {
  declare readonly name: pulumi.Output<string>;
  declare readonly description: pulumi.Output<string | undefined>;
  declare readonly enabled: pulumi.Output<boolean>;
  declare readonly timezone: pulumi.Output<string | undefined>;
  declare readonly culture: pulumi.Output<string | undefined>;
  /** As sent, `_type` in full; secret as a whole. */
  declare readonly pbxConnectionProfile: pulumi.Output<
    pulumi.Unwrap<Omit<PbxConnectionProfileArgs, "kind">> | undefined
  >;
  declare readonly acceptCharges: pulumi.Output<boolean | undefined>;

  /** Tenant id of the customer. Absent while its creation is not confirmed, when `id` is only a placeholder. */
  declare readonly tenantId: pulumi.Output<string | undefined>;

  /**
   * @param name Unique name of the resource in the program.
   * @param args What is declared of the customer.
   * @param opts Options of every Pulumi resource.
   */
  constructor(name: string, args: CustomerArgs, opts?: pulumi.CustomResourceOptions) {
    const restore = leaveOut(__filename);
    try {
      super(
        provider as pulumi.dynamic.ResourceProvider,
        name,
        { ...outputs, ...args, pbxConnectionProfile: withSecretKey(args.pbxConnectionProfile) },
        // State and display keep outputs secret by their names, also where the program forgot to.
        pulumi.mergeOptions(opts, { additionalSecretOutputs: ["pbxConnectionProfile"] }),
        "reseller",
        "Customer",
      );
    } finally {
      restore();
    }
  }

  /**
   * Looks up a customer that exists, without managing it. Fails where the service does not offer reading customers.
   * @param id Tenant id of the customer.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Customer {
    return new Customer(name, { name: undefined } as unknown as CustomerArgs, { ...opts, id });
  }

  /** Whether `value` is a Customer, also one of another copy of this package. */
  static override isInstance(value: unknown): value is Customer {
    return pulumi.Resource.isInstance(value) && (value as unknown as { __pulumiType?: string }).__pulumiType === type;
  }
}

/** Only the key is secret where the profile is written out, so that a preview still shows what else changes. */
function withSecretKey(profile: CustomerArgs["pbxConnectionProfile"]): pulumi.Input<unknown> {
  if (profile === undefined) return undefined;
  if (pulumi.Output.isInstance(profile) || profile instanceof Promise) return pulumi.secret(profile);
  return { ...profile, apiKey: pulumi.secret(profile.apiKey) };
}
