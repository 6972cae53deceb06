import * as pulumi from "@pulumi/pulumi";
import * as provider from "./dynamic/account";
import { leaveOut } from "./position";

/** What a program declares of a reseller account (service document: Resources and their fields › Account). */
export interface AccountArgs {
  /** Name of the reseller. Not blank. */
  name: pulumi.Input<string>;
  /** Free text. */
  description?: pulumi.Input<string | undefined>;
  /**
   * Your own reference for the account, such as its number in a CRM; unique in the enterprise. It is how an account is
   * found again after an interrupted run. Default: `project/stack/name`, decided once.
   */
  reference?: pulumi.Input<string | undefined>;
  /** Whether the account has access to the system. Default: true. */
  enabled?: pulumi.Input<boolean | undefined>;
  /** IANA time zone in Region/City form, such as `Europe/Amsterdam`. The service never returns it. */
  timezone?: pulumi.Input<string | undefined>;
  /** ISO 3166-1 alpha-2 country code in capitals, such as `NL`. The service never returns it. */
  countryCode?: pulumi.Input<string | undefined>;
  /**
   * Accepts what creating or changing this account may cost. Without it the service refuses what is charged, and
   * nothing is done. Default: false. Setting it sends nothing by itself.
   */
  acceptCharges?: pulumi.Input<boolean | undefined>;
  /**
   * Tenant id of an account that exists, or `true` for the one active account with the declared reference: it is taken
   * over, what differs is patched, and nothing is created or charged. `timezone` and `countryCode` are taken as declared
   * and sent once they change. Counts when the resource is first declared; removing it later changes nothing.
   * A disabled account is refused.
   */
  adopt?: pulumi.Input<string | true | undefined>;
}

/** What is known of an account that is looked up rather than declared; the service never returns these two. */
export interface AccountState {
  timezone?: pulumi.Input<string | undefined>;
  countryCode?: pulumi.Input<string | undefined>;
}

// A dynamic resource offers as outputs exactly the properties named when it is made.
const outputs = {
  description: undefined,
  reference: undefined,
  enabled: undefined,
  timezone: undefined,
  countryCode: undefined,
  acceptCharges: undefined,
  parentTenantId: undefined,
  dateCreated: undefined,
};

const type = "pulumi-nodejs:dynamic/reseller:Account";

/**
 * A reseller account of the enterprise. Creating one may cost money: it needs `acceptCharges: true`.
 * Deleting deactivates it and flags it for deletion. No change ever replaces it.
 */
export class Account extends pulumi.dynamic.Resource {
  declare readonly name: pulumi.Output<string>;
  declare readonly description: pulumi.Output<string | undefined>;
  declare readonly reference: pulumi.Output<string | undefined>;
  declare readonly enabled: pulumi.Output<boolean>;
  declare readonly timezone: pulumi.Output<string | undefined>;
  declare readonly countryCode: pulumi.Output<string | undefined>;
  declare readonly acceptCharges: pulumi.Output<boolean | undefined>;
  /** Tenant id of the enterprise that owns the account. */
  declare readonly parentTenantId: pulumi.Output<string>;
  /** ISO 8601 date-time without offset, as the service wrote it. */
  declare readonly dateCreated: pulumi.Output<string>;

  /**
   * @param name Unique name of the resource in the program.
   * @param args What is declared of the account.
   * @param opts Options of every Pulumi resource.
   */
  constructor(name: string, args: AccountArgs, opts?: pulumi.CustomResourceOptions) {
    // Checking happens where neither project, stack nor resource name is known; it keeps or drops this.
    const fallback =
      opts?.id === undefined && args.reference === undefined
        ? { __defaultReference: `${pulumi.getProject()}/${pulumi.getStack()}/${name}` }
        : {};
    // A preview only checks what it plans to create: it is told that it is one, to show what taking over would change.
    const preview = args.adopt !== undefined && pulumi.runtime.isDryRun() ? { __preview: true } : {};
    const restore = leaveOut(__filename);
    try {
      super(
        provider as pulumi.dynamic.ResourceProvider,
        name,
        { ...outputs, ...args, ...fallback, ...preview },
        opts,
        "reseller",
        "Account",
      );
    } finally {
      restore();
    }
  }

  /**
   * Looks up an account that exists, without managing it.
   * @param id Tenant id of the account.
   * @throws when no account has that id.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: AccountState,
    opts?: pulumi.CustomResourceOptions,
  ): Account {
    return new Account(name, { name: undefined, ...state } as unknown as AccountArgs, { ...opts, id });
  }

  /** Whether `value` is an Account, also one of another copy of this package. */
  static override isInstance(value: unknown): value is Account {
    return pulumi.Resource.isInstance(value) && (value as unknown as { __pulumiType?: string }).__pulumiType === type;
  }
}
