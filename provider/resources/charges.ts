/**
 * The charge gate. The service refuses what may cost extra with 402 until the header `accept-charges: true` comes with
 * it (service document: Errors, Charge rule). That header is sent for exactly one reason: the program says
 * `acceptCharges: true` on the resource. Absent, false, or anything else is a no.
 */
export function chargesAccepted(inputs: { acceptCharges?: unknown }): boolean {
  return inputs.acceptCharges === true;
}
