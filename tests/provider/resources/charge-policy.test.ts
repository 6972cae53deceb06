import { ChargeForbiddenError } from "../../../provider/errors";
import * as account from "../../../provider/resources/account";
import { type ChargePolicy, mayCharge } from "../../../provider/resources/charges";
import * as customer from "../../../provider/resources/customer";
import {
  type CustomerWorld,
  declaredCustomer,
  profile,
  safeRejection,
  shown,
  startCustomers,
  startWithCustomer,
} from "../customer-support";
import { declared, writes } from "../support";

/** Both resources in the same words. */
const resources = [
  {
    kind: "account",
    create: (world: CustomerWorld, changes: object) => account.create(world, declared(changes)),
    update: (world: CustomerWorld, id: string, changes: object) =>
      account.update(world, id, declared(), declared(changes)),
    remove: (world: CustomerWorld, id: string) => account.remove(world, id, declared()),
  },
  {
    kind: "customer",
    create: (world: CustomerWorld, changes: object) => customer.create(world, declaredCustomer(changes)),
    update: (world: CustomerWorld, id: string, changes: object) =>
      customer.update(world, id, declaredCustomer(), declaredCustomer(changes)),
    remove: (world: CustomerWorld, id: string) => customer.remove(world, id, declaredCustomer()),
  },
];

const charging = (world: CustomerWorld) => writes(world.simulator).map(({ headers }) => headers["accept-charges"]);

async function start(chargePolicy: ChargePolicy, options = {}): Promise<CustomerWorld> {
  const world = await startCustomers({ customers: "full", ...options });
  world.chargePolicy = chargePolicy;
  return world;
}

/** A world in which the account or customer that is declared exists, with all of its creation forgotten. */
async function startWithOne({ create }: (typeof resources)[number], chargePolicy: ChargePolicy, options = {}) {
  const world = await start("ask", options);
  const { id } = await create(world, {});
  world.simulator.clearRequests();
  world.notices.length = 0;
  world.chargePolicy = chargePolicy;
  return { world, id };
}

describe.each(resources)("with the charge policy never, a(n) $kind", (resource) => {
  const { kind, create, update, remove } = resource;

  it.each([true, false, undefined])("is not created (acceptCharges: %s): nothing is sent", async (acceptCharges) => {
    const world = await start("never");
    const error = await safeRejection(world, create(world, { acceptCharges }));
    expect(error).toBeInstanceOf(ChargeForbiddenError);
    expect(error).toHaveProperty("doing", `create ${kind} "Acme"`);
    expect(error.message).toBe(
      `Could not create ${kind} "Acme": it may incur charges, and reseller:chargePolicy is never. Nothing was sent. Run it where the policy is ask, with acceptCharges: true on the resource.`,
    );
    expect(world.simulator.requests()).toEqual([]);
    expect(world.simulator.charges()).toEqual([]);
    expect(world.notices).toEqual([]);
  });

  it("is changed without accepting charges, whatever the program says", async () => {
    const { world, id } = await startWithOne(resource, "never");
    await update(world, id, { name: "Renamed", acceptCharges: true });
    expect(writes(world.simulator)).toMatchObject([{ method: "PATCH", status: 200 }]);
    expect(charging(world)).toEqual([undefined]);
    expect(world.notices).toEqual([]);
  });

  it("is not changed where that costs", async () => {
    const { world, id } = await startWithOne(resource, "never", { patchCharges: true });
    const error = await safeRejection(world, update(world, id, { name: "Renamed", acceptCharges: true }));
    expect(error.name).toBe("PaymentRequiredError");
    expect(charging(world)).toEqual([undefined]);
    expect(world.notices).toEqual([]);
  });

  it("is deleted as ever", async () => {
    const { world, id } = await startWithOne(resource, "never");
    await remove(world, id);
    expect(writes(world.simulator)).toMatchObject([{ method: "DELETE", status: 204 }]);
  });
});

describe("with the charge policy never, a customer that exists", () => {
  it.each(["create-only", "full"] as const)("is taken over, since nothing is created (%s)", async (customers) => {
    const { world, id } = await startWithCustomer({ customers });
    world.chargePolicy = "never";
    await expect(customer.create(world, declaredCustomer({ adopt: id }))).resolves.toMatchObject({ id });
    expect(charging(world)).toEqual(customers === "full" ? [undefined] : []);
    expect(world.notices).toHaveLength(1);
  });
});

describe.each(resources)("with the charge policy ask, a(n) $kind", (resource) => {
  const { kind, create, update } = resource;

  it("accepts charges for its creation when the program does, and that is told once", async () => {
    const world = await start("ask");
    const { id } = await create(world, {});
    expect(charging(world)).toEqual(["true"]);
    expect(world.notices).toEqual([`Charges accepted: created ${kind} "Acme" (${id}).`]);
    expect(world.simulator.charges()).toMatchObject([{ kind, tenantId: id }]);
  });

  it.each([false, undefined])("accepts none when the program says %s", async (acceptCharges) => {
    const world = await start("ask");
    const error = await safeRejection(world, create(world, { acceptCharges }));
    expect(error.name).toBe("PaymentRequiredError");
    expect(charging(world)).toEqual([undefined]);
    expect(world.notices).toEqual([]);
    expect(world.simulator.charges()).toEqual([]);
  });

  it.each([true, false, undefined])("is changed as the program says: %s", async (acceptCharges) => {
    const { world, id } = await startWithOne(resource, "ask");
    await update(world, id, { name: "Renamed", acceptCharges });
    expect(charging(world)).toEqual([acceptCharges === true ? "true" : undefined]);
    const told = [`Charges accepted: changed ${kind} "Renamed" (${id}).`];
    expect(world.notices).toEqual(acceptCharges === true ? told : []);
  });

  it("says nothing of a change that sends nothing", async () => {
    const { world, id } = await startWithOne(resource, "ask");
    await update(world, id, {});
    expect(world.simulator.requests({ method: "PATCH" })).toEqual([]);
    expect(world.notices).toEqual([]);
  });
});

describe("the audit trail", () => {
  it("has one line for a customer whose creation was sent and not confirmed", async () => {
    const world = await start("ask", { successBody: "empty" });
    await safeRejection(world, customer.create(world, declaredCustomer()));
    expect(world.notices).toEqual(['Charges accepted: tried to create customer "Acme".']);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("holds no key of a telephone system", async () => {
    const { world, id } = await startWithCustomer({ customers: "full" });
    const changes = { pbxConnectionProfile: { ...profile, accountId: "8" } };
    await customer.update(world, id, declaredCustomer(), declaredCustomer(changes));
    await customer.create(world, declaredCustomer({ adopt: id }));
    await customer.create(world, declaredCustomer());
    expect(world.notices).toHaveLength(4);
    shown(world.notices);
  });
});

describe("whether the header goes with a request", () => {
  it.each(["ask", "never"] as const)("is decided by the program and the policy %s", (chargePolicy) => {
    const gate = { chargePolicy, notice: () => undefined };
    expect(mayCharge(gate, { acceptCharges: true })).toBe(chargePolicy === "ask");
    for (const other of [false, undefined, null, "true", 1, {}]) {
      expect(mayCharge(gate, { acceptCharges: other })).toBe(false);
    }
  });
});
