import {
  AmbiguousAccountError,
  InvalidArgumentError,
  NotFoundError,
  UnexpectedResponseError,
} from "../../../provider/errors";
import { getAccountMetrics } from "../../../provider/functions/account-metrics";
import { getAccount, getAccounts, matchingAccounts } from "../../../provider/functions/accounts";
import { answering, json, refusal, sent, startData } from "./world";

const list = { method: "GET", path: "/api/v1.0/accounts", query: { pageIndex: "0", pageSize: "1000" } };

describe("getAccount", () => {
  it("by id is one GET of the account", async () => {
    const world = await startData();
    const { id } = world.simulator.seedAccount({ name: "Acme", reference: "CRM-1", description: "Benelux" });
    expect(await getAccount(world, { id })).toMatchObject({ id, name: "Acme", reference: "CRM-1", enabled: true });
    expect(sent(world)).toEqual([{ method: "GET", path: `/api/v1.0/accounts/${id}`, query: {} }]);
    const [request] = world.simulator.requests();
    expect(request?.headers).toMatchObject({ accept: "application/json", authorization: "Bearer <redacted>" });
    expect(request?.headers).not.toHaveProperty("accept-charges");
  });

  it.each([{ reference: "CRM-2" }, { name: "Globex" }])("by %j looks through the list once", async (args) => {
    const world = await startData();
    world.simulator.seedAccount({ name: "Acme", reference: "CRM-1" });
    const { id } = world.simulator.seedAccount({ name: "Globex", reference: "CRM-2", enabled: false });
    expect(await getAccount(world, args)).toMatchObject({ id });
    expect(sent(world)).toEqual([list]);
  });

  it.each(["name", "reference"] as const)("with a %s that several have names them all", async (selector) => {
    const world = await startData();
    const seeded = [true, false].map((enabled) =>
      world.simulator.seedAccount({ name: "Acme", reference: "Acme", enabled }),
    );
    const error = await refusal(getAccount(world, { [selector]: "Acme" }));
    expect(error).toBeInstanceOf(AmbiguousAccountError);
    expect(error).toMatchObject({ candidates: seeded.map(({ id }) => id) });
    for (const { id, name } of seeded) expect(error.message).toContain(`${id} ("${name}", reference "Acme"`);
    expect(error.message).toContain(", disabled)");
  });

  it("that is absent looks again, then names the nearest", async () => {
    const world = await startData();
    const { id } = world.simulator.seedAccount({ name: "Acme Telecom", reference: "CRM-1" });
    world.simulator.seedAccount({ name: "Something else" });
    const error = await refusal(getAccount(world, { name: "acme telecom" }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain(`the nearest are ${id} ("Acme Telecom", reference "CRM-1")`);
    expect(error.message).not.toContain("Something else");
    expect(sent(world)).toEqual([list, list]);
  });

  it("that shifts between pages while they are read is found at the second look", async () => {
    const page = (names: string[]) => ({
      page_size: 1000,
      data: names.map((name) => ({ id: `id-${name}`, name })),
      status: "success",
    });
    let asked = 0;
    const { service } = await answering((request, response) => {
      json(page(asked++ === 0 ? ["A"] : ["A", "B"]))(request, response);
    });
    expect(await getAccount(service, { name: "B" })).toMatchObject({ id: "id-B" });
    expect(asked).toBe(2);
  });

  it("whose id does not exist is a NotFoundError", async () => {
    const world = await startData();
    const id = "00000000-0000-4000-8000-000000000000";
    expect(await refusal(getAccount(world, { id }))).toBeInstanceOf(NotFoundError);
  });

  it.each<[unknown, string, string]>([
    [{}, "id", "exactly one of id, reference and name is needed, not none"],
    [{ id: "a", name: "b" }, "name", "not id and name"],
    [{ id: "a/b" }, "id", "is not an identifier"],
    [{ id: 7 }, "id", "must be text"],
    [{ name: "" }, "name", "must not be blank"],
    [{ reference: "a\nb" }, "reference", "must be one line"],
    [{ referense: "x" }, "referense", "did you mean reference?"],
    ["x", "args", "must be an object"],
    [null, "args", "must be an object"],
  ])("refuses %j, naming %s, before anything is sent", async (args, property, said) => {
    const world = await startData();
    const error = await refusal(getAccount(world, args));
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error).toMatchObject({ property });
    expect(error.message).toContain(said);
    expect(sent(world)).toEqual([]);
  });
});

describe("getAccounts", () => {
  it("reads every page and keeps what meets all conditions", async () => {
    const seedAccounts = Array.from({ length: 250 }, (_, index) => ({
      name: `${index % 2 === 0 ? "Even" : "Odd"} ${index}`,
      reference: `ref-${index % 5}`,
      enabled: index % 3 !== 0,
    }));
    const world = await startData({ seedAccounts, maxPageSize: 100 });
    const conditions = { enabled: true, namePrefix: "Even", reference: "ref-0" };
    const { accounts } = await getAccounts(world, conditions);
    const expected = seedAccounts.filter(
      ({ name, reference, enabled }) => enabled && name.startsWith("Even") && reference === "ref-0",
    );
    expect(accounts.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
    expect(sent(world).map(({ query }) => query["pageIndex"])).toEqual(["0", "1", "2"]);
    expect((await getAccounts(world, {})).accounts).toHaveLength(250);
    expect((await getAccounts(world, { enabled: false })).accounts).toHaveLength(84);
    expect((await getAccounts(world, undefined)).accounts).toHaveLength(250);
  });

  it("asks for no page that is not needed", async () => {
    const world = await startData({ seedAccounts: 30, maxPageSize: 10 });
    for await (const account of matchingAccounts(world, { namePrefix: "Reseller" })) {
      expect(account.name).toBe("Reseller 0001");
      break;
    }
    expect(sent(world)).toEqual([list]);
  });

  it.each<[unknown, string]>([
    [{ enabled: "yes" }, "enabled"],
    [{ namePrefix: "" }, "namePrefix"],
    [{ nameprefix: "A" }, "nameprefix"],
    [[], "args"],
  ])("refuses %j before anything is sent", async (args, property) => {
    const world = await startData();
    expect(await refusal(getAccounts(world, args))).toMatchObject({ name: "InvalidArgumentError", property });
    expect(sent(world)).toEqual([]);
  });
});

describe("getAccountMetrics", () => {
  const id = "0b5e2a54-93c7-4b7e-9a36-5d2f0c9f7a11";
  const metrics = { accountTenantId: id, accountName: "Acme", enabled: true, dateCreated: "2024-01-01T00:00:00.000" };

  it("gives the four fields that are shown, and the others beside them", async () => {
    const extraFields = { customers: [{ name: "C", licences: 3 }], note: null };
    const world = await startData({ seedAccounts: [{ id, name: "Acme" }], extraFields });
    const { dateCreated, ...read } = await getAccountMetrics(world, { id });
    expect(read).toEqual({ accountTenantId: id, accountName: "Acme", enabled: true, additional: extraFields });
    expect(dateCreated).toMatch(/^\d{4}-.*T[\d:.]+$/);
    expect(sent(world)).toEqual([{ method: "GET", path: `/api/v1.0/accounts/${id}/metrics`, query: {} }]);
  });

  it("keeps fields of any name without changing a prototype, and numbers digit by digit", async () => {
    const further = `"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"nested":{"__proto__":{"polluted":1},"kept":1},"hasOwnProperty":1,"big":12345678901234567890,"money":1234567890123456.78,"exact":1.50`;
    const { service } = await answering(json(`{"data":{${JSON.stringify(metrics).slice(1, -1)},${further}}}`));
    const { additional, ...read } = await getAccountMetrics(service, { id });
    expect(read).toEqual(metrics);
    expect(Object.getPrototypeOf(additional)).toBe(Object.prototype);
    expect(Object.keys(additional)).toEqual(["constructor", "nested", "hasOwnProperty", "big", "money", "exact"]);
    expect(additional).toMatchObject({ big: "12345678901234567890", money: "1234567890123456.78", exact: 1.5 });
    expect(additional["nested"]).toEqual({ kept: 1 });
    expect({}).not.toHaveProperty("polluted");
    expect(additional).not.toHaveProperty("polluted");
  });

  it.each(["accountTenantId", "accountName", "enabled", "dateCreated"])(
    "refuses an answer without %s",
    async (field) => {
      const { service } = await answering(json({ data: { ...metrics, [field]: undefined } }));
      expect(await refusal(getAccountMetrics(service, { id }))).toBeInstanceOf(UnexpectedResponseError);
    },
  );

  it.each<[unknown, string]>([
    [{}, "id"],
    [{ id: "a/../b" }, "id"],
    [{ id: true }, "id"],
    [{ id: "a", extra: 1 }, "extra"],
  ])("refuses the arguments %j before anything is sent", async (args, property) => {
    const world = await startData();
    expect(await refusal(getAccountMetrics(world, args))).toMatchObject({ name: "InvalidArgumentError", property });
    expect(sent(world)).toEqual([]);
  });
});
