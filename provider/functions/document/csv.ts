import { CsvError, parse } from "csv-parse";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { readDecimal } from "../../api/decimals";
import { broken } from "./broken";

/** Resources and their fields › Invoice detail CSV file: its columns. */
const columns = [
  "id",
  "quantity",
  "value",
  "fromdate",
  "todate",
  "productname",
  "partnumber",
  "tenantcode",
  "tenantcodeext",
  "tenantname",
  "userid",
  "username",
  "resellercode",
  "resellercodeext",
  "resellername",
  "role",
] as const;

const largestRowBytes = 1024 ** 2;

/** What the CSV file says of one transaction that the JSON file says too. Amounts as they are written. */
export interface CsvRow {
  id: string;
  quantity: string;
  value: string;
}

/** Yields every row below the header, which must name all the documented columns; further ones are passed over. */
export async function* readCsv(doing: string, path: string): AsyncGenerator<CsvRow> {
  const file = createReadStream(path);
  const rows = parse({ bom: true, max_record_size: largestRowBytes, relax_column_count: true, skip_empty_lines: true });
  const reading = pipeline(file, rows);
  // Its failure is thrown by the loop below; without a listener it would also count as unhandled.
  reading.catch(() => undefined);
  try {
    let places: Map<string, number> | undefined;
    // As a spreadsheet counts: the header is row 1.
    let line = 1;
    for await (const row of rows as AsyncIterable<string[]>) {
      if (places === undefined) places = placesOf(doing, row);
      else if (row.length === places.size) yield readRow(doing, row, places, line);
      else throw broken(doing, `row ${line} of the CSV file has ${row.length} fields, its header ${places.size}`);
      line++;
    }
    if (places === undefined) throw broken(doing, "the CSV file is empty");
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw broken(doing, `the CSV file cannot be read (${cause.message.slice(0, 200)})`, { cause });
  } finally {
    file.destroy();
  }
}

function placesOf(doing: string, header: string[]): Map<string, number> {
  const places = new Map(header.map((name, place) => [name.trim().toLowerCase(), place]));
  const missing = columns.filter((name) => !places.has(name));
  if (missing.length > 0) throw broken(doing, `the CSV file has no column ${missing.join(", ")}`);
  if (places.size < header.length) throw broken(doing, "the CSV file has a column twice");
  return places;
}

function readRow(doing: string, row: string[], places: Map<string, number>, line: number): CsvRow {
  const cell = (name: (typeof columns)[number]) => row[places.get(name) ?? -1] ?? "";
  const read = { id: cell("id"), quantity: cell("quantity").trim(), value: cell("value").trim() };
  if (read.id === "") throw broken(doing, `row ${line} of the CSV file has no id`);
  for (const name of ["quantity", "value"] as const) {
    if (readDecimal(read[name]) === undefined) {
      const shown = JSON.stringify(read[name].slice(0, 40));
      throw broken(doing, `${name} in row ${line} of the CSV file is ${shown}, not a number`);
    }
  }
  return read;
}
