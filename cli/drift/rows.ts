import { isDeepStrictEqual } from "node:util";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { secretSignature, signatureKey } from "../../provider/engine-marks";

/** One difference between what a stack declares and what the service said. */
export interface Row {
  urn: string;
  /** Last part of the type, such as Account. */
  type: string;
  /** Name of the resource in the program. */
  resource: string;
  /** Undefined when the whole resource is gone. */
  property: string | undefined;
  inCode: unknown;
  inService: unknown;
}

export const gone = "(gone)";
export const secret = "[secret]";

type Metadata = NonNullable<EngineEvent["resOutputsEvent"]>["metadata"];
type Properties = Record<string, unknown>;

/** What the engine found while it refreshed: one event a resource. What is not declared is no drift. */
export function rowsOf(event: EngineEvent): Row[] {
  const metadata = event.resOutputsEvent?.metadata;
  // The engine's own: stacks, and providers with the settings of this run.
  if (metadata === undefined || /^pulumi:(pulumi|providers):/.test(metadata.type)) return [];
  if (metadata.op === "delete")
    return [{ ...about(metadata), property: undefined, inCode: undefined, inService: gone }];
  if (metadata.op !== "update" || !metadata.old || !metadata.new) return [];
  const before = plain(metadata.old);
  const after = plain(metadata.new);
  const declared = Object.keys({ ...before.inputs, ...after.inputs }).filter((name) => !name.startsWith("__"));
  const rows = declared.flatMap((property) => {
    // A provider may tell what it read as inputs, or as outputs only.
    const side = [before.inputs, after.inputs, before.outputs, after.outputs] as const;
    const [codeInput, readInput, codeOutput, readOutput] = side.map((properties) => properties[property]);
    // What only steers the provider is neither read nor kept as an output.
    if (!(property in after.inputs) && !(property in before.outputs)) return [];
    if (!isDeepStrictEqual(codeInput, readInput)) return [{ property, inCode: codeInput, inService: readInput }];
    if (!isDeepStrictEqual(codeOutput, readOutput)) return [{ property, inCode: codeOutput, inService: readOutput }];
    return [];
  });
  return (rows.length > 0 ? rows : hidden(before.inputs)).map((row) => ({ ...about(metadata), ...row }));
}

/** The engine says that something changed and shows no change: it is among the values that it hides. */
function hidden(inputs: Properties): Pick<Row, "property" | "inCode" | "inService">[] {
  const names = Object.keys(inputs).filter((name) => JSON.stringify(inputs[name]).includes(`"${secret}"`));
  return names.length === 0 ? [] : [{ property: names.join(" or "), inCode: secret, inService: `${secret}, another` }];
}

function about({ urn, type }: Metadata): Pick<Row, "urn" | "type" | "resource"> {
  return { urn, type: type.slice(type.lastIndexOf(":") + 1), resource: urn.split("::").slice(3).join("::") };
}

function plain({ inputs, outputs }: { inputs?: Properties; outputs?: Properties }) {
  return { inputs: unsecret(inputs ?? {}) as Properties, outputs: unsecret(outputs ?? {}) as Properties };
}

function unsecret(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unsecret);
  if (typeof value !== "object" || value === null) return value;
  if ((value as Properties)[signatureKey] === secretSignature) return secret;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unsecret(inner)]));
}
