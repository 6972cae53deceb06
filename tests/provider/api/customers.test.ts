import { InvalidArgumentError, NotFoundError, NotOfferedError } from "../../../provider/errors";
import { customersPath, modes, profile, sent, startCustomers, startWithCustomer, unknownId } from "../customer-support";
import { asked, rejection, writes } from "../support";

const operations = [
  { op: "replace" as const, path: "/name", value: "B" },
  { op: "replace" as const, path: "/pbxConnectionProfile/accountId", value: "8" },
];

describe("a new customer", () => {
  it.each([true, false])("is one POST of exactly what it is given (charges accepted: %s)", async (accepted) => {
    const world = await startCustomers();
    const answer = world.customers.create(sent(), accepted);
    if (accepted) await answer;
    else expect(await rejection(answer)).toHaveProperty("name", "PaymentRequiredError");
    const [request, ...others] = world.simulator.requests();
    expect(others).toEqual([]);
    expect(request).toMatchObject({ method: "POST", path: customersPath, query: {}, body: sent() });
    expect(request?.headers).toMatchObject({
      "content-type": "application/json",
      accept: "application/json",
      authorization: "Bearer <redacted>",
    });
    expect(request?.headers["accept-charges"]).toBe(accepted ? "true" : undefined);
    expect(world.simulator.charges()).toHaveLength(accepted ? 1 : 0);
  });

  it.each([
    ["envelope", true],
    ["bare", true],
    ["location", true],
    ["empty", false],
  ] as const)("answered in the form %s is named: %s", async (successBody, named) => {
    const world = await startCustomers({ successBody });
    const { id } = await world.customers.create(sent(), true);
    expect(id).toBe(named ? world.simulator.customers()[0]?.id : undefined);
  });
});

describe("a customer by its id", () => {
  it("is read, changed and deleted with one request each where the service offers it", async () => {
    const { world, id } = await startWithCustomer({ customers: "full" });
    const path = `${customersPath}/${id}`;
    expect(await world.customers.get(id)).toEqual({ name: "Acme", description: "first", enabled: true });
    await world.customers.patch(id, operations, false);
    await world.customers.patch(id, operations, true);
    await world.customers.delete(id);
    expect(asked(world.simulator)).toEqual([`GET ${path}`, `PATCH ${path}`, `PATCH ${path}`, `DELETE ${path}`]);
    const [refusing, accepting, deleting] = writes(world.simulator);
    expect([refusing?.body, accepting?.body, deleting?.body]).toEqual([operations, operations, undefined]);
    expect(refusing?.headers).toHaveProperty("content-type", "application/json");
    expect(refusing?.headers).not.toHaveProperty("accept-charges");
    expect(accepting?.headers).toHaveProperty("accept-charges", "true");
    expect(deleting?.headers).not.toHaveProperty("content-type");
    expect(deleting?.headers).not.toHaveProperty("accept-charges");
    expect(world.simulator.customers()).toMatchObject([
      { name: "B", pbxConnectionProfile: { ...profile, accountId: "8" }, flaggedForDeletion: true },
    ]);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it.each(["get", "patch", "delete"] as const)("is not offered for %s where the service only creates", async (verb) => {
    const { world, id } = await startWithCustomer();
    const call = () =>
      verb === "patch" ? world.customers.patch(id, operations, true) : Promise.resolve(world.customers[verb](id));
    for (const status of [undefined, 404, 405, 501]) {
      if (status !== undefined) world.simulator.arm({ action: "html", status });
      const error = await rejection(call());
      expect(error).toBeInstanceOf(NotOfferedError);
      expect(error.message).toContain(`the service does not offer this (it answered ${status ?? 404}).`);
      expect(error.message).not.toContain("\n");
    }
    expect(world.simulator.requests()).toHaveLength(4);
    expect(world.simulator.customers()).toMatchObject([{ ...sent(), flaggedForDeletion: false }]);
  });

  it.each(modes)("does not exist only when the service's own envelope says so (%s)", async (customers) => {
    const { world } = await startWithCustomer({ customers });
    const body = { error: 404, message: "Not Found", status: "error" };
    const calls = [
      () => world.customers.get(unknownId),
      () => world.customers.patch(unknownId, operations, true),
      () => world.customers.delete(unknownId),
    ];
    for (const call of calls) {
      if (customers === "create-only") world.simulator.arm({ action: "status", status: 404, body });
      expect(await rejection(call())).toBeInstanceOf(NotFoundError);
      world.simulator.arm({ action: "status", status: 404, body: { ...body, error: 400 } });
      expect(await rejection(call())).toBeInstanceOf(NotOfferedError);
    }
  });

  it.each(["..", ".", "a/b", "?x", "#", "a\r\nb", "a%2fb", "", "pending:Acme"])(
    "such as %j is asked for by nobody",
    async (id) => {
      const world = await startCustomers({ customers: "full" });
      const calls = [world.customers.get(id), world.customers.patch(id, [], true), world.customers.delete(id)];
      for (const call of calls) expect(await rejection(call)).toBeInstanceOf(InvalidArgumentError);
      expect(world.simulator.requests()).toEqual([]);
    },
  );
});

describe("a refused change", () => {
  it.each([400, 403, 409, 422])("with %s is no sign that the service does not offer it", async (status) => {
    const { world, id } = await startWithCustomer({ customers: "full" });
    world.simulator.arm({ action: "status", status });
    const error = await rejection(world.customers.patch(id, operations, true));
    expect(error).not.toBeInstanceOf(NotOfferedError);
    expect(error).toHaveProperty("status", status);
  });

  it("after 429 is sent again, since a PATCH says the same twice", async () => {
    const { world, id } = await startWithCustomer({ customers: "full" });
    world.simulator.arm({ action: "status", status: 429, headers: { "retry-after": "2" } });
    await world.customers.patch(id, operations, true);
    expect(writes(world.simulator).map(({ status }) => status)).toEqual([429, 200]);
    expect(world.clock.waited()).toBeGreaterThanOrEqual(2_000);
  });
});
