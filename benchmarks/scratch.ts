/**
 * What reading the detail of an invoice costs, with `path`: node -r ts-node/register/transpile-only
 * benchmarks/invoice-memory.ts [transactions], 1,000,000 by default.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measure } from "../tests/provider/functions/large-scratch";

async function main(): Promise<void> {
  const rows = Number(process.argv[2] ?? 1_000_000);
  const work = mkdtempSync(join(tmpdir(), "invoice-memory-"));
  try {
    const { seconds, before, rss, heap, archiveBytes, transactions } = await measure(rows, work);
    const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`;
    process.stdout.write(
      `${transactions.toLocaleString("en")} transactions, archive ${megabytes(archiveBytes)}: ${seconds.toFixed(1)} s, ` +
        `memory ${megabytes(rss)} at most (${megabytes(before)} before), heap ${megabytes(heap)}\n`,
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

void main();
