import { update } from "../../../provider/resources/account";
import {
  InvalidArgumentError,
  NotFoundError,
  OutcomeUnknownError,
  PaymentRequiredError,
  WrongEnterpriseError,
} from "../../../provider/errors";
import { accountsPath, declared, rejection, start, writes } from "../support";

async function withAccount(options: Parameters<typeof start>[0] = {}) {
  const world = await start({ seedAccounts: [{ name: "Acme", reference: "shop/dev/acme" }], ...options });
  const [account] = world.simulator.accounts();
  if (!account) throw new Error("no account was seeded");
  const { id, parentTenantId, dateCreated } = account;
  return {
    world,
    id,
    olds: { ...declared(), parentTenantId, dateCreated },
    stored: () => world.simulator.accounts()[0],
  };
}

const replace = (path: string, value: unknown) => ({ op: "replace", path, value });

describe("update", () => {
  it("sends no request when nothing changed", async () => {
    const { world, id, olds } = await withAccount();
    expect(await update(world, id, olds, declared())).toEqual({ outs: olds });
    expect(world.simulator.requests()).toEqual([]);
  });

  it("sends no request when only charges are accepted from now on", async () => {
    const { world, id, olds } = await withAccount();
    const { outs } = await update(world, id, { ...olds, acceptCharges: false }, declared());
    expect(outs).toEqual(olds);
    expect(world.simulator.requests()).toEqual([]);
  });

  it("sends one PATCH with the fields that differ", async () => {
    const { world, id, olds, stored } = await withAccount();
    const news = declared({ name: "Acme BV", enabled: false, timezone: "Europe/Paris" });
    const { outs } = await update(world, id, olds, news);
    const [sent, ...more] = writes(world.simulator);
    expect(more).toEqual([]);
    expect(sent).toMatchObject({ method: "PATCH", path: `${accountsPath}/${id}`, query: {} });
    expect(sent?.headers).toMatchObject({ "content-type": "application/json", "accept-charges": "true" });
    expect(sent?.body).toHaveLength(3);
    expect(sent?.body).toEqual(
      expect.arrayContaining([
        replace("/name", "Acme BV"),
        replace("/enabled", false),
        replace("/timezone", "Europe/Paris"),
      ]),
    );
    expect(outs).toEqual({ ...news, parentTenantId: olds.parentTenantId, dateCreated: olds.dateCreated });
    expect(stored()).toMatchObject({ name: "Acme BV", enabled: false, timezone: "Europe/Paris" });
    expect(world.simulator.charges()).toEqual([]);
  });

  it("clears a text that is no longer declared", async () => {
    const { world, id, olds, stored } = await withAccount();
    world.simulator.editAccount(id, { description: "old" });
    const { outs } = await update(world, id, { ...olds, description: "old" }, declared());
    expect(writes(world.simulator)[0]?.body).toEqual([replace("/description", "")]);
    expect(outs).not.toHaveProperty("description");
    expect(stored()).toMatchObject({ description: "" });
  });

  it("leaves alone what was changed elsewhere between read and PATCH", async () => {
    const { world, id, olds, stored } = await withAccount();
    world.simulator.editAccount(id, { description: "from the portal", enabled: false });
    await update(world, id, olds, declared({ name: "Acme BV" }));
    expect(writes(world.simulator)[0]?.body).toEqual([replace("/name", "Acme BV")]);
    expect(stored()).toMatchObject({ name: "Acme BV", description: "from the portal", enabled: false });
  });

  it.each(["envelope", "bare", "location", "empty"] as const)(
    "is content with the success body %s",
    async (successBody) => {
      const { world, id, olds } = await withAccount({ successBody });
      await expect(update(world, id, olds, declared({ name: "B" }))).resolves.toMatchObject({ outs: { name: "B" } });
      expect(writes(world.simulator)).toHaveLength(1);
    },
  );

  it.each([202, 204])("is content with status %s", async (patch) => {
    const { world, id, olds } = await withAccount({ successStatus: { patch } });
    await expect(update(world, id, olds, declared({ name: "B" }))).resolves.toMatchObject({ outs: { name: "B" } });
  });

  it("accepts no charges unless the program does, and names the remedy when the service wants them accepted", async () => {
    const { world, id, olds, stored } = await withAccount({ patchCharges: true });
    const error = await rejection(update(world, id, olds, declared({ name: "B", acceptCharges: false })));
    expect(error).toBeInstanceOf(PaymentRequiredError);
    expect(error.message).toMatch(/change name of account .*acceptCharges: true/);
    expect(writes(world.simulator)).toHaveLength(1);
    expect(writes(world.simulator)[0]?.headers).not.toHaveProperty("accept-charges");
    expect(stored()).toMatchObject({ name: "Acme" });
    await update(world, id, olds, declared({ name: "B" }));
    expect(stored()).toMatchObject({ name: "B" });
  });

  it("of an account that is gone fails, and creates nothing", async () => {
    const { world, id, olds } = await withAccount();
    world.simulator.removeAccount(id);
    expect(await rejection(update(world, id, olds, declared({ name: "B" })))).toBeInstanceOf(NotFoundError);
    expect(world.simulator.accounts()).toEqual([]);
    expect(writes(world.simulator).map(({ method }) => method)).toEqual(["PATCH"]);
  });

  it("with a token of another enterprise writes nothing", async () => {
    const { world, id, olds } = await withAccount();
    const foreign = { ...olds, parentTenantId: "11111111-1111-4111-8111-111111111111" };
    const error = await rejection(update(world, id, foreign, declared({ name: "B" })));
    expect(error).toBeInstanceOf(WrongEnterpriseError);
    expect(error.message).toContain("Nothing was written.");
    expect(writes(world.simulator)).toEqual([]);
  });

  it.each(["..", "a/b", "?x", "#", "a\r\nb"])("refuses the id %j before any request", async (id) => {
    const { world, olds } = await withAccount();
    expect(await rejection(update(world, id, olds, declared({ name: "B" })))).toBeInstanceOf(InvalidArgumentError);
    expect(world.simulator.requests()).toEqual([]);
  });
});

describe("a change whose answer was lost", () => {
  it.each([
    { action: "cut-after" },
    { action: "truncate" },
    { action: "status", status: 500, act: true },
    { action: "delay-headers", ms: 10_000 },
  ] as const)("by %j is a success when a read shows it done", async (fault) => {
    const { world, id, olds } = await withAccount({ limits: { headersMs: 100 } });
    world.simulator.arm({ ...fault, method: "PATCH" });
    await expect(update(world, id, olds, declared({ name: "B" }))).resolves.toMatchObject({ outs: { name: "B" } });
    expect(writes(world.simulator)).toHaveLength(1);
    expect(world.notices).toEqual([`Charges accepted: changed account "B" (${id}).`]);
  });

  it("is in doubt when a read shows it not done, and is not sent again", async () => {
    const { world, id, olds } = await withAccount();
    world.simulator.arm({ action: "cut-before", method: "PATCH" });
    const error = await rejection(update(world, id, olds, declared({ name: "B" })));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toContain(`change name of account ${id}`);
    expect(writes(world.simulator)).toHaveLength(1);
  });

  it("is in doubt when it changed what the service never returns", async () => {
    const { world, id, olds } = await withAccount();
    world.simulator.arm({ action: "cut-after", method: "PATCH" });
    const error = await rejection(update(world, id, olds, declared({ timezone: "Europe/Paris" })));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
  });

  it("stays in doubt when the account cannot be read afterwards", async () => {
    const { world, id, olds } = await withAccount({ limits: { budgetMs: 500 } });
    world.simulator.arm({ action: "cut-after", method: "PATCH" });
    world.simulator.arm({ action: "status", status: 503, path: `${accountsPath}/`, times: Infinity });
    expect(await rejection(update(world, id, olds, declared({ name: "B" })))).toBeInstanceOf(OutcomeUnknownError);
  });
});
