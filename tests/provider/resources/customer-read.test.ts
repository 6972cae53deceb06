import type { Fault } from "../../../simulator";
import { read } from "../../../provider/resources/customer";
import {
  customersPath,
  declaredCustomer,
  modes,
  recorded,
  safeRejection,
  startWithCustomer,
  unknownId,
  without,
} from "../customer-support";
import { asked } from "../support";

const replace = (path: string, value: unknown) => ({ op: "replace" as const, path, value });

describe("reading a customer where the service only creates", () => {
  it("keeps what state holds", async () => {
    const { world, id } = await startWithCustomer();
    const props = { ...declaredCustomer(), __provider: "code" };
    expect(await read(world, id, props)).toEqual({ id, props: recorded(id), inputs: declaredCustomer() });
    expect(asked(world.simulator)).toEqual([`GET ${customersPath}/${id}`]);
    expect(world.notices).toEqual([]);
  });

  it.each([405, 501])("keeps it also when that is said with %s", async (status) => {
    const { world, id } = await startWithCustomer();
    world.simulator.arm({ action: "status", status });
    expect(await read(world, id, declaredCustomer())).toMatchObject({ id, props: recorded(id) });
    expect(asked(world.simulator)).toHaveLength(1);
  });

  it("says so when there is no state to keep", async () => {
    const { world, id } = await startWithCustomer();
    const error = await safeRejection(world, read(world, id, {}));
    expect(error.name).toBe("NotOfferedError");
    expect(error.message).toMatch(
      /^Could not read customer [-0-9a-f]+: the service does not offer this \(it answered 404\)/,
    );
  });
});

describe("reading a customer where the service offers it", () => {
  const start = () => startWithCustomer({ customers: "full" });

  it("finds nothing changed in what was created", async () => {
    const { world, id } = await start();
    const expected = { id, props: recorded(id), inputs: declaredCustomer() };
    expect(await read(world, id, declaredCustomer())).toEqual(expected);
    expect(asked(world.simulator)).toEqual([`GET ${customersPath}/${id}`]);
  });

  it.each([
    { name: "Renamed" },
    { description: "" },
    { enabled: false },
    { name: "Renamed", description: "second", enabled: false },
  ])("shows %j, changed elsewhere, as drift", async (changes) => {
    const { world, id } = await start();
    const operations = Object.entries(changes).map(([name, value]) => replace(`/${name}`, value));
    await world.customers.patch(id, operations, false);
    const drifted = declaredCustomer(changes);
    expect(await read(world, id, declaredCustomer())).toEqual({
      id,
      props: { ...drifted, tenantId: id },
      inputs: drifted,
    });
  });

  it("keeps as sent what the service never returns, and leaves out what was not declared", async () => {
    const { world, id } = await start();
    await world.customers.patch(id, [replace("/culture", "de-DE"), replace("/description", "second")], false);
    const declared = without(declaredCustomer(), "description");
    expect(await read(world, id, declared)).toEqual({ id, props: { ...declared, tenantId: id }, inputs: declared });
  });

  it.each(["null", "empty", "absent"] as const)("shows no drift in texts that are unset (%s)", async (unsetText) => {
    const { world, id } = await startWithCustomer({ customers: "full", unsetText });
    await world.customers.patch(id, [replace("/description", null)], false);
    const declared = without(declaredCustomer(), "description");
    expect(await read(world, id, declared)).toMatchObject({ props: declared });
  });

  it("returns what it finds when there is no state yet", async () => {
    const { world, id } = await start();
    const found = { name: "Acme", description: "first", enabled: true };
    expect(await read(world, id, {})).toEqual({ id, props: { ...found, tenantId: id }, inputs: found });
  });

  it("says that a customer is gone when the service's own envelope does", async () => {
    const { world } = await start();
    expect(await read(world, unknownId, declaredCustomer())).toEqual({ id: "" });
  });

  it("fails when the customer never was in state", async () => {
    const { world } = await start();
    expect(await safeRejection(world, read(world, unknownId, {}))).toHaveProperty("name", "NotFoundError");
  });

  it.each([{ data: { name: 7, description: [], enabled: "yes" } }, { data: {} }, { data: null }])(
    "keeps what it cannot make out of %j",
    async (body) => {
      const { world, id } = await start();
      world.simulator.arm({ action: "json", body });
      expect(await read(world, id, declaredCustomer())).toMatchObject({ id, props: recorded(id) });
    },
  );

  it.each([[[]], ["text"], [7], [true], [null]])("refuses %j as a customer, in one line", async (body) => {
    const { world, id } = await start();
    world.simulator.arm({ action: "json", body });
    const error = await safeRejection(world, read(world, id, declaredCustomer()));
    expect(error.name).toBe("UnexpectedResponseError");
    expect(error.message).toMatch(/^Could not read customer [^\n]+$/);
  });
});

describe.each(modes)("what another than the service says does not make a customer vanish (%s)", (customers) => {
  it("when it is a page with 404", async () => {
    const { world, id } = await startWithCustomer({ customers });
    world.simulator.arm({ action: "html", status: 404 });
    expect(await read(world, id, declaredCustomer())).toMatchObject({ id, props: recorded(id) });
  });

  it.each([
    { action: "status", status: 404, body: { error: 400, message: "Not Found", status: "error" } },
    { action: "status", status: 404, body: { title: "Not Found" } },
  ] as Fault[])("when it is %j", async (fault) => {
    const { world, id } = await startWithCustomer({ customers });
    world.simulator.arm(fault);
    expect(await read(world, id, declaredCustomer())).toMatchObject({ id });
  });

  it.each([
    [{ action: "html", status: 502 }, "ServiceUnavailableError"],
    [{ action: "status", status: 503 }, "ServiceUnavailableError"],
    [{ action: "html", status: 200 }, "UnexpectedResponseError"],
    [{ action: "empty-body" }, "UnexpectedResponseError"],
    [{ action: "status", status: 410 }, "UnexpectedResponseError"],
    [{ action: "redirect", location: "/" }, "UnexpectedResponseError"],
    [{ action: "status", status: 401 }, "UnauthorizedError"],
    [{ action: "cut-after" }, "NetworkError"],
  ] as [Fault, string][])("when it is %j: that is an error", async (fault, name) => {
    const { world, id } = await startWithCustomer({ customers });
    world.simulator.arm({ ...fault, times: Infinity });
    expect(await safeRejection(world, read(world, id, declaredCustomer()))).toHaveProperty("name", name);
  });

  it("when it passes", async () => {
    const { world, id } = await startWithCustomer({ customers });
    world.simulator.arm({ action: "html", status: 502, times: 2 });
    expect(await read(world, id, declaredCustomer())).toMatchObject({ id, props: recorded(id) });
    expect(world.clock.waits).toHaveLength(2);
  });
});
