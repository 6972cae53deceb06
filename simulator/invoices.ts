import { Random } from "./random";

/** One user's licence on an invoice: one per-user transaction. Money is in whole cents. */
export interface Transaction {
  id: string;
  quantity: number;
  unitCents: number;
  valueCents: number;
  product: Product;
  customerLicences: number;
  reseller: Party;
  tenant: Party;
  userId: string;
  userName: string;
  role: string;
}

export interface Product {
  name: string;
  /** Starts with #; some products have none. */
  partNumber: string | undefined;
  cents: number;
}

export interface Party {
  code: string;
  codeExt: string;
  name: string;
}

/** A whole invoice, from which the record, the archive and the PDF are made. Money is in whole cents. */
export interface Invoice {
  id: string;
  number: string;
  tenantId: string;
  customerName: string;
  /** First moment of the period, milliseconds since the epoch, UTC. */
  start: number;
  /** Last moment. */
  end: number;
  date: number;
  transactions: Transaction[];
  /** Sum of the transactions: the value of the invoice. */
  totalCents: number;
  vatCents: number;
}

export const vatPercent = 20;
const firstPeriod = { year: 2024, month: 0 };

const products: readonly [Product, ...Product[]] = [
  { name: "Call Reporting", partNumber: "#CR-100", cents: 410 },
  { name: "Call Reporting Plus", partNumber: "#CR-200", cents: 1_033 },
  { name: "Contact Centre Agent", partNumber: "#CC-310", cents: 2_995 },
  { name: "Wallboard", partNumber: undefined, cents: 799 },
];
const roles = ["Agent", "Supervisor", "User"] as const;
const givenNames = ["Ana", "Bo", "Chidi", "Dara", "Ewa", "Farid", "Grete", "Hiro"] as const;
const familyNames = ["O'Brien", "Núñez", "Smith, Jr.", 'Okafor "Oz"', "Lindqvist", "Sato", "Weiß", "Dupont"] as const;

/** The invoice of this index (from 0, a month each); the same seed gives the same invoice. */
export function buildInvoice(seed: number, index: number, tenantId: string): Invoice {
  const random = new Random(Math.imul(seed, 1_000_003) + index + 1);
  const month = firstPeriod.month + index;
  const start = Date.UTC(firstPeriod.year, month, 1);
  const next = Date.UTC(firstPeriod.year, month + 1, 1);
  const id = random.uuid();
  const transactions = buildTransactions(random);
  const totalCents = transactions.reduce((sum, transaction) => sum + transaction.valueCents, 0);
  return {
    id,
    number: `INV-${String(index + 1).padStart(6, "0")}`,
    tenantId,
    customerName: "Example Enterprise",
    start,
    end: next - 1000,
    date: next,
    transactions,
    totalCents,
    vatCents: Math.round((totalCents * vatPercent) / 100),
  };
}

function buildTransactions(random: Random): Transaction[] {
  const transactions: Transaction[] = [];
  const resellers = random.between(1, 3);
  for (let resellerNumber = 1; resellerNumber <= resellers; resellerNumber++) {
    const reseller = party("R", resellerNumber, "Reseller");
    const tenants = random.between(1, 3);
    for (let tenantNumber = 1; tenantNumber <= tenants; tenantNumber++) {
      const tenant = party("T", resellerNumber * 100 + tenantNumber, "Customer");
      const users = random.between(2, 8);
      for (let user = 0; user < users; user++) transactions.push(transaction(random, reseller, tenant, users));
    }
  }
  return transactions;
}

function transaction(random: Random, reseller: Party, tenant: Party, users: number): Transaction {
  const product = random.pick(products);
  const quantity = random.between(1, 2);
  return {
    id: random.uuid(),
    quantity,
    unitCents: product.cents,
    valueCents: product.cents * quantity,
    product,
    customerLicences: users,
    reseller,
    tenant,
    userId: random.uuid(),
    userName: `${random.pick(givenNames)} ${random.pick(familyNames)}`,
    role: random.pick(roles),
  };
}

function party(letter: string, number: number, kind: string): Party {
  const digits = String(number).padStart(4, "0");
  return { code: `${letter}${digits}`, codeExt: `EXT-${letter}${digits}`, name: `${kind} ${digits}` };
}

/** Cents as the number that JSON carries. */
export function amount(cents: number): number {
  return cents / 100;
}

/** Cents as text with two decimals. */
export function amountText(cents: number): string {
  return amount(cents).toFixed(2);
}

/** `2024-01-01T00:00:00+00:00`, the format of the invoice record and the items. */
export function offsetDate(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}+00:00`;
}

/** `2024-01-01T00:00:00.0000000`, the format of the detail file's own dates. */
export function sevenDigitDate(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 23)}0000`;
}
