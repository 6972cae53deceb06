import { ChargeForbiddenError } from "../errors";
import { unknownValue } from "./check";

/** `reseller:chargePolicy`: `ask` leaves it to each resource, `never` refuses all, for pipelines that only look. */
export type ChargePolicy = "ask" | "never";

/**
 * The charge gate. The service refuses what may cost extra with 402 until the header `accept-charges: true` comes with
 * it (service document: Errors, Charge rule). That header is sent for exactly one reason: the program says
 * `acceptCharges: true` on the resource. Absent, false, or anything else is a no.
 */
export function chargesAccepted(inputs: { acceptCharges?: unknown }): boolean {
  return inputs.acceptCharges === true;
}

/** Setting or dropping the acceptance is a change of the resource, although it sends nothing by itself. */
export function changedAcceptance(olds: { acceptCharges?: unknown }, news: { acceptCharges?: unknown }): string[][] {
  return chargesAccepted(olds) === chargesAccepted(news) ? [] : [["acceptCharges"]];
}

interface Gate {
  chargePolicy: ChargePolicy;
  notice(line: string): void;
}

/** Whether the header goes with this request: the program accepts charges, and the configuration does not forbid them. */
export function mayCharge(gate: Gate, inputs: { acceptCharges?: unknown }): boolean {
  return chargesAccepted(inputs) && gate.chargePolicy !== "never";
}

/** One line a resource written with charges accepted, so that the log of a pipeline is an audit trail. */
export function tellCharge(gate: Gate, inputs: { acceptCharges?: unknown }, done: string): void {
  if (mayCharge(gate, inputs)) gate.notice(`Charges accepted: ${done}.`);
}

/**
 * Refuses what may be charged where the configuration says never, before any request.
 * @throws ChargeForbiddenError
 */
export function requireChargesAllowed({ chargePolicy }: Gate, doing: string): void {
  if (chargePolicy !== "never") return;
  throw new ChargeForbiddenError({
    doing,
    said: "it may incur charges, and reseller:chargePolicy is never.",
    next: "Nothing was sent. Run it where the policy is ask, with acceptCharges: true on the resource.",
  });
}

/** What a person must know before a planned creation runs into a 402. */
export function unacceptedCharge(kind: string, inputs: { name?: unknown; acceptCharges?: unknown }): string[] {
  // In a preview either may not be known yet.
  if (chargesAccepted(inputs) || inputs.acceptCharges === unknownValue) return [];
  const named = inputs.name === unknownValue ? kind : `${kind} ${JSON.stringify(inputs.name)}`;
  return [
    `${named}: creating it may incur charges that are not accepted; the service will refuse it unless acceptCharges: true is set.`,
  ];
}

/** The same for a planned change, given the paths that would be sent: not each one is charged, so the service decides. */
export function unacceptedChange(
  kind: string,
  inputs: { name?: unknown; acceptCharges?: unknown },
  sent: readonly string[][],
): string[] {
  if (sent.length === 0 || chargesAccepted(inputs) || inputs.acceptCharges === unknownValue) return [];
  const named = inputs.name === unknownValue ? kind : `${kind} ${JSON.stringify(inputs.name)}`;
  return [
    `${named}: should changing ${sent.map((path) => path.join(".")).join(", ")} incur charges, the service will refuse it unless acceptCharges: true is set.`,
  ];
}
