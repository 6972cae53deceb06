import { fromBuffer, type Entry } from "yauzl";
import { startSimulator, type Simulator } from "../../simulator";
import { ask, billing, dataOf, rowsOf } from "./client";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ seedInvoices: 5 });
});
afterAll(() => simulator.close());

const offsetDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;
const sevenDigits = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}$/;

interface Item {
  value: number;
  quantity: number;
  calculationOrder: number;
  operatorUsed: string;
  billingOutputTags: string[];
  stringValues: { name: string; value: string }[];
  numericValues?: { name: string; value: number }[];
  fromDate: string;
}

async function download(path: string): Promise<{ type: string | null; bytes: Buffer }> {
  const headers = { authorization: `Bearer ${simulator.accessToken}` };
  const response = await fetch(simulator.baseUrl + path, { headers });
  return { type: response.headers.get("content-type"), bytes: Buffer.from(await response.arrayBuffer()) };
}

function unzip(bytes: Buffer): Promise<Map<string, string>> {
  return new Promise((resolve, reject) => {
    const files = new Map<string, string>();
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) {
        reject(error);
        return;
      }
      zip.on("entry", (entry: Entry) => {
        zip.openReadStream(entry, (failure, stream) => {
          if (failure) {
            reject(failure);
            return;
          }
          const chunks: Buffer[] = [];
          stream.on("data", (chunk: Buffer) => chunks.push(chunk));
          stream.on("end", () => {
            files.set(entry.fileName, Buffer.concat(chunks).toString("utf8"));
            zip.readEntry();
          });
        });
      });
      zip.on("end", () => {
        resolve(files);
      });
      zip.readEntry();
    });
  });
}

function parseCsv(text: string): string[][] {
  return text
    .trimEnd()
    .split("\r\n")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        (cell) => cell[1]?.replaceAll('""', '"') ?? cell[2] ?? "",
      ),
    );
}

const cents = (value: number | string): number => Math.round(Number(value) * 100);
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

describe("the invoice list", () => {
  it("is a page envelope without page_index, with the documented fields", async () => {
    const answer = await ask(simulator, "GET", billing);
    expect(Object.keys(answer.json())).toEqual(["page_size", "data", "status", "timestamp"]);
    expect(answer.json()["page_size"]).toBe(1000);
    expect(rowsOf(answer)).toHaveLength(5);
    expect(rowsOf(answer)[0]).toEqual({
      tenantId: simulator.enterpriseTenantId,
      invoiceid: expect.any(String) as unknown,
      invoiceNumber: "INV-000001",
      customerName: "Example Enterprise",
      billingPeriodStart: expect.stringMatching(offsetDate) as unknown,
      billingPeriodEnd: expect.stringMatching(offsetDate) as unknown,
      invoiceValue: expect.any(Number) as unknown,
    });
  });

  it("honours pageIndex and pageSize, or returns everything with billingPaging all", async () => {
    const page = `${billing}?pageIndex=1&pageSize=3`;
    expect(rowsOf(await ask(simulator, "GET", page)).map((row) => row["invoiceNumber"])).toEqual([
      "INV-000004",
      "INV-000005",
    ]);
    await using all = await startSimulator({ seedInvoices: 5, billingPaging: "all" });
    expect(rowsOf(await ask(all, "GET", page))).toHaveLength(5);
  });

  it("is the same for the same seed and another for another", async () => {
    const list = async (seed: number): Promise<unknown[]> => {
      await using other = await startSimulator({ seedInvoices: 5, seed });
      return rowsOf(await ask(other, "GET", billing));
    };
    const rows = rowsOf(await ask(simulator, "GET", billing));
    expect(await list(1)).toEqual(rows);
    expect(await list(2)).not.toEqual(rows);
  });
});

describe("one invoice", () => {
  it("is a single-record envelope of the list's record", async () => {
    const [row] = rowsOf(await ask(simulator, "GET", billing));
    expect(dataOf(await ask(simulator, "GET", `${billing}/${String(row?.["invoiceid"])}`))).toEqual(row);
  });

  it.each(["", "/detail", "/summary"])("is a 404 envelope when unknown: %s", async (part) => {
    const answer = await ask(simulator, "GET", `${billing}/unknown${part}`);
    expect(answer.json()).toMatchObject({ error: 404, message: "Not Found", status: "error" });
  });
});

describe("the invoice detail", () => {
  it("is a ZIP with one JSON and one CSV file that agree to the cent, for every invoice", async () => {
    for (const row of rowsOf(await ask(simulator, "GET", billing))) {
      const { type, bytes } = await download(`${billing}/${String(row["invoiceid"])}/detail`);
      expect(type).toBe("application/octet-stream");
      const files = await unzip(bytes);
      const number = String(row["invoiceNumber"]);
      expect([...files.keys()]).toEqual([`${number}.json`, `${number}.csv`]);
      const detail = JSON.parse(files.get(`${number}.json`) ?? "") as { invoiceItems: Item[]; invoiceValue: number };
      const items = detail.invoiceItems;
      const [header, ...rows] = parseCsv(files.get(`${number}.csv`) ?? "");
      const users = items.filter((item) => item.numericValues);
      const tagged = (tag: string): Item[] => items.filter((item) => item.billingOutputTags.includes(tag));
      const centsOf = (tag: string): number => sum(tagged(tag).map((item) => cents(item.value)));

      expect(header).toEqual(
        "id,quantity,value,fromdate,todate,productname,partnumber,tenantcode,tenantcodeext,tenantname,userid,username,resellercode,resellercodeext,resellername,role".split(
          ",",
        ),
      );
      expect(rows.map((cells) => [cells.length, cents(cells[2] ?? "")])).toEqual(
        users.map((item) => [16, cents(item.value)]),
      );
      expect(rows.map((cells) => cells[11])).toEqual(
        users.map((item) => item.stringValues.find(({ name }) => name === "UserName")?.value),
      );
      const total = sum(rows.map((cells) => cents(cells[2] ?? "")));
      expect(cents(detail.invoiceValue)).toBe(total);
      expect(row["invoiceValue"]).toBe(detail.invoiceValue);
      expect([centsOf("PurchaseResult"), centsOf("Summary"), centsOf("Total")]).toEqual([total, total, total]);
      expect(centsOf("TotalInclVAT")).toBe(total + centsOf("TotalVAT"));
      expect(centsOf("GL_Entry:1100;debit;Receivables")).toBe(
        centsOf("GL_Entry:4000;credit;Sales") + centsOf("GL_Entry:2200;credit;VAT payable"),
      );
      expect(items.map((item) => item.calculationOrder)).toEqual(items.map((_, index) => index + 1));
      expect(items.filter((item) => !item.numericValues).every((item) => item.stringValues.length === 0)).toBe(true);
    }
  });

  it("has seven fractional digits and no offset in its own dates, and an offset in those of the items", async () => {
    const [row] = rowsOf(await ask(simulator, "GET", billing));
    const files = await unzip((await download(`${billing}/${String(row?.["invoiceid"])}/detail`)).bytes);
    const detail = JSON.parse(files.get("INV-000001.json") ?? "") as Record<string, unknown> & { invoiceItems: Item[] };
    expect(detail).toMatchObject({ invoiceId: row?.["invoiceid"], accountName: "Example Enterprise", invoiceType: 0 });
    for (const name of ["billingPeriodStart", "billingPeriodEnd", "invoiceDate"])
      expect(detail[name]).toMatch(sevenDigits);
    const [first] = detail.invoiceItems;
    expect(first?.fromDate).toMatch(offsetDate);
    expect(first?.operatorUsed).toBe("PRICE");
    expect(first?.stringValues.map(({ name }) => name)).toEqual(
      "Role ResellerCode ResellerCodeExt ResellerName TenantCode TenantCodeExt TenantName UserId UserName".split(" "),
    );
    expect(first?.numericValues?.map(({ name }) => name)).toEqual(["customer_licence_count"]);
  });
});

describe("the invoice summary", () => {
  it("is a whole PDF", async () => {
    const [row] = rowsOf(await ask(simulator, "GET", billing));
    const { type, bytes } = await download(`${billing}/${String(row?.["invoiceid"])}/summary`);
    expect(type).toBe("application/octet-stream");
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    expect(bytes.toString("latin1").trimEnd().endsWith("%%EOF")).toBe(true);
  });
});
