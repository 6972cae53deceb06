import { UnexpectedResponseError } from "../../../provider/errors";
import { getInvoice, getInvoices } from "../../../provider/functions/invoices";
import { answering, json, refusal, sent, startData } from "./world";

const record = (invoiceid: string, billingPeriodStart: string) => ({
  tenantId: "t",
  invoiceid,
  billingPeriodStart,
  billingPeriodEnd: billingPeriodStart,
  invoiceValue: 1,
});

describe("getInvoices", () => {
  it.each<[Record<string, string>, string[]]>([
    [{}, ["1", "2", "3", "4", "5"]],
    [{ periodFrom: "2024-03-01" }, ["3", "4", "5"]],
    [{ periodTo: "2024-02-29" }, ["1", "2"]],
    [{ periodFrom: "2024-02-01", periodTo: "2024-04-30" }, ["2", "3", "4"]],
    [{ periodFrom: "2024-02-02", periodTo: "2024-03-01" }, ["3"]],
    [{ periodFrom: "2024-03-01T00:00:00Z", periodTo: "2024-03-01T00:00:00+00:00" }, ["3"]],
    [{ periodFrom: "2024-03-01T00:00:00-01:00" }, ["4", "5"]],
    [{ tenantId: "00000000-0000-4000-8000-000000000000" }, []],
  ])("with %j gives the invoices whose period starts then", async (args, numbers) => {
    const world = await startData({ seedInvoices: 5 });
    const { invoices } = await getInvoices(world, args);
    expect(invoices.map(({ invoiceNumber }) => invoiceNumber)).toEqual(numbers.map((number) => `INV-00000${number}`));
    expect(sent(world)).toHaveLength(1);
  });

  it("of a tenant are found in either case of its id", async () => {
    const world = await startData({ seedInvoices: 2 });
    const tenantId = world.simulator.enterpriseTenantId.toUpperCase();
    expect((await getInvoices(world, { tenantId })).invoices).toHaveLength(2);
  });

  it("are compared by the date as it is written, whatever its offset", async () => {
    const data = [record("a", "2024-02-01T00:00:00+13:00"), record("b", "2024-01-31T23:00:00-11:00")];
    const { service } = await answering(json({ page_size: 1000, data }));
    const ids = async (args: object) => (await getInvoices(service, args)).invoices.map(({ invoiceId }) => invoiceId);
    expect(await ids({ periodFrom: "2024-02-01" })).toEqual(["a"]);
    expect(await ids({ periodFrom: "2024-02-01T00:00:00Z" })).toEqual(["b"]);
  });

  it("with a period that cannot be compared say so", async () => {
    const data = [record("a", "2024-02-01T00:00:00.0000000"), record("b", "soon")];
    const { service } = await answering(json({ page_size: 1000, data }));
    expect((await getInvoices(service, {})).invoices).toHaveLength(2);
    const moment = await refusal(getInvoices(service, { periodFrom: "2024-01-01T00:00:00Z" }));
    expect(moment).toBeInstanceOf(UnexpectedResponseError);
    expect(moment.message).toContain('billingPeriodStart of invoice a is "2024-02-01T00:00:00.0000000"');
    expect((await refusal(getInvoices(service, { periodFrom: "2024-01-01" }))).message).toContain(
      'invoice b is "soon"',
    );
  });

  it.each<[unknown, string]>([
    [{ tenantId: "a/b" }, "tenantId"],
    [{ periodFrom: "January" }, "periodFrom"],
    [{ periodFrom: "2024-02-30" }, "periodFrom"],
    [{ periodTo: "2024-01-01T00:00:00" }, "periodTo"],
    [{ periodTo: 20240101 }, "periodTo"],
    [{ periodfrom: "2024-01-01" }, "periodfrom"],
  ])("with %j are refused before anything is sent", async (args, property) => {
    const world = await startData();
    expect(await refusal(getInvoices(world, args))).toMatchObject({ name: "InvalidArgumentError", property });
    expect(sent(world)).toEqual([]);
  });
});

describe("getInvoice", () => {
  it("reads one invoice", async () => {
    const world = await startData({ seedInvoices: 2 });
    const [, second] = (await getInvoices(world, {})).invoices;
    expect(await getInvoice(world, { invoiceId: second?.invoiceId })).toEqual(second);
  });

  it.each<[unknown, string]>([
    [{}, "invoiceId"],
    [{ invoiceId: "a/b" }, "invoiceId"],
    [{ invoiceId: ["a"] }, "invoiceId"],
    [{ id: "a" }, "id"],
  ])("with %j is refused before anything is sent", async (args, property) => {
    const world = await startData();
    expect(await refusal(getInvoice(world, args))).toMatchObject({ name: "InvalidArgumentError", property });
    expect(sent(world)).toEqual([]);
  });
});
