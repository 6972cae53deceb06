import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measure } from "./large-invoice";

it("an invoice of 200,000 transactions is checked and written in memory that does not grow with it", async () => {
  const work = mkdtempSync(join(tmpdir(), "memory-test-"));
  try {
    const { transactions, transactionValue, rss, heap, files } = await measure(200_000, work);
    expect({ transactions, transactionValue }).toEqual({ transactions: 200_000, transactionValue: "820000.00" });
    expect(readdirSync(join(work, "out")).sort()).toEqual(["INV-1.csv", "INV-1.json"]);
    expect(statSync(files?.json ?? "").size).toBeGreaterThan(200_000_000);
    // The limit for 1,000,000: what is read has little part in it.
    expect(rss).toBeLessThan(250 * 1024 ** 2);
    expect(heap).toBeLessThan(100 * 1024 ** 2);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}, 60_000);
