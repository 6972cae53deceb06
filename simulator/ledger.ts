import type { Clock } from "./clock";
import type { Charge } from "./records";

/** What creating accounts and customers has cost so far: one entry for each create that was actioned. */
export class Ledger {
  private charges: Charge[] = [];

  constructor(private readonly clock: Clock) {}

  list(): Charge[] {
    return this.charges.map((charge) => ({ ...charge }));
  }

  add(kind: Charge["kind"], tenant: { id: string; name: string; reference?: string | null }): void {
    this.charges.push({
      id: this.charges.length + 1,
      kind,
      tenantId: tenant.id,
      name: tenant.name,
      ...(tenant.reference ? { reference: tenant.reference } : {}),
      at: this.clock.iso(),
    });
  }

  /** Takes over the entries of a data file. */
  restore(charges: readonly Charge[]): void {
    this.charges = [...charges];
  }
}
