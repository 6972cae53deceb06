import { diff, read } from "../../../provider/resources/account";
import {
  InvalidArgumentError,
  NotFoundError,
  ServiceUnavailableError,
  UnexpectedResponseError,
  WrongEnterpriseError,
} from "../../../provider/errors";
import { accountsPath, asked, declared, rejection, start, without, type World, writes } from "../support";

const unknownId = "00000000-0000-4000-8000-000000000000";

/** A world with one account, and its id and what state would hold of it. */
async function withAccount(options: Parameters<typeof start>[0] = {}) {
  const seed = { name: "Acme", reference: "shop/dev/acme", timezone: "Europe/Amsterdam", countryCode: "NL" };
  const world = await start({ seedAccounts: [seed], ...options });
  const [account] = world.simulator.accounts();
  if (!account) throw new Error("no account was seeded");
  const { id, parentTenantId, dateCreated } = account;
  const state = { ...declared({ timezone: "Europe/Amsterdam", countryCode: "NL" }), parentTenantId, dateCreated };
  return { world, id, state };
}

describe("read", () => {
  it("of one account is one GET, and finds no drift where there is none", async () => {
    const { world, id, state } = await withAccount();
    const inputs = without(state, "parentTenantId", "dateCreated");
    expect(await read(world, id, state)).toEqual({ id, props: state, inputs });
    expect(asked(world.simulator)).toEqual([`GET ${accountsPath}/${id}`]);
  });

  it.each(["null", "empty", "absent"] as const)("finds no drift in unset texts that are %s", async (unsetText) => {
    const { world, id, state } = await withAccount({ unsetText, extraFields: { more: null } });
    const { props } = await read(world, id, state);
    expect(diff("id", props ?? {}, state).changes).toBe(false);
  });

  it("shows what was changed elsewhere in the fields that are declared", async () => {
    const { world, id, state } = await withAccount();
    world.simulator.editAccount(id, { name: "Renamed", enabled: false, reference: "other", description: "added" });
    const { props, inputs } = await read(world, id, state);
    expect(props).toMatchObject({ name: "Renamed", enabled: false, reference: "other" });
    expect(inputs).toMatchObject({ name: "Renamed", enabled: false, reference: "other" });
    expect(props).not.toHaveProperty("description");
    expect(inputs).not.toHaveProperty("description");
    expect(diff("id", props ?? {}, state).changes).toBe(true);
  });

  it.each(["null", "empty", "absent"] as const)(
    "shows that a declared text was cleared elsewhere: %s",
    async (unsetText) => {
      const { world, id, state } = await withAccount({ unsetText });
      world.simulator.editAccount(id, { reference: null, description: null });
      const { props } = await read(world, id, { ...state, description: "mine" });
      expect(props).toMatchObject({ reference: "", description: "" });
    },
  );

  it("shows an account that was deactivated and flagged as drift, not as gone", async () => {
    const { world, id, state } = await withAccount();
    world.simulator.editAccount(id, { enabled: false, flaggedForDeletion: true });
    expect(await read(world, id, state)).toMatchObject({ id, props: { enabled: false } });
  });

  it("keeps what the service never returns as it was sent", async () => {
    const { world, id, state } = await withAccount();
    world.simulator.editAccount(id, { timezone: "Asia/Tokyo", countryCode: "JP" });
    expect(await read(world, id, state)).toMatchObject({ props: { timezone: "Europe/Amsterdam", countryCode: "NL" } });
  });

  it("says gone with a blank id once the service's own envelope does", async () => {
    const { world, id, state } = await withAccount({ seedAccounts: 1 });
    world.simulator.seedAccount();
    world.simulator.removeAccount(id);
    expect(await read(world, id, state)).toEqual({ id: "" });
    expect(writes(world.simulator)).toEqual([]);
  });

  it.each([
    [{ action: "html", status: 404 }, UnexpectedResponseError],
    [{ action: "status", status: 404 }, UnexpectedResponseError],
    [{ action: "status", status: 410 }, UnexpectedResponseError],
    [{ action: "status", status: 503, times: Infinity }, ServiceUnavailableError],
    [{ action: "json", body: { data: null, status: "success" } }, UnexpectedResponseError],
  ] as const)("does not say gone after %j", async (fault, kind) => {
    const { world, id, state } = await withAccount({ limits: { budgetMs: 500 } });
    world.simulator.arm(fault);
    expect(await rejection(read(world, id, state))).toBeInstanceOf(kind);
  });

  it("does not say gone with a token of another enterprise", async () => {
    const { world, state } = await withAccount();
    const error = await rejection(read(world, unknownId, { ...state, parentTenantId: unknownId }));
    expect(error).toBeInstanceOf(WrongEnterpriseError);
    expect(error.message).toContain(`belongs to enterprise ${unknownId}`);
    expect(error.message).toContain(world.simulator.enterpriseTenantId);
  });

  it("without a state brings all there is", async () => {
    const { world, id, state } = await withAccount();
    world.simulator.editAccount(id, { description: "d" });
    const { props } = await read(world, id, {});
    const { parentTenantId, dateCreated } = state;
    const readable = { name: "Acme", reference: "shop/dev/acme", description: "d", enabled: true };
    expect(props).toMatchObject({ ...readable, parentTenantId, dateCreated });
    expect(props).not.toHaveProperty("acceptCharges");
  });

  it("without a state fails when there is no such account", async () => {
    const { world } = await withAccount();
    expect(await rejection(read(world, unknownId, {}))).toBeInstanceOf(NotFoundError);
  });

  it.each(["..", "a/b", "?x", "#", "a\r\nb", ""])("refuses the id %j before any request", async (id) => {
    const { world, state } = await withAccount();
    for (let round = 0; round < 2; round++) {
      expect(await rejection(read(world, id, state))).toBeInstanceOf(InvalidArgumentError);
    }
    expect(world.simulator.requests()).toEqual([]);
  });

  it("is not led astray by prototypes in a response", async () => {
    const { world, id, state } = await withAccount();
    const { parentTenantId, dateCreated } = state;
    const text = JSON.stringify({
      data: { id, name: "Acme", enabled: true, parentTenantId, dateCreated },
      status: "success",
    });
    const body = text.replace(
      '"name"',
      '"__proto__":{"description":"polluted"},"constructor":{"prototype":{"reference":"x"}},"name"',
    );
    world.simulator.arm({ action: "status", status: 200, body, contentType: "application/json" });
    const { props } = await read(world, id, {});
    expect(props).toEqual({ name: "Acme", enabled: true, parentTenantId, dateCreated });
    expect(({} as { description?: unknown }).description).toBeUndefined();
  });
});

describe("many reads", () => {
  const many = async (world: World, state: Parameters<typeof read>[2]) =>
    Promise.all(world.simulator.accounts().map(({ id }) => read(world, id, state)));

  it("share one list", async () => {
    const { world, state } = await withAccount({ seedAccounts: 200 });
    const results = await many(world, state);
    expect(results.map(({ id }) => id)).toEqual(world.simulator.accounts().map(({ id }) => id));
    expect(asked(world.simulator)).toEqual([`GET ${accountsPath}`]);
  });

  it.each([1_000, 1_001, 10_000])(
    "of %d accounts take a request a page and at most one more",
    async (count) => {
      const seedAccounts = Array.from({ length: count }, (_, index) => ({ name: "Acme", reference: `CRM-${index}` }));
      const { world, state } = await withAccount({ seedAccounts });
      const results = await many(world, state);
      expect(results.filter(({ id }) => id !== "")).toHaveLength(count);
      expect(results.map(({ props }) => props?.reference)).toEqual(seedAccounts.map(({ reference }) => reference));
      expect(asked(world.simulator).length).toBeLessThanOrEqual(Math.ceil(count / 1_000) + 1);
      expect(new Set(asked(world.simulator))).toEqual(new Set([`GET ${accountsPath}`]));
    },
    60_000,
  );

  it("ask once more for an account that the list lacks, since pages shift while they are read", async () => {
    const { world, state } = await withAccount({ seedAccounts: 10 });
    const missing = world.simulator.accounts()[7]?.id ?? "";
    const data = world.simulator.accounts().filter(({ id }) => id !== missing);
    world.simulator.arm({
      action: "json",
      body: { page_size: 1000, data, status: "success" },
      path: `${accountsPath}\\?`,
    });
    const results = await many(world, state);
    expect(results.every(({ id }) => id !== "")).toBe(true);
    expect(asked(world.simulator)).toContain(`GET ${accountsPath}/${missing}`);
  });

  it("say gone only of what is gone", async () => {
    const { world, state } = await withAccount({ seedAccounts: 10 });
    const ids = world.simulator.accounts().map(({ id }) => id);
    world.simulator.removeAccount(ids[4] ?? "");
    const results = await Promise.all(ids.map((id) => read(world, id, state)));
    expect(results.map(({ id }) => id)).toEqual(ids.map((id, index) => (index === 4 ? "" : id)));
    expect(asked(world.simulator)).toEqual([`GET ${accountsPath}`, `GET ${accountsPath}/${ids[4] ?? ""}`]);
  });
});
