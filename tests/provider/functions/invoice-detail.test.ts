import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileError, InvalidArgumentError, InvalidDocumentError, NotFoundError } from "../../../provider/errors";
import { getInvoiceDetail } from "../../../provider/functions/invoice-detail";
import { archiveOf, csv, detail, good, header, invoiceId, parties, row, summaryItem, transaction } from "./documents";
import { answering, contents, firstInvoice, folders, octets, refusal, sent, startData } from "./world";

async function detailOf(files: { json?: string; csv?: string }) {
  const { temporary } = folders();
  const { service } = await answering(octets(await archiveOf(files)));
  return { reading: getInvoiceDetail(service, { invoiceId }), temporary };
}

const cents = (text: string): bigint => BigInt(text.replace(".", ""));

describe("every invoice of the simulator", () => {
  it("is read in one request, with totals that add up to the cent", async () => {
    const world = await startData({ seedInvoices: 5 });
    for await (const invoice of world.billing.list()) {
      world.simulator.clearRequests();
      const { invoiceId: id, invoiceValue } = invoice;
      const read = await getInvoiceDetail(world, { invoiceId: id });
      expect(sent(world)).toEqual([{ method: "GET", path: `/api/v1.0/billingdata/${id}/detail`, query: {} }]);
      const [request] = world.simulator.requests();
      expect(request?.headers).toMatchObject({
        accept: "application/octet-stream",
        authorization: "Bearer <redacted>",
      });
      expect(request?.headers).not.toHaveProperty("accept-charges");
      expect(read).toMatchObject({ invoiceId: id, invoiceValue, accountName: "Example Enterprise", invoiceType: 0 });
      expect(read.transactionValue).toBe(invoiceValue);
      for (const totals of [read.totalsByProduct, read.totalsByTenant]) {
        expect(totals.reduce((sum, { value }) => sum + cents(value), 0n)).toBe(cents(invoiceValue));
      }
      const prices = read.totalsByOperator.find(({ operator }) => operator === "PRICE");
      expect(prices).toEqual({ operator: "PRICE", items: read.transactions, value: invoiceValue });
      expect(read.items?.filter((item) => item.stringValues.length > 0)).toHaveLength(read.transactions);
      // The simulator counts a customer's users on each of their items.
      expect(read.totalsByTenant.map(({ licences }) => licences)).toEqual(
        read.totalsByTenant.map(({ transactions }) => transactions),
      );
      expect(read.licences).toBe(read.transactions);
      expect(contents(world.temporary)).toEqual([]);
    }
  });

  it("is put into a folder as the archive has it, without items", async () => {
    const world = await startData({ seedInvoices: 1 });
    const invoice = { invoiceId: await firstInvoice(world) };
    const path = join(world.folder, "made", "for it");
    const inMemory = await getInvoiceDetail(world, invoice);
    const read = await getInvoiceDetail(world, { invoiceId: invoice.invoiceId, path });
    expect(read.files).toEqual({ json: join(path, "INV-000001.json"), csv: join(path, "INV-000001.csv") });
    expect(contents(path).sort()).toEqual(["INV-000001.csv", "INV-000001.json"]);
    expect(read).not.toHaveProperty("items");
    expect({ ...read, files: undefined }).toEqual({ ...inMemory, items: undefined, files: undefined });
    const items = JSON.parse(readFileSync(read.files?.json ?? "", "utf8")) as { invoiceItems: unknown[] };
    expect(items.invoiceItems).toHaveLength(inMemory.items?.length ?? 0);
    expect(contents(world.temporary)).toEqual([]);
  });
});

describe("amounts", () => {
  it("are exact where binary numbers are not", async () => {
    const amounts = ["0.1", "0.2", "9007199254740993", "0.005", "-3.30"];
    const items = amounts.map((value, index) => {
      const text = JSON.stringify(transaction(`id-${index}`, { value: 0, stringValues: parties() }));
      return text.replace('"value":0,', `"value":${value},`);
    });
    const json = JSON.stringify(detail([], { invoiceValue: 0 }))
      .replace('"invoiceItems":[]', `"invoiceItems":[${items.join(",")}]`)
      .replace('"invoiceValue":0', '"invoiceValue":1234567890123456.78');
    const rows = csv(...amounts.map((value, index) => row(`id-${index}`, "1.0", value)));
    const read = await (await detailOf({ json, csv: rows })).reading;
    expect(read.invoiceValue).toBe("1234567890123456.78");
    expect(read.items?.map(({ value }) => value)).toEqual(["0.10", "0.20", "9007199254740993.00", "0.005", "-3.30"]);
    expect(read.transactionValue).toBe("9007199254740990.005");
    expect(read.totalsByProduct).toEqual([
      {
        productTagName: "Call Reporting #CR-100",
        product: "Call Reporting",
        partNumber: "#CR-100",
        quantity: "5",
        value: "9007199254740990.005",
      },
    ]);
  });

  it("are counted by tenant and its reseller, licences once for each tenant", async () => {
    const other = { stringValues: parties({ TenantCode: "T2", TenantName: "Customer 2" }) };
    const items = [transaction("a"), transaction("b", other), transaction("c"), summaryItem("s", { value: 12.3 })];
    const read = await (
      await detailOf({ json: JSON.stringify(detail(items)), csv: csv(row("a"), row("b"), row("c")) })
    ).reading;
    const tenant = { code: "T1", codeExt: "CRM-T1", name: "Customer 1" };
    const reseller = { code: "R1", codeExt: "CRM-R1", name: "Acme" };
    expect(read).toMatchObject({ transactions: 3, transactionValue: "12.30", licences: 6 });
    expect(read.totalsByTenant).toEqual([
      { tenant, reseller, transactions: 2, quantity: "2", value: "8.20", licences: 3 },
      {
        tenant: { ...tenant, code: "T2", name: "Customer 2" },
        reseller,
        transactions: 1,
        quantity: "1",
        value: "4.10",
        licences: 3,
      },
    ]);
    expect(read.totalsByOperator).toEqual([
      { operator: "PRICE", items: 3, value: "12.30" },
      { operator: "SUM", items: 1, value: "12.30" },
    ]);
  });
});

describe("the two files", () => {
  it("may have their transactions in different orders, and an id more than once", async () => {
    const items = ["a", "b", "a", "c"].map((id, index) => transaction(id, { value: index + 1 }));
    const rows = csv(row("c", "1", "4"), row("a", "1", "1.00"), row("b", "1", "2"), row("a", "1", "3.0"));
    const read = await (await detailOf({ json: JSON.stringify(detail(items)), csv: rows })).reading;
    expect(read.transactions).toBe(4);
  });

  it.each<[string, { json?: string; csv?: string }, string[]]>([
    ["another value", { csv: csv(row("a"), row("b", "1", "4.11")) }, ["value of b: 4.10 in JSON, 4.11 in CSV"]],
    ["another quantity", { csv: csv(row("a", "2"), row("b")) }, ["quantity of a: 1 in JSON, 2 in CSV"]],
    ["a row less", { csv: csv(row("a")) }, ["b is in the JSON file only"]],
    ["a row more", { csv: csv(row("a"), row("b"), row("c")) }, ["c is in the CSV file only"]],
    ["a row twice", { csv: csv(row("a"), row("b"), row("b")) }, ["b is in the CSV file only"]],
    ["no rows", { csv: csv() }, ["a is in the JSON file only", "b is in the JSON file only"]],
    ["another id", { csv: csv(row("a"), row("x")) }, ["b is in the JSON file only", "x is in the CSV file only"]],
    ["a summary item in it", { csv: csv(row("a"), row("b"), row("s", "1", "8.20")) }, ["s is in the CSV file only"]],
  ])("that disagree are refused: the CSV has %s", async (_name, files, differences) => {
    const { reading, temporary } = await detailOf(files);
    const error = await refusal(reading);
    expect(error).toBeInstanceOf(InvalidDocumentError);
    expect(error).toMatchObject({ differences });
    for (const difference of differences) expect(error.message).toContain(difference);
    expect(error.message).toContain(`disagree in ${differences.length} places`);
    expect(contents(temporary)).toEqual([]);
  });

  it("that disagree everywhere are told by the first five differences", async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `id-${index}`);
    const { reading } = await detailOf({
      json: JSON.stringify(detail(ids.map((id) => transaction(id)))),
      csv: csv(...ids.map((id) => row(id, "1", "9"))),
    });
    const error = await refusal(reading);
    expect(error).toHaveProperty("differences.length", 5);
    expect(error.message).toContain("disagree in 50 places");
  });
});

describe("a broken file", () => {
  const incompressible = randomBytes(600_000).toString("hex");
  const item = (changes: Record<string, unknown>) => JSON.stringify(detail([transaction("a", changes)]));
  it.each<[string, { json?: string; csv?: string }, RegExp]>([
    ["JSON that is text", { json: "no invoice" }, /has no list invoiceItems/],
    ["JSON that is empty", { json: "" }, /has no list invoiceItems/],
    ["JSON cut short", { json: good.json.slice(0, -20) }, /cut short or is not JSON/],
    ["JSON cut within an item", { json: good.json.slice(0, 500) }, /is cut short/],
    ["JSON with more after its end", { json: `${good.json} {}` }, /is not JSON/],
    [
      "JSON with a comma too many",
      { json: good.json.replace(/\}\s*\],\s*"invoiceType"/, '},],"invoiceType"') },
      /\[3\]/,
    ],
    ["items twice", { json: `${good.json.slice(0, -1)},"invoiceItems":[]}` }, /invoiceItems twice/],
    ["no items", { json: JSON.stringify({ ...detail([]), invoiceItems: undefined }) }, /no list invoiceItems/],
    ["items that are an object", { json: JSON.stringify({ ...detail([]), invoiceItems: {} }) }, /no list invoiceItems/],
    ["an item that is no object", { json: JSON.stringify(detail([5])) }, /invoiceItems\[0\] of the JSON file/],
    ["an item without id", { json: item({ id: undefined }) }, /invoiceItems\[0\].id of the JSON file must be text/],
    ["a value in text", { json: item({ value: "4.10" }) }, /invoiceItems\[0\].value of the JSON file must be a number/],
    ["a quantity of null", { json: item({ quantity: null }) }, /invoiceItems\[0\].quantity .* must be a number/],
    ["a value past all sense", { json: item({}).replace('"value":4.1,', '"value":1e999999999,') }, /beyond any amount/],
    ["string values in an object", { json: item({ stringValues: {} }) }, /invoiceItems\[0\].stringValues .* a list/],
    ["another invoice", { json: JSON.stringify(detail([], { invoiceId: "inv-2" })) }, /another invoice, "inv-2"/],
    ["no invoice value", { json: JSON.stringify(detail([], { invoiceValue: undefined })) }, /invoiceValue of the JSON/],
    ["a header beyond measure", { json: JSON.stringify(detail([], { x: incompressible })) }, /besides its items/],
    ["an item beyond measure", { json: item({ x: incompressible }) }, /an item of more than/],
    ["a CSV file that is empty", { csv: "" }, /the CSV file is empty/],
    ["a CSV file without value", { csv: good.csv.replace("value", "amount") }, /has no column value/],
    ["a CSV file without half", { csv: good.csv.replace(/,productname.*/, "") }, /no column productname, partnumber, /],
    ["a column twice", { csv: good.csv.replace("role", "role,role") }, /a column twice/],
    ["a row too short", { csv: csv(row("a"), "b,1,4.10") }, /row 3 of the CSV file has 3 fields, its header 16/],
    ["a quote that does not end", { csv: csv(row("a"), `"${row("b")}`) }, /CSV file cannot be read \(/],
    [
      "a value with a comma",
      { csv: csv(row("a"), row("b", "1", '"4,10"')) },
      /value in row 3 .* is "4,10", not a number/,
    ],
    ["a row without id", { csv: csv(row("a"), row("")) }, /row 3 of the CSV file has no id/],
  ])("is refused: %s", async (_name, files, said) => {
    const { reading, temporary } = await detailOf(files);
    const error = await refusal(reading);
    expect(error).toBeInstanceOf(InvalidDocumentError);
    expect(error.message).toMatch(said);
    expect(contents(temporary)).toEqual([]);
  });

  it.each([
    ["a byte order mark in both", { json: `\uFEFF${good.json}`, csv: `\uFEFF${good.csv}` }],
    ["further columns and another order", { csv: `x,${header}\n1,${row("b")}\n2,${row("a")}\n` }],
    ["columns in capitals", { csv: good.csv.replace(header, header.toUpperCase()) }],
    ["brackets, commas and quotes in its texts", { json: good.json.replaceAll("Customer 1", '],[{\\"}, \\\\') }],
    ["a list before the items", { json: `{"tags":[["invoiceItems"],[1]],${good.json.slice(1)}` }],
    ["a key that ends like the list's", { json: `{"my\\"invoiceItems":[1],${good.json.slice(1)}` }],
    ["fields that would pollute", { json: `{"__proto__":{"polluted":1},"constructor":2,${good.json.slice(1)}` }],
  ])("is none: %s", async (_name, files) => {
    const read = await (await detailOf(files)).reading;
    expect(read.transactions).toBe(2);
    expect(read.items).toHaveLength(3);
    expect({}).not.toHaveProperty("polluted");
    expect(read).not.toHaveProperty("polluted");
  });

  it("may be split anywhere by the network and the disk", async () => {
    const long = detail([transaction("a", { productTagName: "é€😀".repeat(40_000) }), transaction("b")]);
    const read = await (await detailOf({ json: JSON.stringify(long) })).reading;
    expect(read.items?.[0]?.productTagName).toBe("é€😀".repeat(40_000));
  });
});

describe("around the archive", () => {
  it.each<[unknown, string]>([
    [undefined, "args"],
    [{}, "invoiceId"],
    [{ invoiceId: 7 }, "invoiceId"],
    [{ invoiceId: "a/b" }, "invoiceId"],
    [{ invoiceId: ".." }, "invoiceId"],
    [{ invoiceId: "a?x#y" }, "invoiceId"],
    [{ invoiceId: "i", path: 1 }, "path"],
    [{ invoiceId: "i", path: " " }, "path"],
    [{ invoiceID: "i" }, "invoiceID"],
  ])("arguments %j are refused before anything is sent", async (args, property) => {
    const world = await startData();
    const error = await refusal(getInvoiceDetail(world, args));
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error).toMatchObject({ property });
    expect(sent(world)).toEqual([]);
  });

  it("an unknown argument is answered with the nearest name", async () => {
    const world = await startData();
    const error = await refusal(getInvoiceDetail(world, { invoiceID: "i" }));
    expect(error.message).toContain("did you mean invoiceId?");
  });

  it("an invoice that does not exist is a NotFoundError, and the folder stays empty", async () => {
    const world = await startData();
    const error = await refusal(getInvoiceDetail(world, { invoiceId: "nothing", path: world.folder }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(contents(world.folder)).toEqual([]);
  });

  it("a path that is a file, or lies below one, is refused", async () => {
    const world = await startData({ seedInvoices: 1 });
    const file = join(world.folder, "file");
    writeFileSync(file, "mine");
    const invoice = { invoiceId: await firstInvoice(world) };
    expect(await refusal(getInvoiceDetail(world, { ...invoice, path: file }))).toBeInstanceOf(InvalidArgumentError);
    const below = await refusal(getInvoiceDetail(world, { ...invoice, path: join(file, "below") }));
    expect(below).toBeInstanceOf(FileError);
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect(contents(world.folder)).toEqual(["file"]);
  });

  it("a folder in the place of a file is refused, and nothing temporary stays", async () => {
    const world = await startData({ seedInvoices: 1 });
    mkdirSync(join(world.folder, "INV-000001.json"));
    const invoice = { invoiceId: await firstInvoice(world) };
    const error = await refusal(getInvoiceDetail(world, { ...invoice, path: world.folder }));
    expect(error).toBeInstanceOf(FileError);
    expect(contents(world.folder)).toEqual(["INV-000001.json"]);
  });
});
