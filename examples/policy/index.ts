import { PolicyPack } from "@pulumi/policy";

const account = "pulumi-nodejs:dynamic/reseller:Account";
const customer = "pulumi-nodejs:dynamic/reseller:Customer";

/** What the engine lets a policy change per organisation or run: `--policy-pack-config`. */
const stacks = { type: "array", items: { type: "string" }, default: ["prod"] } as const;
const most = { type: "integer", minimum: 0, default: 10 } as const;

new PolicyPack("reseller", {
  enforcementLevel: "mandatory",
  policies: [
    {
      name: "charges-only-in-named-stacks",
      description: "acceptCharges is allowed in the named stacks only.",
      configSchema: { properties: { stacks } },
      validateResource: (args, report) => {
        const { stacks } = args.getConfig<{ stacks: string[] }>();
        const stack = args.urn.split("::")[0]?.replace("urn:pulumi:", "") ?? "";
        if (isReseller(args.type) && args.props["acceptCharges"] === true && !stacks.includes(stack)) {
          report(`Stack ${stack} may not accept charges; allowed in: ${stacks.join(", ")}.`);
        }
      },
    },
    {
      name: "accounts-are-protected",
      description: "An account is removed only after its protection was lifted on purpose.",
      validateResource: (args, report) => {
        if (args.type === account && !args.opts.protect) report("Set protect: true on this account.");
      },
    },
    {
      name: "few-charged-creations-at-once",
      description: "One update creates a limited number of charged accounts and customers.",
      configSchema: { properties: { most } },
      validateStack: (args, report) => {
        const { most } = args.getConfig<{ most: number }>();
        const charged = args.resources.filter(
          ({ type, props }) => isReseller(type) && props["acceptCharges"] === true && isPlanned(props),
        );
        if (charged.length > most) report(`${charged.length} charged creations; ${most} are allowed in one update.`);
      },
    },
  ],
});

function isReseller(type: string): boolean {
  return type === account || type === customer;
}

/** What the service has given is known of what exists, and not of what is planned. */
function isPlanned(props: Record<string, unknown>): boolean {
  return props["parentTenantId"] === undefined && props["tenantId"] === undefined;
}
