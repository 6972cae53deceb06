import { create } from "../../../provider/resources/account";
import { AmbiguousAccountError, PaymentRequiredError } from "../../../provider/errors";
import { accountsPath, asked, declared, rejection, start, without, writes } from "../support";

const list = `GET ${accountsPath}`;
const post = `POST ${accountsPath}`;

describe("create", () => {
  it("looks for the reference first, then sends what is declared", async () => {
    const world = await start();
    const inputs = declared({ description: "d", timezone: "Europe/Amsterdam", countryCode: "NL" });
    const { id, outs } = await create(world, inputs);
    expect(asked(world.simulator)).toEqual([list, post]);
    const [sent] = writes(world.simulator);
    const body = without(inputs, "acceptCharges");
    expect(sent).toMatchObject({ method: "POST", path: accountsPath, query: {} });
    expect(sent?.body).toEqual(body);
    expect(sent?.headers).toMatchObject({ "content-type": "application/json", "accept-charges": "true" });
    const [account] = world.simulator.accounts();
    expect(id).toBe(account?.id);
    expect(outs).toEqual({ ...inputs, parentTenantId: account?.parentTenantId, dateCreated: account?.dateCreated });
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it.each(["envelope", "bare", "location", "empty"] as const)(
    "ends with the same id, outputs and one charge when the success body is %s",
    async (successBody) => {
      const world = await start({ successBody });
      const { id, outs } = await create(world, declared());
      const [account] = world.simulator.accounts();
      expect(id).toBe(account?.id);
      expect(outs).toEqual({
        ...declared(),
        parentTenantId: account?.parentTenantId,
        dateCreated: account?.dateCreated,
      });
      expect(world.simulator.charges()).toHaveLength(1);
      expect(writes(world.simulator)).toHaveLength(1);
      expect(world.notices).toEqual([`Charges accepted: created account "Acme" (${id}).`]);
    },
  );

  it.each([200, 202])("is content with status %s", async (post) => {
    const world = await start({ successStatus: { post } });
    const { id } = await create(world, declared());
    expect(id).toBe(world.simulator.accounts()[0]?.id);
  });

  it("finds the account when the answer was 204", async () => {
    const world = await start({ successStatus: { post: 204 } });
    const { id } = await create(world, declared());
    expect(id).toBe(world.simulator.accounts()[0]?.id);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("keeps the id although the rest cannot be read", async () => {
    const world = await start({ successBody: "location" });
    world.simulator.arm({ action: "status", status: 403, method: "GET", path: `${accountsPath}/` });
    const { id, outs } = await create(world, declared());
    expect(id).toBe(world.simulator.accounts()[0]?.id);
    expect(outs).toEqual(declared());
  });

  it("keeps what was declared although the service answers with other texts", async () => {
    const world = await start({ extraFields: { unknown: { deep: [1] }, status: null } });
    const { outs } = await create(world, declared({ name: "Acme" }));
    expect(Object.keys(outs).sort()).toEqual(
      ["name", "reference", "enabled", "acceptCharges", "parentTenantId", "dateCreated"].sort(),
    );
  });

  it("sends no look-up when there is no reference to look for", async () => {
    const world = await start();
    const inputs = without(declared(), "reference");
    await create(world, inputs);
    expect(asked(world.simulator)).toEqual([post]);
    expect(writes(world.simulator)[0]?.body).not.toHaveProperty("reference");
  });

  it("never takes over an account by its name", async () => {
    const world = await start({ seedAccounts: [{ name: "Acme" }, { name: "Acme", reference: "other" }] });
    const { id } = await create(world, declared({ name: "Acme" }));
    expect(world.simulator.accounts()).toHaveLength(3);
    expect(world.simulator.accounts()[2]?.id).toBe(id);
  });

  it("of many at once shares one look-up and charges each once", async () => {
    const world = await start();
    const references = Array.from({ length: 20 }, (_, index) => `shop/dev/a${index}`);
    await Promise.all(references.map((reference) => create(world, declared({ reference }))));
    expect(asked(world.simulator).filter((line) => line === list)).toHaveLength(1);
    expect(
      world.simulator
        .charges()
        .map((charge) => charge.reference)
        .sort(),
    ).toEqual(references.sort());
  });

  it("of two with one reference charges once and names the other", async () => {
    const world = await start();
    const [first, second] = await Promise.allSettled([
      create(world, declared()),
      create(world, declared({ name: "B" })),
    ]);
    expect(first.status).toBe("fulfilled");
    expect(second).toMatchObject({ status: "rejected", reason: expect.any(AmbiguousAccountError) as unknown });
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("that failed leaves the reference free", async () => {
    const world = await start();
    world.simulator.arm({ action: "status", status: 400, method: "POST" });
    await rejection(create(world, declared()));
    await create(world, declared());
    expect(world.simulator.charges()).toHaveLength(1);
  });
});

describe("create without accepted charges", () => {
  it.each([false, undefined])("(%s) is refused by the service, not sent again, and says what to do", async (accept) => {
    const world = await start();
    const inputs = without(declared(), "acceptCharges");
    const error = await rejection(create(world, accept === undefined ? inputs : { ...inputs, acceptCharges: accept }));
    expect(error).toBeInstanceOf(PaymentRequiredError);
    expect(error.message).toMatch(/create account "Acme".*402.*may incur extra charges.*acceptCharges: true/);
    expect(error).not.toHaveProperty("id");
    expect(writes(world.simulator)).toHaveLength(1);
    expect(writes(world.simulator)[0]?.headers).not.toHaveProperty("accept-charges");
    expect(world.simulator.accounts()).toEqual([]);
    expect(world.simulator.charges()).toEqual([]);
  });

  it("is a refusal even when its echo looks like a record", async () => {
    const world = await start();
    const id = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
    for (const body of [
      { id, ...declared() },
      { data: { id, ...declared() }, status: "success" },
    ]) {
      world.simulator.arm({ action: "status", status: 402, body, method: "POST" });
      expect(await rejection(create(world, declared()))).toBeInstanceOf(PaymentRequiredError);
    }
  });

  it("that the service refuses although they were accepted does not go round and round", async () => {
    const world = await start();
    world.simulator.arm({ action: "status", status: 402, body: {}, method: "POST", times: Infinity });
    const error = await rejection(create(world, declared()));
    expect(error).toBeInstanceOf(PaymentRequiredError);
    expect(error.message).toMatch(/402 Payment Required although charges were accepted/);
    expect(error.message).not.toContain("set acceptCharges");
    expect(writes(world.simulator)).toHaveLength(1);
    expect(world.clock.waits).toEqual([]);
  });
});
