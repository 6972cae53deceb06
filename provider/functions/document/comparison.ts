import { readDecimal } from "../../api/decimals";
import { InvalidDocumentError } from "../../errors";
import type { CsvRow } from "./csv";

const shownDifferences = 5;

/**
 * Holds the transactions of the JSON file against the rows of the CSV file while both are read. Whatever their order,
 * each id must be in both, as often in one as in the other, with the same quantity and value. In the same order it
 * keeps nothing; otherwise what has no partner yet.
 */
export class Comparison {
  readonly #json = new Waiting();
  readonly #csv = new Waiting();
  readonly #differences: string[] = [];
  #count = 0;

  transaction(item: CsvRow): void {
    const partner = this.#csv.take(item.id);
    if (partner === undefined) this.#json.put(item.id, `${item.quantity} ${item.value}`);
    else this.#compare(item.id, item.quantity, item.value, partner);
  }

  row(row: CsvRow): void {
    const partner = this.#json.take(row.id);
    if (partner === undefined) {
      this.#csv.put(row.id, `${row.quantity} ${row.value}`);
      return;
    }
    const [quantity = "", value = ""] = partner.split(" ");
    this.#compare(row.id, quantity, value, `${row.quantity} ${row.value}`);
  }

  /** @throws InvalidDocumentError that lists the first differences. */
  finish(doing: string): void {
    for (const id of this.#json.ids()) this.#note(`${id} is in the JSON file only`);
    for (const id of this.#csv.ids()) this.#note(`${id} is in the CSV file only`);
    if (this.#count === 0) return;
    const first = this.#differences.join("; ");
    throw new InvalidDocumentError(
      {
        doing,
        said: `the JSON and the CSV file of the archive disagree in ${this.#count} places: ${first}${this.#count > this.#differences.length ? "; …" : "."}`,
        next: "Nothing was kept. Ask the service's support which of them is right.",
      },
      this.#differences,
    );
  }

  #compare(id: string, quantity: string, value: string, csv: string): void {
    const [csvQuantity = "", csvValue = ""] = csv.split(" ");
    if (!isSame(quantity, csvQuantity)) this.#note(`quantity of ${id}: ${quantity} in JSON, ${csvQuantity} in CSV`);
    if (!isSame(value, csvValue)) this.#note(`value of ${id}: ${value} in JSON, ${csvValue} in CSV`);
  }

  #note(difference: string): void {
    this.#count++;
    if (this.#differences.length < shownDifferences) this.#differences.push(difference.slice(0, 160));
  }
}

function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  const exact = readDecimal(other);
  return exact !== undefined && readDecimal(one)?.eq(exact) === true;
}

/** Amounts by id; an id may come several times. One text for each, because there may be a million. */
class Waiting {
  readonly #amounts = new Map<string, string>();

  put(id: string, amounts: string): void {
    const earlier = this.#amounts.get(id);
    this.#amounts.set(id, earlier === undefined ? amounts : `${earlier}\n${amounts}`);
  }

  take(id: string): string | undefined {
    const waiting = this.#amounts.get(id);
    if (waiting === undefined) return undefined;
    const [first, ...rest] = waiting.split("\n");
    if (rest.length === 0) this.#amounts.delete(id);
    else this.#amounts.set(id, rest.join("\n"));
    return first;
  }

  *ids(): Generator<string> {
    for (const [id, amounts] of this.#amounts) {
      // As often as it waits.
      yield* amounts.split("\n").map(() => id);
    }
  }
}
