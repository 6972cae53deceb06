import * as pulumi from "@pulumi/pulumi";
import { ResellerError } from "../../provider/errors";
import type { DataService } from "../../provider/functions/service";

type Core = typeof import("../../provider/functions/index.js");

/** Arguments of the Output form: each may be a value, a promise or an output. */
export type Inputs<Args> = { [Name in keyof Args]: pulumi.Input<Args[Name] | undefined> };

/** Runs a data source with the settings of the program that runs: its environment, then its Pulumi configuration. */
export async function call<Result>(decide: (core: Core, service: DataService) => Promise<Result>): Promise<Result> {
  try {
    // Loaded at the first call: programs that only declare resources start without it.
    const core = await import("../../provider/functions/index.js");
    const configuration = new pulumi.Config("reseller");
    const service = core.sharedService((key) => configuration.get(key.replace(/^reseller:/, "")));
    return await decide(core, service);
  } catch (error) {
    // Marked as the engine's own RunError is, so that the person sees the message and not a stack.
    if (error instanceof ResellerError) Object.defineProperty(error, "__pulumiRunError", { value: true });
    throw error;
  }
}

/** The Output form of a data source: called once every argument is known and every dependency exists. */
export function callOutput<Args extends object, Result>(
  get: (args: Args, opts?: pulumi.InvokeOptions) => Promise<Result>,
  args: Inputs<Args>,
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<Result> {
  const result = pulumi
    .all([pulumi.output(args), dependencies(opts)])
    .apply(([known]) => get(known as unknown as Args, opts));
  return result;
}

/** Known only when the resources exist: during a preview that would create them, nothing is asked. */
function dependencies({ dependsOn }: pulumi.InvokeOutputOptions): pulumi.Output<unknown> {
  const resolving: pulumi.Output<unknown> = pulumi.output(dependsOn as pulumi.Input<object>);
  return resolving.apply((resolved) => {
    const resources = [resolved].flat().filter((value) => pulumi.Resource.isInstance(value));
    return pulumi.all(
      resources.map((resource) => (pulumi.CustomResource.isInstance(resource) ? resource.id : resource.urn)),
    );
  });
}
