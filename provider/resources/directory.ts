import type { AccountsApi } from "../api/accounts";
import type { AccountRecord } from "../api/wire";
import type { Clock } from "../clock";
import { WrongEnterpriseError } from "../errors";

interface Snapshot {
  byId: Map<string, AccountRecord>;
  taken: number;
}

// Long enough for one engine operation to share a list, short enough not to outlive what it says.
const snapshotAgeMs = 60_000;
// Reads this close together belong to one operation: from the second on, a list is cheaper than GETs.
const sameOperationMs = 2_000;
// The engine refreshes in parallel: how long the first read waits to see whether it is the only one.
const gatherMs = 20;

/** What exists, asked for as rarely as correctness allows: one list answers many reads and look-ups. */
export class AccountDirectory {
  #snapshot: Promise<Snapshot> | undefined;
  #lastRead = -Infinity;
  #reads = 0;
  #enterprises: Promise<Set<string>> | undefined;
  readonly #changed = new Set<string>();
  readonly #claimedReferences = new Set<string>();
  readonly #claimedAccounts = new Set<string>();
  readonly #managed = new Set<string>();
  readonly #takenOver = new Set<string>();
  readonly #owners = new Set<string>();

  constructor(
    private readonly accounts: AccountsApi,
    private readonly clock: Clock,
  ) {}

  /**
   * One account. A single read is a single GET; many in one operation share the list.
   * @throws NotFoundError after a GET said so, never because the list lacks it: pages shift while they are read.
   */
  async read(id: string): Promise<AccountRecord> {
    const now = this.clock.monotonic();
    const first = now - this.#lastRead >= sameOperationMs && this.#snapshot === undefined;
    this.#lastRead = now;
    const turn = ++this.#reads;
    if (first) await this.clock.sleep(gatherMs);
    const alone = first && this.#reads === turn;
    if (!alone && !this.#changed.has(id)) {
      const listed = (await this.#current()).byId.get(id);
      if (listed) return listed;
    }
    return this.accounts.get(id);
  }

  /** Accounts with exactly this reference, disabled ones included. `fresh` asks the service now. */
  async findByReference(reference: string, { fresh = false } = {}): Promise<AccountRecord[]> {
    if (fresh) this.#snapshot = undefined;
    const { byId } = await this.#current();
    return [...byId.values()].filter((record) => record.reference === reference);
  }

  /** Accounts with exactly this name. */
  async findByName(name: string): Promise<AccountRecord[]> {
    const { byId } = await this.#current();
    return [...byId.values()].filter((record) => record.name === name);
  }

  /**
   * Reserves a reference for one creation of this process; undefined when another one has it.
   * Two creations at once would both find nothing and both be charged. Call what is returned if the creation fails.
   */
  claimReference(reference: string | undefined): (() => void) | undefined {
    return reference === undefined ? () => undefined : claim(this.#claimedReferences, reference);
  }

  /** Reserves an account that exists for one creation of this process; undefined when another resource has it. */
  claimAccount(id: string): (() => void) | undefined {
    if (this.#managed.has(id)) return undefined;
    return claim(this.#claimedAccounts, id);
  }

  /** A resource in state stands for the account. @returns false when a creation of this process has it as well */
  noteManaged(id: string): boolean {
    this.#managed.add(id);
    return !this.#claimedAccounts.has(id);
  }

  /** A resource that this process created stands for an account that existed. */
  noteTakenOver(id: string): void {
    this.#takenOver.add(id);
  }

  wasTakenOver(id: string): boolean {
    return this.#takenOver.has(id);
  }

  /** A resource in state belongs to this enterprise: so must what is created beside it. */
  noteOwner(owner: unknown): void {
    if (typeof owner === "string" && owner !== "") this.#owners.add(owner);
  }

  /**
   * Makes sure, as far as this run has seen the state, that a creation goes to the enterprise of the rest. Costs a
   * charge where it does not, so here an enterprise without accounts is another one too.
   * @throws WrongEnterpriseError
   */
  async requireOwners(doing: string): Promise<void> {
    for (const owner of this.#owners) {
      await this.requireEnterprise(doing, owner);
      if ((await this.#enterprises)?.size !== 0) continue;
      throw new WrongEnterpriseError({
        doing,
        said: `the stack has accounts of enterprise ${owner}, but this token sees no account at all.`,
        next: "Use the token and the base URL of the stack's own environment, or run pulumi refresh first if they are gone. Nothing was written.",
      });
    }
  }

  /** This process changed the account: what the list said of it no longer counts. */
  noteChange(id: string): void {
    this.#changed.add(id);
  }

  /**
   * Makes sure that the token belongs to the enterprise that owns what is in state. Asked once a process.
   * A sandbox token would otherwise see nothing of production, and take absence for deletion.
   * @throws WrongEnterpriseError
   */
  async requireEnterprise(doing: string, owner: unknown): Promise<void> {
    if (typeof owner !== "string" || owner === "") return;
    this.#enterprises ??= this.#seeEnterprises().catch((error: unknown) => {
      this.#enterprises = undefined;
      throw error;
    });
    const seen = await this.#enterprises;
    if (seen.size === 0 || seen.has(owner)) return;
    throw new WrongEnterpriseError({
      doing,
      said: `the account belongs to enterprise ${owner}, but this token sees enterprise ${[...seen].join(", ")}.`,
      next: "Use the token and the base URL of the stack's own environment. Nothing was written.",
    });
  }

  async #seeEnterprises(): Promise<Set<string>> {
    const known = await this.#snapshot;
    const records = known ? [...known.byId.values()] : (await this.accounts.page(0, 100)).records;
    return new Set(records.flatMap(({ parentTenantId }) => parentTenantId ?? []));
  }

  async #current(): Promise<Snapshot> {
    const before = this.#snapshot;
    const known = await before;
    if (known !== undefined && this.clock.monotonic() - known.taken <= snapshotAgeMs) return known;
    // Several callers may arrive here together: the first one replaces the old list, the others share the new one.
    if (this.#snapshot === undefined || this.#snapshot === before) this.#snapshot = this.#take();
    return this.#snapshot;
  }

  #take(): Promise<Snapshot> {
    const taken = this.clock.monotonic();
    const taking = (async () => {
      const byId = new Map<string, AccountRecord>();
      for await (const record of this.accounts.list()) byId.set(record.id, record);
      return { byId, taken };
    })();
    // A failed list must not answer the next question.
    taking.catch(() => {
      if (this.#snapshot === taking) this.#snapshot = undefined;
    });
    return taking;
  }
}

function claim(claimed: Set<string>, key: string): (() => void) | undefined {
  if (claimed.has(key)) return undefined;
  claimed.add(key);
  return () => claimed.delete(key);
}
