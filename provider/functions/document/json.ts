import { parseExactJson } from "../../api/decimals";
import { broken } from "./broken";
import { type InvoiceHeader, invoiceHeader, type InvoiceItem, invoiceItem } from "./item";

/**
 * The JSON file of an invoice, item by item: a million items do not fit in memory at once. The text is split at the
 * commas of `invoiceItems`, and JSON.parse reads each item; what surrounds the list is short and read as a whole.
 */

const largestItemBytes = 1024 ** 2;
const largestHeaderBytes = 1024 ** 2;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const itemsKey = /(?<!\\)"invoiceItems"\s*:\s*$/;

/** Yields every item in order; returns the header, which is complete only when the file is. */
export async function* readJson(
  doing: string,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<InvoiceItem, InvoiceHeader> {
  const splitter = new Splitter(doing);
  let index = 0;
  for await (const chunk of chunks) {
    for (const text of splitter.split(chunk)) yield parseItem(doing, text, index++);
  }
  return parseHeader(doing, splitter.end());
}

/** Divides the bytes of the file into the texts of the items and, with `[]` in their place, the text around them. */
class Splitter {
  #around: Buffer[] = [];
  #aroundBytes = 0;
  #item: Buffer[] = [];
  #itemBytes = 0;
  #depth = 0;
  #inText = false;
  #escaped = false;
  #inItems = false;
  #found = false;
  #items = 0;

  constructor(private readonly doing: string) {}

  *split(chunk: Buffer): Generator<string> {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#inText = false;
      } else if (byte === quote) {
        this.#inText = true;
      } else if (byte === openBrace || byte === openBracket) {
        this.#depth++;
        if (this.#depth === 2 && byte === openBracket && !this.#inItems) {
          this.#keepAround(chunk.subarray(start, at));
          start = at;
          if (this.#beginsItems()) {
            this.#keepAround(chunk.subarray(at, at + 1));
            start = at + 1;
          }
        }
      } else if (byte === closeBrace || byte === closeBracket) {
        this.#depth--;
        if (this.#inItems && this.#depth === 1) {
          const last = this.#take(chunk.subarray(start, at));
          start = at;
          this.#inItems = false;
          if (this.#items > 0 || last.trim() !== "") yield last;
        }
      } else if (byte === comma && this.#inItems && this.#depth === 2) {
        this.#items++;
        yield this.#take(chunk.subarray(start, at));
        start = at + 1;
      }
    }
    if (this.#inItems) this.#keepItem(chunk.subarray(start));
    else this.#keepAround(chunk.subarray(start));
  }

  end(): string {
    if (!this.#found) throw broken(this.doing, "the JSON file has no list invoiceItems");
    return Buffer.concat(this.#around).toString("utf8");
  }

  #beginsItems(): boolean {
    if (!itemsKey.test(Buffer.concat(this.#around).toString("utf8"))) return false;
    if (this.#found) throw broken(this.doing, "the JSON file has invoiceItems twice");
    this.#found = this.#inItems = true;
    return true;
  }

  #keepAround(bytes: Buffer): void {
    this.#aroundBytes += bytes.length;
    if (this.#aroundBytes > largestHeaderBytes) {
      throw broken(this.doing, `the JSON file has more than ${largestHeaderBytes} bytes besides its items`);
    }
    // A copy: a part of a chunk would keep the whole chunk in memory.
    this.#around.push(Buffer.from(bytes));
  }

  #keepItem(bytes: Buffer): void {
    this.#itemBytes += bytes.length;
    if (this.#itemBytes > largestItemBytes) {
      throw broken(this.doing, `the JSON file has an item of more than ${largestItemBytes} bytes`);
    }
    this.#item.push(bytes);
  }

  #take(bytes: Buffer): string {
    this.#keepItem(bytes);
    const text = (this.#item.length === 1 ? bytes : Buffer.concat(this.#item)).toString("utf8");
    this.#item = [];
    this.#itemBytes = 0;
    return text;
  }
}

function parseItem(doing: string, text: string, index: number): InvoiceItem {
  const value = parseExactJson(text);
  if (value === undefined) throw broken(doing, `invoiceItems[${index}] of the JSON file is not JSON`);
  const result = invoiceItem.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const place = ["", ...(issue?.path ?? [])].join(".");
  throw broken(doing, `invoiceItems[${index}]${place} of the JSON file ${issue?.message ?? "is not valid"}`);
}

function parseHeader(doing: string, text: string): InvoiceHeader {
  const value = parseExactJson(text.replace(/^\uFEFF/, ""));
  if (value === undefined) throw broken(doing, "the JSON file is cut short or is not JSON");
  const result = invoiceHeader.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw broken(doing, `${issue?.path.join(".") ?? "the content"} of the JSON file ${issue?.message ?? "is not valid"}`);
}
