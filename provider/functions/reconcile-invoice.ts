import { tmpdir } from "node:os";
import { z } from "zod";
import type { AccountRecord } from "../api/wire";
import { withTemporaryFolder } from "../files";
import { line } from "../schema/text";
import { field } from "../schema/fields";
import { checkArguments, identifier, invalid, invoiceId as invoice } from "./arguments";
import type { Party } from "./document/item";
import { readDocument } from "./document/read";
import type { TenantTotal } from "./document/totals";
import type { DataService } from "./service";

// The service returns "" for a reference that was never given.
const given = z.union([z.literal("").transform(() => undefined), line]).optional();

const declaredTenant = z
  .union(
    [
      identifier.transform((id) => ({ id })),
      z
        .object({ id: identifier.optional(), reference: given, name: given })
        .refine((entry) => Object.values(entry).some((value) => value !== undefined)),
    ],
    "must be a tenant id, or an object with id, reference or name",
  )
  .transform((entry): Declared => entry);

interface Declared {
  id?: string | undefined;
  reference?: string | undefined;
  name?: string | undefined;
}

const declaredTenants = z.array(declaredTenant, { error: "must be a list" }).optional();
export const reconcileArguments = {
  invoiceId: invoice,
  accounts: field(declaredTenants, { description: "The resellers that are declared. Not compared when left out." }),
  customers: field(declaredTenants, { description: "The customers that are declared. Not compared when left out." }),
};

/** A reseller (`account`) or one of its customers, as the invoice names it. */
export interface BilledParty extends Party {
  kind: "account" | "customer";
}

/** An entry of the arguments for which the invoice has nothing. */
export interface UnbilledParty extends Declared {
  kind: "account" | "customer";
}

export interface InvoiceReconciliation {
  invoiceId: string;
  /** Everything billed is declared, and the other way round. */
  matches: boolean;
  billedNotDeclared: BilledParty[];
  declaredNotBilled: UnbilledParty[];
  /** What the invoice charges for each tenant, with its licences. */
  tenants: TenantTotal[];
}

/**
 * Holds the resellers and customers of an invoice against those a program declares; a list that is not given is not
 * compared. Invoices name them by code, external code and name, never for certain by tenant id. A declared entry is
 * the billed one with, in this order:
 *   1. its id as code or external code;
 *   2. its reference as external code or code;
 *   3. its name as name, where no other billed party of the kind and no other entry has that name.
 * The first rule that finds something counts. Case does not matter for ids only. For an account with an id alone, its
 * reference and name are read from the service first.
 */
export async function reconcileInvoice(service: DataService, args: unknown): Promise<InvoiceReconciliation> {
  const doing = "reconcile an invoice";
  const { invoiceId, accounts, customers } = checkArguments(doing, reconcileArguments, args);
  if (accounts === undefined && customers === undefined) {
    throw invalid("accounts", doing, "accounts or customers is required: there is nothing to compare with");
  }
  const declaredAccounts = accounts && (await complete(service, accounts));
  const { totals } = await withTemporaryFolder(`read the detail of invoice ${invoiceId}`, tmpdir(), (folder) =>
    readDocument(service, invoiceId, folder),
  );
  const tenants = totals.totalsByTenant;
  const sides = [
    compare("account", unique(tenants.map(({ reseller }) => reseller)), declaredAccounts),
    compare("customer", unique(tenants.map(({ tenant }) => tenant)), customers),
  ];
  const billedNotDeclared = sides.flatMap((side) => side.billedNotDeclared);
  const declaredNotBilled = sides.flatMap((side) => side.declaredNotBilled);
  const matches = billedNotDeclared.length === 0 && declaredNotBilled.length === 0;
  return { invoiceId, matches, billedNotDeclared, declaredNotBilled, tenants };
}

/** Adds reference and name to the accounts that are given by id alone: one list for all of them. */
async function complete(service: DataService, accounts: Declared[]): Promise<Declared[]> {
  const isBare = ({ id, reference, name }: Declared) =>
    id !== undefined && reference === undefined && name === undefined;
  const bare = new Set(accounts.filter(isBare).map(({ id }) => id?.toLowerCase()));
  if (bare.size === 0) return accounts;
  const known = new Map<string, AccountRecord>();
  for await (const record of service.accounts.list()) {
    if (bare.has(record.id.toLowerCase())) known.set(record.id.toLowerCase(), record);
  }
  return accounts.map((account) => {
    const record = isBare(account) ? known.get(account.id?.toLowerCase() ?? "") : undefined;
    return record ? { id: record.id, reference: record.reference, name: record.name } : account;
  });
}

function compare(kind: "account" | "customer", billed: Party[], declared: Declared[] | undefined) {
  if (declared === undefined) return { billedNotDeclared: [], declaredNotBilled: [] };
  const found = declared.map((entry) => find(entry, billed, declared));
  const accounted = new Set(found.flat());
  return {
    billedNotDeclared: billed.filter((party) => !accounted.has(party)).map((party) => ({ kind, ...party })),
    declaredNotBilled: declared
      .filter((_, index) => found[index]?.length === 0)
      .map((entry) => ({ kind, ...withoutGaps(entry) })),
  };
}

function find(entry: Declared, billed: Party[], declared: Declared[]): Party[] {
  const { id, reference, name } = entry;
  const byId = billed.filter(({ code, codeExt }) => [code, codeExt].some((text) => isSameId(text, id)));
  if (byId.length > 0) return byId;
  const byReference = billed.filter(({ code, codeExt }) => reference && (codeExt === reference || code === reference));
  if (byReference.length > 0 || !name) return byReference;
  const byName = billed.filter((party) => party.name === name);
  const isOnly = byName.length === 1 && declared.filter((other) => other.name === name).length === 1;
  return isOnly ? byName : [];
}

function isSameId(text: string, id: string | undefined): boolean {
  return id !== undefined && text.toLowerCase() === id.toLowerCase();
}

function unique(parties: Party[]): Party[] {
  return [...new Map(parties.map((party) => [JSON.stringify(party), party])).values()];
}

function withoutGaps(entry: Declared): Declared {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}
