import type { CustomerInputs } from "../../../provider/resources/customer";
import { remove, update } from "../../../provider/resources/customer";
import {
  canary,
  customersPath,
  declaredCustomer,
  modes,
  profile,
  recorded,
  safeRejection,
  sent,
  startWithCustomer,
  unknownId,
} from "../customer-support";
import { asked, writes } from "../support";

const full = () => startWithCustomer({ customers: "full" });
const replace = (path: string, value: unknown) => ({ op: "replace" as const, path, value });

describe("changing a customer where the service offers it", () => {
  it("is one PATCH of what differs", async () => {
    const { world, id } = await full();
    const news = declaredCustomer({ name: "Renamed", culture: "nl-BE" });
    expect(await update(world, id, declaredCustomer(), news)).toEqual({ outs: { ...news, tenantId: id } });
    const [request, ...others] = world.simulator.requests();
    expect(others).toEqual([]);
    expect(request).toMatchObject({ method: "PATCH", path: `${customersPath}/${id}` });
    expect(request?.headers).toMatchObject({ "content-type": "application/json", "accept-charges": "true" });
    expect(request?.body).toHaveLength(2);
    expect(request?.body).toContainEqual(replace("/name", "Renamed"));
    expect(request?.body).toContainEqual(replace("/culture", "nl-BE"));
    expect(world.simulator.customers()).toMatchObject([{ ...sent(), name: "Renamed", culture: "nl-BE" }]);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it.each([
    [{ enabled: false }, [replace("/enabled", false)]],
    [{ description: undefined }, [replace("/description", "")]],
    [{ timezone: "Europe/Paris" }, [replace("/timezone", "Europe/Paris")]],
    [{ pbxConnectionProfile: { ...profile, apiKey: "another" } }, [replace("/pbxConnectionProfile/apiKey", "another")]],
    [
      { pbxConnectionProfile: { ...profile, _type: "OtherPbxConnectionProfile" } },
      [replace("/pbxConnectionProfile/_type", "OtherPbxConnectionProfile")],
    ],
    [{ pbxConnectionProfile: undefined }, [replace("/pbxConnectionProfile", null)]],
  ] as [Partial<CustomerInputs>, object[]][])(
    "to %j sends %j, and the service takes it",
    async (changes, operations) => {
      const { world, id } = await full();
      await update(world, id, declaredCustomer(), declaredCustomer(changes));
      expect(writes(world.simulator).map(({ body, status }) => [body, status])).toEqual([[operations, 200]]);
      const desired = { ...sent(), ...changes };
      expect(world.simulator.customers()).toMatchObject([
        {
          ...desired,
          description: desired.description ?? "",
          pbxConnectionProfile: desired.pbxConnectionProfile ?? null,
        },
      ]);
    },
  );

  it("sets a profile that was not there as a whole", async () => {
    const { world, id } = await full();
    await update(world, id, declaredCustomer({ pbxConnectionProfile: undefined }), declaredCustomer());
    expect(writes(world.simulator)[0]?.body).toEqual([replace("/pbxConnectionProfile", profile)]);
  });

  it.each([{}, { acceptCharges: false }, { adopt: unknownId }, { description: "first" }])(
    "sends nothing when %j is all that is declared anew",
    async (changes) => {
      const { world, id } = await full();
      const result = await update(world, id, declaredCustomer(), declaredCustomer(changes));
      expect(result).toEqual({ outs: recorded(id, changes) });
      expect(world.simulator.requests()).toEqual([]);
      expect(world.notices).toEqual([]);
    },
  );

  it("is refused with 402 where it may cost and that was not accepted", async () => {
    const { world, id } = await startWithCustomer({ customers: "full", patchCharges: true });
    const news = declaredCustomer({ name: "Renamed", acceptCharges: false });
    const error = await safeRejection(world, update(world, id, declaredCustomer(), news));
    expect(error.name).toBe("PaymentRequiredError");
    expect(error.message).toContain(`Could not change name of customer ${id}: `);
    expect(writes(world.simulator).map(({ headers }) => "accept-charges" in headers)).toEqual([false]);
    expect(world.simulator.customers()).toMatchObject([{ name: "Acme" }]);
    expect(world.notices).toEqual([]);
  });

  it.each([{ action: "cut-after" }, { action: "truncate" }, { action: "status", status: 500 }] as const)(
    "is not sent again after %j, and the error holds no key",
    async (fault) => {
      const { world, id } = await full();
      world.simulator.arm({ ...fault, method: "PATCH" });
      const news = declaredCustomer({ pbxConnectionProfile: { ...profile, apiKey: `${canary}2` } });
      const error = await safeRejection(world, update(world, id, declaredCustomer(), news));
      expect(error.name).toBe("OutcomeUnknownError");
      expect(error.message).toContain("change pbxConnectionProfile.apiKey of customer");
      expect(asked(world.simulator)).toEqual([`PATCH ${customersPath}/${id}`]);
    },
  );

  it.each([
    [{ name: "Renamed", pbxConnectionProfile: { ...profile, apiKey: `${canary}2` } }, `${canary}2`],
    [{ pbxConnectionProfile: undefined }, canary],
    [{ pbxConnectionProfile: { ...profile } }, canary],
  ])("shows no key that a refusal repeats, %#", async (changes, key) => {
    const { world, id } = await full();
    const olds = changes.pbxConnectionProfile?.apiKey === canary ? { pbxConnectionProfile: undefined } : {};
    const body = { error: 400, message: `The value '${key}' is not valid.`, status: "error" };
    world.simulator.arm({ action: "status", status: 400, body });
    const news = declaredCustomer(changes);
    const operation = update(world, id, declaredCustomer(olds), news);
    // A key that is not sent cannot be repeated by the service.
    if (news.pbxConnectionProfile === undefined) await expect(operation).rejects.toThrow("is not valid");
    else expect(await safeRejection(world, operation)).toHaveProperty("name", "BadRequestError");
  });
});

describe("changing a customer where the service only creates", () => {
  it.each([undefined, 405, 501])("fails with a way to go on, and leaves state as it is (%s)", async (status) => {
    const { world, id } = await startWithCustomer();
    if (status !== undefined) world.simulator.arm({ action: "status", status });
    const news = declaredCustomer({ name: "Renamed", pbxConnectionProfile: { ...profile, accountId: "8" } });
    const error = await safeRejection(world, update(world, id, declaredCustomer(), news));
    expect(error.name).toBe("NotOfferedError");
    expect(error.message).toMatch(
      /^Could not change (name, pbxConnectionProfile\.accountId|pbxConnectionProfile\.accountId, name) of customer /,
    );
    expect(error.message).toContain(
      `the service does not offer this (it answered ${status ?? 404}). Nothing was changed. Change it in the portal, and list the properties in ignoreChanges of this resource; or undo the change in the program.`,
    );
    // With an id and properties the engine would keep what was declared as if it were so.
    expect(error).not.toHaveProperty("id");
    expect(error).not.toHaveProperty("properties");
    expect(asked(world.simulator)).toEqual([`PATCH ${customersPath}/${id}`]);
    expect(world.simulator.customers()).toMatchObject([sent()]);
    expect(world.notices).toEqual([]);
  });
});

describe("deleting a customer", () => {
  it("is one DELETE without a body, and charges nothing", async () => {
    const { world, id } = await full();
    await remove(world, id, declaredCustomer());
    const [request, ...others] = world.simulator.requests();
    expect(others).toEqual([]);
    expect(request).toMatchObject({ method: "DELETE", path: `${customersPath}/${id}`, status: 204, body: undefined });
    expect(request?.headers).not.toHaveProperty("accept-charges");
    expect(request?.headers).not.toHaveProperty("content-type");
    expect(world.simulator.customers()).toMatchObject([{ id, enabled: false, flaggedForDeletion: true }]);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("that is gone, as the service's own envelope says, is success", async () => {
    const { world } = await full();
    await expect(remove(world, unknownId, declaredCustomer())).resolves.toBeUndefined();
    expect(asked(world.simulator)).toEqual([`DELETE ${customersPath}/${unknownId}`]);
  });

  it.each([undefined, 404, 405, 501])("that the service does not offer (%s) is never success", async (status) => {
    const { world, id } = await startWithCustomer();
    if (status !== undefined) world.simulator.arm({ action: "html", status });
    const error = await safeRejection(world, remove(world, id, declaredCustomer()));
    expect(error.name).toBe("NotOfferedError");
    expect(error.message).toBe(
      `Could not delete customer ${id}: the service does not offer this (it answered ${status ?? 404}). It still exists. Remove it in the portal; then set retainOnDelete on this resource, run \`pulumi up\`, and remove it from the program.`,
    );
    expect(asked(world.simulator)).toEqual([`DELETE ${customersPath}/${id}`]);
    expect(world.simulator.customers()).toMatchObject([{ flaggedForDeletion: false }]);
  });

  it.each(modes)("that fails on its way is no success (%s)", async (customers) => {
    const { world, id } = await startWithCustomer({ customers });
    for (const fault of [{ action: "cut-after" }, { action: "html", status: 502 }] as const) {
      world.simulator.arm(fault);
      const error = await safeRejection(world, remove(world, id, declaredCustomer()));
      expect(error.name).toBe("OutcomeUnknownError");
    }
    expect(asked(world.simulator)).toHaveLength(2);
  });
});
