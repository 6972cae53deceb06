import Big from "big.js";
import { moneyText } from "../../api/decimals";
import { type InvoiceItem, isTransaction, partyOf, type Party } from "./item";

/** Sum of the transactions of one product. */
export interface ProductTotal {
  /** As the invoice names it, part number included. */
  productTagName: string;
  /** Without the part number. */
  product: string;
  /** Starts with `#`. */
  partNumber?: string;
  quantity: string;
  value: string;
}

/** Sum of the transactions of one tenant: a customer of the reseller named beside it. */
export interface TenantTotal {
  tenant: Party;
  reseller: Party;
  transactions: number;
  quantity: string;
  value: string;
  /** The largest `customer_licence_count` of its transactions: each of them repeats that of its customer. */
  licences: number;
}

/** Sum of all items, summary items included, that were calculated in one way: PRICE, SUM, ADJUSTPERCENTAGE. */
export interface OperatorTotal {
  operator: string;
  items: number;
  value: string;
}

export interface Totals {
  /** How many per-user transactions there are: the rows of the CSV file. */
  transactions: number;
  /** Sum of their values. */
  transactionValue: string;
  /** Sum of the licences of all tenants. */
  licences: number;
  totalsByProduct: ProductTotal[];
  totalsByTenant: TenantTotal[];
  totalsByOperator: OperatorTotal[];
}

interface Sum {
  items: number;
  quantity: Big;
  value: Big;
}

/** Adds up items one at a time, exactly. What it keeps grows with products and tenants, not with items. */
export class TotalsBuilder {
  readonly #all = none();
  readonly #products = new Map<string, Sum>();
  readonly #tenants = new Map<string, Sum & { tenant: Party; reseller: Party; licences: number }>();
  readonly #operators = new Map<string, Sum>();

  add(item: InvoiceItem): void {
    const amounts = { quantity: new Big(item.quantity), value: new Big(item.value) };
    addTo(entry(this.#operators, item.operatorUsed, none), amounts);
    if (!isTransaction(item)) return;
    addTo(this.#all, amounts);
    addTo(entry(this.#products, item.productTagName, none), amounts);
    const [tenant, reseller] = [partyOf(item, "Tenant"), partyOf(item, "Reseller")];
    const key = JSON.stringify([tenant, reseller]);
    const ofTenant = entry(this.#tenants, key, () => ({ ...none(), tenant, reseller, licences: 0 }));
    addTo(ofTenant, amounts);
    const licences = item.numericValues.find(({ name }) => name === "customer_licence_count")?.value;
    ofTenant.licences = Math.max(ofTenant.licences, Number(licences ?? 0));
  }

  totals(): Totals {
    const tenants = [...this.#tenants.values()];
    return {
      transactions: this.#all.items,
      transactionValue: moneyText(this.#all.value),
      licences: tenants.reduce((sum, { licences }) => sum + licences, 0),
      totalsByProduct: [...this.#products].map(([productTagName, { quantity, value }]) => ({
        productTagName,
        ...splitProduct(productTagName),
        quantity: quantity.toFixed(),
        value: moneyText(value),
      })),
      totalsByTenant: tenants.map(({ tenant, reseller, items, quantity, value, licences }) => ({
        tenant,
        reseller,
        transactions: items,
        quantity: quantity.toFixed(),
        value: moneyText(value),
        licences,
      })),
      totalsByOperator: [...this.#operators].map(([operator, { items, value }]) => ({
        operator,
        items,
        value: moneyText(value),
      })),
    };
  }
}

function none(): Sum {
  return { items: 0, quantity: new Big(0), value: new Big(0) };
}

function addTo(sum: Sum, { quantity, value }: { quantity: Big; value: Big }): void {
  sum.items++;
  sum.quantity = sum.quantity.plus(quantity);
  sum.value = sum.value.plus(value);
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function splitProduct(productTagName: string): { product: string; partNumber?: string } {
  const match = /^(.*\S)\s+(#\S.*)$/.exec(productTagName);
  return match ? { product: match[1] ?? "", partNumber: match[2] ?? "" } : { product: productTagName };
}
