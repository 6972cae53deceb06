import Big from "big.js";
import * as fc from "fast-check";
import { BillingApi } from "../../../provider/api/billing";
import { money, parseExactJson } from "../../../provider/api/decimals";
import { NotFoundError, UnexpectedResponseError } from "../../../provider/errors";
import { answering, collected, json, refusal, sent, startData } from "../functions/world";

const record = {
  tenantId: "t",
  invoiceid: "i-1",
  invoiceNumber: "INV-1",
  customerName: "Example",
  billingPeriodStart: "2024-01-01T00:00:00+00:00",
  billingPeriodEnd: "2024-01-31T23:59:59+00:00",
  invoiceValue: 10,
};

async function listed(billing: BillingApi): Promise<string[]> {
  return (await collected(billing.list())).map(({ invoiceId }) => invoiceId);
}

const indexes = (world: Parameters<typeof sent>[0]) => sent(world).map(({ query }) => query["pageIndex"]);

describe("the invoice list", () => {
  it("is asked for like the account list, and read until a short page", async () => {
    const world = await startData({ seedInvoices: 25, maxPageSize: 10 });
    expect(new Set(await listed(world.billing)).size).toBe(25);
    expect(sent(world)).toEqual(
      ["0", "1", "2"].map((pageIndex) => ({
        method: "GET",
        path: "/api/v1.0/billingdata",
        query: { pageIndex, pageSize: "1000" },
      })),
    );
    expect(world.simulator.requests()[0]?.headers).toMatchObject({ accept: "application/json" });
  });

  it("ends after an empty page, or one that says the same again", async () => {
    const paged = await startData({ seedInvoices: 20, maxPageSize: 10 });
    expect(await listed(paged.billing)).toHaveLength(20);
    expect(indexes(paged)).toEqual(["0", "1", "2"]);
    const repeating = await startData({ seedInvoices: 10, maxPageSize: 10, billingPaging: "all" });
    expect(await listed(repeating.billing)).toHaveLength(10);
    expect(indexes(repeating)).toEqual(["0", "1"]);
  });

  it("is asked for once where the service always sends all of it", async () => {
    for (const seedInvoices of [3, 25]) {
      const world = await startData({ seedInvoices, maxPageSize: 10, billingPaging: "all" });
      expect(await listed(world.billing)).toHaveLength(seedInvoices);
      expect(indexes(world)).toEqual(["0"]);
    }
  });

  it("that never ends is given up", async () => {
    let next = 0;
    const { service } = await answering((request, response) => {
      json({ page_size: 1, data: [{ ...record, invoiceid: `i-${next++}` }] })(request, response);
    });
    const error = await refusal(listed(service.billing));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error.message).toContain("did not end after 1000 pages");
  });
});

describe("one invoice", () => {
  it("is one GET; invoiceid becomes invoiceId and the value exact text", async () => {
    const world = await startData({ seedInvoices: 1 });
    const [id = ""] = await listed(world.billing);
    world.simulator.clearRequests();
    expect(await world.billing.get(id)).toEqual({
      tenantId: world.simulator.enterpriseTenantId,
      invoiceId: id,
      invoiceNumber: "INV-000001",
      customerName: "Example Enterprise",
      billingPeriodStart: "2024-01-01T00:00:00+00:00",
      billingPeriodEnd: "2024-01-31T23:59:59+00:00",
      invoiceValue: expect.stringMatching(/^\d+\.\d{2}$/) as unknown,
    });
    expect(sent(world)).toEqual([{ method: "GET", path: `/api/v1.0/billingdata/${id}`, query: {} }]);
  });

  it.each([
    ["1234567890123456.78", "1234567890123456.78"],
    ["12345678901234567890", "12345678901234567890.00"],
    ["0.1", "0.10"],
    ["12.50", "12.50"],
    ["12.345", "12.345"],
    ["-0.005", "-0.005"],
    ["1e3", "1000.00"],
    ["1.5E-3", "0.0015"],
    ["0", "0.00"],
    ["-0", "0.00"],
  ])("has the value %s as %s", async (written, exact) => {
    const body = JSON.stringify({ data: record }).replace('"invoiceValue":10', `"invoiceValue":${written}`);
    const { service } = await answering(json(body));
    expect((await service.billing.get("i-1")).invoiceValue).toBe(exact);
  });

  it("has every value as it is written, to the last digit", () => {
    const digits = fc.stringMatching(/^(0|[1-9]\d{0,25})\.\d{1,15}$/);
    fc.assert(
      fc.property(digits, fc.boolean(), (text, negative) => {
        const written = `${negative ? "-" : ""}${text}`;
        const [value] = parseExactJson(`[${written}]`) as unknown[];
        const read = money.parse(value);
        expect(new Big(read).eq(written)).toBe(true);
        expect(read).toMatch(/^-?\d+\.\d{2,}$/);
      }),
    );
  });

  it.each(["10.00", null, undefined, true, {}, [1], { text: "10" }])(
    "with the value %j is refused",
    async (invoiceValue) => {
      const { service, asked } = await answering(json({ data: { ...record, invoiceValue } }));
      const error = await refusal(service.billing.get("i-1"));
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect(error.message).toContain("(data.invoiceValue)");
      expect(asked()).toBe(1);
    },
  );

  it("with a value that would unfold beyond memory is refused", async () => {
    const body = JSON.stringify({ data: record }).replace('"invoiceValue":10', '"invoiceValue":1e999999999');
    const { service } = await answering(json(body));
    expect(await refusal(service.billing.get("i-1"))).toBeInstanceOf(UnexpectedResponseError);
  });

  it.each(["tenantId", "invoiceid", "billingPeriodStart", "billingPeriodEnd"])(
    "without %s is refused",
    async (field) => {
      const { service } = await answering(json({ data: { ...record, [field]: undefined } }));
      const error = await refusal(service.billing.get("i-1"));
      expect(error.message).toContain(`(data.${field})`);
    },
  );

  it("with fields that are null, unknown or would pollute is read", async () => {
    const body = JSON.stringify({ data: { ...record, invoiceNumber: null, customerName: null, more: { a: 1 } } });
    const { service } = await answering(json(body.replace('"more"', '"__proto__"')));
    const { tenantId, billingPeriodStart, billingPeriodEnd } = record;
    const rest = { tenantId, billingPeriodStart, billingPeriodEnd };
    expect(await service.billing.get("i-1")).toEqual({ ...rest, invoiceId: "i-1", invoiceValue: "10.00" });
  });

  it("that does not exist is a NotFoundError", async () => {
    const world = await startData();
    expect(await refusal(world.billing.get("nothing"))).toBeInstanceOf(NotFoundError);
  });

  it.each(["a/b", "..", "a?b", "a#b", "", "a b", "é", "a\r\nb"])(
    "with the id %j is refused, nothing is sent",
    async (id) => {
      const { service, asked } = await answering(json({}));
      for (const read of [
        service.billing.get(id),
        service.billing.detail(id, "/x"),
        service.billing.summary(id, "/x"),
      ]) {
        expect(await refusal(read)).toMatchObject({ name: "InvalidArgumentError", property: "invoiceId" });
      }
      expect(asked()).toBe(0);
    },
  );
});
