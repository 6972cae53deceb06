import { create, type CustomerInputs, diff, read, remove, update } from "../../../provider/resources/customer";
import {
  customersPath,
  type CustomerWorld,
  declaredCustomer,
  modes,
  profile,
  recorded,
  safeRejection,
  sent,
  shown,
  startCustomers,
  startWithCustomer,
  unknownId,
  withCustomers,
} from "../customer-support";
import { asked, writes } from "../support";

const replace = (path: string, value: unknown) => ({ op: "replace" as const, path, value });
const pendingId = "pending:Acme";

const posts = (world: CustomerWorld) => world.simulator.requests({ method: "POST" });

describe.each(modes)("taking over a customer that exists, where the service is %s,", (customers) => {
  it.each([true, false])("creates and charges nothing (acceptCharges: %s)", async (acceptCharges) => {
    const { world, id } = await startWithCustomer({ customers });
    const result = await create(world, declaredCustomer({ adopt: id, acceptCharges }));
    expect(result).toEqual({ id, outs: recorded(id, { acceptCharges }) });
    expect(posts(world)).toEqual([]);
    expect(world.simulator.customers()).toHaveLength(1);
    expect(world.simulator.charges()).toHaveLength(1);
    expect(shown(world.notices)).toContain(`Customer "Acme" (${id}) was taken over;`);
  });

  it("is not undone by the next comparison", async () => {
    const { world, id } = await startWithCustomer({ customers });
    const inputs = declaredCustomer({ adopt: id });
    const { outs } = await create(world, inputs);
    expect(diff(id, outs, inputs)).toMatchObject({ changes: false, replaces: [] });
    expect(diff(id, outs, declaredCustomer())).toMatchObject({ changes: false, replaces: [] });
  });

  it("is not done when the service fails: that is an error, and nothing is created", async () => {
    const { world, id } = await startWithCustomer({ customers });
    world.simulator.arm({ action: "html", status: 502, times: Infinity });
    const error = await safeRejection(world, create(world, declaredCustomer({ adopt: id })));
    expect(error.name).toBe("ServiceUnavailableError");
    expect(posts(world)).toEqual([]);
    expect(world.notices).toEqual([]);
  });
});

describe("taking over where the service offers reading and changing", () => {
  it("reads the customer, and sends what differs or cannot be compared in one PATCH", async () => {
    const { world, id } = await startWithCustomer({ customers: "full" });
    await create(world, declaredCustomer({ adopt: id, name: "Renamed", acceptCharges: false }));
    expect(asked(world.simulator)).toEqual([`GET ${customersPath}/${id}`, `PATCH ${customersPath}/${id}`]);
    const [request] = writes(world.simulator);
    expect(request?.headers).not.toHaveProperty("accept-charges");
    const operations = request?.body as { path: string }[];
    expect([...operations].sort((a, b) => a.path.localeCompare(b.path))).toEqual([
      replace("/culture", "nl-NL"),
      replace("/name", "Renamed"),
      replace("/pbxConnectionProfile", profile),
      replace("/timezone", "Europe/Amsterdam"),
    ]);
    expect(world.simulator.customers()).toMatchObject([{ ...sent(), name: "Renamed" }]);
    expect(world.notices).toHaveLength(1);
  });

  it("sends nothing when what is declared is what is there", async () => {
    const { world, id } = await startWithCustomer({ customers: "full" });
    await create(world, { name: "Acme", enabled: true, adopt: id });
    expect(asked(world.simulator)).toEqual([`GET ${customersPath}/${id}`]);
  });

  it("says so, besides taking over, when a change was sent with charges accepted", async () => {
    const { world, id } = await startWithCustomer({ customers: "full", patchCharges: true });
    await create(world, declaredCustomer({ adopt: id, name: "Renamed" }));
    expect(writes(world.simulator)[0]?.headers).toHaveProperty("accept-charges", "true");
    expect(world.notices).toEqual([
      `Charges accepted: changed customer "Renamed" (${id}).`,
      `Customer "Renamed" (${id}) was taken over; no new one was created or charged.`,
    ]);
  });

  it("is refused for one that does not exist", async () => {
    const world = await startCustomers({ customers: "full" });
    const error = await safeRejection(world, create(world, declaredCustomer({ adopt: unknownId })));
    expect(error.name).toBe("NotFoundError");
    expect(asked(world.simulator)).toEqual([`GET ${customersPath}/${unknownId}`]);
    expect(world.simulator.charges()).toEqual([]);
  });
});

describe("taking over where the service only creates", () => {
  it("says that nothing was compared, and asks for no more than reading", async () => {
    const { world, id } = await startWithCustomer();
    await create(world, declaredCustomer({ adopt: id }));
    expect(asked(world.simulator)).toEqual([`GET ${customersPath}/${id}`]);
    expect(world.notices).toEqual([
      `Customer "Acme" (${id}) was taken over; no new one was created or charged. The service does not offer reading or changing customers, so what it holds was not compared.`,
    ]);
  });
});

describe.each(modes)("a creation that is pending, where the service is %s,", (customers) => {
  /** The POST was done and its answer lost: one charge, and a pending record in state. */
  async function pending() {
    const world = await startCustomers({ customers });
    world.simulator.arm({ action: "cut-after", method: "POST" });
    await safeRejection(world, create(world, declaredCustomer()));
    world.simulator.clearRequests();
    world.notices.length = 0;
    return { world, existing: world.simulator.customers()[0]?.id ?? "" };
  }

  it("stays as it is when it is read", async () => {
    const { world } = await pending();
    const kept = { id: pendingId, props: declaredCustomer(), inputs: declaredCustomer() };
    expect(await read(world, pendingId, declaredCustomer())).toEqual(kept);
    expect(world.simulator.requests()).toEqual([]);
  });

  it("cannot be changed: it stays pending, and nothing is sent", async () => {
    const { world } = await pending();
    const news: CustomerInputs = declaredCustomer({ description: "second" });
    for (const inputs of [news, declaredCustomer()]) {
      const error = await safeRejection(world, update(world, pendingId, declaredCustomer(), inputs));
      expect(error).toMatchObject({ name: "PendingCreationError", id: pendingId, properties: inputs });
      expect(error.message).toMatch(/^Could not change customer "Acme": its creation was sent but not confirmed/);
    }
    expect(world.simulator.requests()).toEqual([]);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("keeps the name that was sent, under which it is to be looked for, when it is renamed", async () => {
    const { world } = await pending();
    const news = declaredCustomer({ name: "Renamed" });
    const error = await safeRejection(world, update(world, pendingId, declaredCustomer(), news));
    expect(error).toMatchObject({ id: pendingId, properties: news });
    expect(error.message).toContain('Look for "Acme" in the portal');
  });

  it("cannot be deleted before it is known what became of it", async () => {
    const { world } = await pending();
    const error = await safeRejection(world, remove(world, pendingId, declaredCustomer()));
    expect(error.name).toBe("PendingCreationError");
    expect(error.message).toMatch(
      /^Could not delete customer "Acme": .*set adopt: "<its tenant id>"; if not, run `pulumi state delete`/,
    );
    expect(world.simulator.requests()).toEqual([]);
  });

  it("is resolved by adopt: replaced by what exists, with one charge in all", async () => {
    const { world, existing } = await pending();
    const inputs = declaredCustomer({ adopt: existing });
    expect(diff(pendingId, declaredCustomer(), inputs)).toMatchObject({ changes: true, replaces: ["adopt"] });
    expect(await create(world, inputs)).toMatchObject({ id: existing });
    world.simulator.clearRequests();
    await expect(remove(world, pendingId, declaredCustomer())).resolves.toBeUndefined();
    expect(world.simulator.requests()).toEqual([]);
    expect(world.simulator.customers()).toMatchObject([{ id: existing, flaggedForDeletion: false }]);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("is not dropped for another that was taken over, nor by another process, nor after an adoption that failed", async () => {
    const { world, existing } = await pending();
    const failing = withCustomers(world.anotherProcess());
    world.simulator.arm({ action: "status", status: 401 });
    await safeRejection(failing, create(failing, declaredCustomer({ adopt: existing })));
    await create(world, declaredCustomer({ name: "Other", adopt: existing }));
    for (const service of [world, failing, withCustomers(world.anotherProcess())]) {
      const error = await safeRejection(service, remove(service, pendingId, declaredCustomer()));
      expect(error.name).toBe("PendingCreationError");
    }
  });
});
