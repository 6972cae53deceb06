import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Clock } from "./clock";
import { Ledger } from "./ledger";
import type { Settings } from "./options";
import { Random } from "./random";
import { accountDate, type AccountRecord, type Charge, type CustomerRecord } from "./records";

interface DataFile {
  enterpriseTenantId: string;
  accounts: AccountRecord[];
  customers: CustomerRecord[];
  charges: Charge[];
}

/** Long enough that hundreds of changes a second share one write. */
const saveDelayMs = 200;

/** Everything the service remembers. Records are never changed in place: a change puts a new one. */
export class Store {
  readonly enterpriseTenantId: string;
  readonly ledger: Ledger;
  private readonly accountsById = new Map<string, AccountRecord>();
  private readonly customersById = new Map<string, CustomerRecord>();
  private readonly listedFrom = new Map<string, number>();
  private saving: NodeJS.Timeout | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    this.ledger = new Ledger(clock);
    const random = new Random(settings.seed);
    const derivedTenantId = random.uuid();
    const kept = load(settings.data);
    this.enterpriseTenantId = (
      settings.enterpriseTenantId ??
      kept?.enterpriseTenantId ??
      derivedTenantId
    ).toLowerCase();
    if (kept) {
      for (const account of kept.accounts) this.accountsById.set(account.id, account);
      for (const customer of kept.customers) this.customersById.set(customer.id, customer);
      this.ledger.restore(kept.charges);
    } else {
      this.seed(random);
    }
  }

  private seed(random: Random): void {
    const { seedAccounts } = this.settings;
    const partials =
      typeof seedAccounts === "number"
        ? Array.from({ length: seedAccounts }, (_, index) => {
            const number = String(index + 1).padStart(4, "0");
            return { name: `Reseller ${number}`, reference: `reseller-${number}` };
          })
        : seedAccounts;
    for (const partial of partials) this.addAccount({ id: random.uuid(), ...partial });
  }

  /** Adds an account as if it had always been there: no charge, listed at once. */
  addAccount(partial: Partial<AccountRecord>): AccountRecord {
    const account: AccountRecord = {
      id: randomUUID(),
      name: "Reseller",
      description: null,
      enabled: true,
      parentTenantId: this.enterpriseTenantId,
      reference: null,
      dateCreated: accountDate(this.clock.now()),
      timezone: null,
      countryCode: null,
      flaggedForDeletion: false,
      ...partial,
    };
    return this.putAccount(account);
  }

  /** Adds an account that was ordered: charged, and listed only after the list delay. */
  createAccount(partial: Partial<AccountRecord>): AccountRecord {
    const account = this.addAccount(partial);
    if (this.settings.listDelayMs > 0) this.listedFrom.set(account.id, this.clock.now() + this.settings.listDelayMs);
    this.ledger.add("account", account);
    return account;
  }

  createCustomer(
    fields: Omit<CustomerRecord, "id" | "parentTenantId" | "dateCreated" | "flaggedForDeletion">,
  ): CustomerRecord {
    const customer: CustomerRecord = {
      id: randomUUID(),
      parentTenantId: this.enterpriseTenantId,
      dateCreated: accountDate(this.clock.now()),
      flaggedForDeletion: false,
      ...fields,
    };
    this.ledger.add("customer", customer);
    return this.putCustomer(customer);
  }

  account(id: string): AccountRecord | undefined {
    return this.accountsById.get(id.toLowerCase());
  }

  customer(id: string): CustomerRecord | undefined {
    return this.customersById.get(id.toLowerCase());
  }

  accounts(): AccountRecord[] {
    return [...this.accountsById.values()];
  }

  customers(): CustomerRecord[] {
    return [...this.customersById.values()];
  }

  /** The accounts the list shows at this moment, oldest first. */
  listedAccounts(): AccountRecord[] {
    const now = this.clock.now();
    for (const [id, from] of this.listedFrom) if (from <= now) this.listedFrom.delete(id);
    const accounts = this.accounts();
    return this.listedFrom.size === 0 ? accounts : accounts.filter((account) => !this.listedFrom.has(account.id));
  }

  putAccount(account: AccountRecord): AccountRecord {
    const stored = { ...account, id: account.id.toLowerCase() };
    this.accountsById.set(stored.id, stored);
    this.changed();
    return stored;
  }

  putCustomer(customer: CustomerRecord): CustomerRecord {
    this.customersById.set(customer.id, customer);
    this.changed();
    return customer;
  }

  /** @returns whether there was such an account */
  removeAccount(id: string): boolean {
    const existed = this.accountsById.delete(id.toLowerCase());
    this.changed();
    return existed;
  }

  private changed(): void {
    if (this.settings.data === undefined) return;
    this.saving ??= setTimeout(() => {
      this.save();
    }, saveDelayMs).unref();
  }

  /** Writes the data file now, if there is one. A reader sees the old file or the new one, never a part. */
  save(): void {
    clearTimeout(this.saving);
    this.saving = undefined;
    const { data } = this.settings;
    if (data === undefined) return;
    const file: DataFile = {
      enterpriseTenantId: this.enterpriseTenantId,
      accounts: this.accounts(),
      customers: this.customers(),
      charges: this.ledger.list(),
    };
    const temporary = `${data}.${process.pid}.tmp`;
    // Customers carry the keys of telephone systems.
    writeFileSync(temporary, `${JSON.stringify(file)}\n`, { mode: 0o600 });
    renameSync(temporary, data);
  }
}

function load(path: string | undefined): DataFile | undefined {
  if (path === undefined || !existsSync(path)) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new Error(`The simulator's data file ${path} isn't valid JSON.`, { cause });
  }
  const file = parsed as Partial<DataFile> | null;
  if (!Array.isArray(file?.accounts) || !Array.isArray(file.customers) || !Array.isArray(file.charges)) {
    throw new Error(`The simulator's data file ${path} lacks accounts, customers or charges.`);
  }
  return file as DataFile;
}
