import { create, remove } from "../../../provider/resources/account";
import {
  InvalidArgumentError,
  OutcomeUnknownError,
  ServiceUnavailableError,
  UnauthorizedError,
  UnexpectedResponseError,
  WrongEnterpriseError,
} from "../../../provider/errors";
import { accountsPath, declared, rejection, start, writes } from "../support";

async function withAccount(options: Parameters<typeof start>[0] = {}) {
  const world = await start({
    seedAccounts: [{ name: "Acme", reference: "shop/dev/acme" }, { name: "Other" }],
    ...options,
  });
  const [account] = world.simulator.accounts();
  if (!account) throw new Error("no account was seeded");
  const { id, parentTenantId, dateCreated } = account;
  return {
    world,
    id,
    props: { ...declared(), parentTenantId, dateCreated },
    stored: () => world.simulator.accounts()[0],
  };
}

describe("delete", () => {
  it("is one DELETE without a body, and accepts no charges", async () => {
    const { world, id, props, stored } = await withAccount();
    await remove(world, id, props);
    const [sent, ...more] = writes(world.simulator);
    expect(more).toEqual([]);
    expect(sent).toMatchObject({ method: "DELETE", path: `${accountsPath}/${id}`, query: {}, body: undefined });
    expect(sent?.headers).not.toHaveProperty("accept-charges");
    expect(sent?.headers).not.toHaveProperty("content-type");
    expect(stored()).toMatchObject({ enabled: false, flaggedForDeletion: true });
  });

  it.each([200, 202, 204])("is content with status %s", async (status) => {
    const { world, id, props } = await withAccount({ successStatus: { delete: status } });
    await remove(world, id, props);
  });

  it("done twice is a success both times", async () => {
    const { world, id, props } = await withAccount();
    await remove(world, id, props);
    await remove(world.anotherProcess(), id, props);
  });

  it("of an account that is no longer there is a success", async () => {
    const { world, id, props } = await withAccount();
    world.simulator.removeAccount(id);
    await remove(world, id, props);
  });

  it.each([
    [{ action: "html", status: 404 }, UnexpectedResponseError],
    [{ action: "status", status: 404 }, UnexpectedResponseError],
    [{ action: "status", status: 401 }, UnauthorizedError],
    [{ action: "redirect", location: "/login" }, OutcomeUnknownError],
  ] as const)("is no success after %j", async (fault, kind) => {
    const { world, id, props } = await withAccount();
    world.simulator.arm({ ...fault, method: "DELETE" });
    expect(await rejection(remove(world, id, props))).toBeInstanceOf(kind);
  });

  it("with a token of another enterprise sends no DELETE", async () => {
    const { world, id, props } = await withAccount();
    const foreign = { ...props, parentTenantId: "11111111-1111-4111-8111-111111111111" };
    expect(await rejection(remove(world, id, foreign))).toBeInstanceOf(WrongEnterpriseError);
    expect(writes(world.simulator)).toEqual([]);
  });

  it("sends no DELETE while the enterprise cannot be seen", async () => {
    const { world, id, props } = await withAccount({ limits: { budgetMs: 500 } });
    world.simulator.arm({ action: "status", status: 503, method: "GET", times: Infinity });
    expect(await rejection(remove(world, id, props))).toBeInstanceOf(ServiceUnavailableError);
    expect(writes(world.simulator)).toEqual([]);
  });

  it.each(["..", "a/b", "?x", "#", "a\r\nb", ""])("refuses the id %j before any request", async (id) => {
    const { world, props } = await withAccount();
    expect(await rejection(remove(world, id, props))).toBeInstanceOf(InvalidArgumentError);
    expect(world.simulator.requests()).toEqual([]);
  });

  it("leaves nothing that a later creation would take over", async () => {
    const { world, id, props } = await withAccount();
    await remove(world, id, props);
    const { id: fresh } = await create(world.anotherProcess(), declared());
    expect(fresh).not.toBe(id);
    expect(world.simulator.charges()).toHaveLength(1);
  });
});

describe("a deletion whose answer was lost", () => {
  it.each([
    { action: "cut-after" },
    { action: "cut-after", reset: true },
    { action: "status", status: 502, act: true },
    { action: "delay-headers", ms: 10_000 },
  ] as const)("by %j is a success when a read shows the account disabled", async (fault) => {
    const { world, id, props } = await withAccount({ limits: { headersMs: 100 } });
    world.simulator.arm({ ...fault, method: "DELETE" });
    await remove(world, id, props);
    expect(writes(world.simulator)).toHaveLength(1);
  });

  it("is a success when the account is gone afterwards", async () => {
    const { world, id, props } = await withAccount();
    world.simulator.arm({ action: "cut-before", method: "DELETE" });
    world.simulator.arm({
      action: "status",
      status: 404,
      body: { error: 404, message: "Not Found", status: "error" },
      path: `${accountsPath}/`,
    });
    await remove(world, id, props);
  });

  it("stays in doubt when the account cannot be read afterwards", async () => {
    const { world, id, props } = await withAccount({ limits: { budgetMs: 500 } });
    world.simulator.arm({ action: "cut-after", method: "DELETE" });
    world.simulator.arm({ action: "status", status: 503, path: `${accountsPath}/`, times: Infinity });
    expect(await rejection(remove(world, id, props))).toBeInstanceOf(OutcomeUnknownError);
  });

  it("is in doubt when the account is still enabled", async () => {
    const { world, id, props, stored } = await withAccount();
    world.simulator.arm({ action: "cut-before", method: "DELETE" });
    expect(await rejection(remove(world, id, props))).toBeInstanceOf(OutcomeUnknownError);
    expect(writes(world.simulator)).toHaveLength(1);
    expect(stored()).toMatchObject({ enabled: true });
  });

  it("is in doubt when the account was disabled before, for that does not show whether it is flagged", async () => {
    const { world, id, props } = await withAccount();
    world.simulator.editAccount(id, { enabled: false });
    world.simulator.arm({ action: "cut-before", method: "DELETE" });
    expect(await rejection(remove(world, id, { ...props, enabled: false }))).toBeInstanceOf(OutcomeUnknownError);
  });

  it("of what another resource of this run took over sends nothing: renaming creates before it deletes", async () => {
    const { world, id, props, stored } = await withAccount();
    const renamed = await create(world, { ...declared(), name: "Acme", reference: "shop/dev/acme", enabled: true });
    expect(renamed.id).toBe(id);
    await remove(world, id, props);
    expect(writes(world.simulator)).toEqual([]);
    expect(stored()).toMatchObject({ enabled: true });
    expect(world.notices.join()).toContain("was not deleted");

    // Only then: another run deletes as ever.
    await remove(world.anotherProcess(), id, props);
    expect(stored()).toMatchObject({ enabled: false });
  });
});
