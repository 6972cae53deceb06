import { WrongEnterpriseError } from "../../../provider/errors";
import { accountsPath, asked, rejection, start, type World } from "../support";

const list = `GET ${accountsPath}`;
const lists = (world: World) => asked(world.simulator).filter((line) => line === list).length;
const ids = (world: World) => world.simulator.accounts().map(({ id }) => id);

describe("reading through the directory", () => {
  it("asks for a single account with a single GET, each time when the reads are far apart", async () => {
    const world = await start({ seedAccounts: 3 });
    for (const id of ids(world)) {
      await world.directory.read(id);
      world.clock.advance(10_000);
    }
    expect(asked(world.simulator)).toEqual(ids(world).map((id) => `${list}/${id}`));
  });

  it("lists from the second read on when they come close together", async () => {
    const world = await start({ seedAccounts: 50 });
    for (const id of ids(world)) expect(await world.directory.read(id)).toMatchObject({ id });
    expect(asked(world.simulator)).toEqual([`${list}/${ids(world)[0] ?? ""}`, list]);
  });

  it("lists again once a list is old", async () => {
    const world = await start({ seedAccounts: 3 });
    await Promise.all(ids(world).map((id) => world.directory.read(id)));
    world.clock.advance(61_000);
    await Promise.all(ids(world).map((id) => world.directory.read(id)));
    expect(lists(world)).toBe(2);
  });

  it("does not believe the list of an account that this process changed", async () => {
    const world = await start({ seedAccounts: 3 });
    await Promise.all(ids(world).map((id) => world.directory.read(id)));
    const [first = ""] = ids(world);
    world.simulator.editAccount(first, { name: "Changed" });
    world.directory.noteChange(first);
    expect(await world.directory.read(first)).toMatchObject({ name: "Changed" });
  });

  it("does not answer later questions with a list that failed", async () => {
    const world = await start({ seedAccounts: 3 });
    world.simulator.arm({ action: "status", status: 403, path: `${accountsPath}$` });
    const outcomes = await Promise.allSettled(ids(world).map((id) => world.directory.read(id)));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await world.directory.read(ids(world)[2] ?? "")).toMatchObject({ id: ids(world)[2] });
  });
});

describe("looking up by reference", () => {
  it("finds every account with exactly that reference, disabled ones too", async () => {
    const seedAccounts = [
      { reference: "r" },
      { reference: "R" },
      { reference: "r", enabled: false },
      { reference: null },
    ];
    const world = await start({ seedAccounts });
    const [first, , third] = ids(world);
    expect((await world.directory.findByReference("r")).map(({ id }) => id)).toEqual([first, third]);
    expect(await world.directory.findByReference("")).toHaveLength(1);
    expect(await world.directory.findByReference("__proto__")).toEqual([]);
  });

  it("shares one list among many, and asks anew when told to", async () => {
    const world = await start({ seedAccounts: 1 });
    await Promise.all(["a", "b", "c"].map((reference) => world.directory.findByReference(reference)));
    expect(lists(world)).toBe(1);
    world.simulator.seedAccount({ reference: "a" });
    expect(await world.directory.findByReference("a")).toEqual([]);
    expect(await world.directory.findByReference("a", { fresh: true })).toHaveLength(1);
    expect(lists(world)).toBe(2);
  });
});

describe("claiming a reference", () => {
  it("is granted to one at a time", async () => {
    const { directory } = await start();
    const release = directory.claimReference("r");
    expect(directory.claimReference("r")).toBeUndefined();
    expect(directory.claimReference("other")).toBeDefined();
    release?.();
    expect(directory.claimReference("r")).toBeDefined();
  });

  it("is always granted to those without one", async () => {
    const { directory } = await start();
    expect(directory.claimReference(undefined)).toBeDefined();
    expect(directory.claimReference(undefined)).toBeDefined();
  });
});

describe("requiring the enterprise", () => {
  const foreign = "11111111-1111-4111-8111-111111111111";

  it("passes when the token sees the one in state, and asks once", async () => {
    const world = await start({ seedAccounts: 1 });
    const own = world.simulator.enterpriseTenantId;
    await Promise.all([1, 2, 3].map(() => world.directory.requireEnterprise("delete account", own)));
    await world.directory.requireEnterprise("delete account", own);
    expect(world.simulator.requests()).toHaveLength(1);
  });

  it("stops when the token sees another, naming both and what was to be done", async () => {
    const world = await start({ seedAccounts: 1 });
    const error = await rejection(world.directory.requireEnterprise("delete account 7", foreign));
    expect(error).toBeInstanceOf(WrongEnterpriseError);
    expect(error).toMatchObject({ doing: "delete account 7" });
    expect(error.message).toContain(foreign);
    expect(error.message).toContain(world.simulator.enterpriseTenantId);
  });

  it("asks nothing when the state names none", async () => {
    const world = await start({ seedAccounts: 1 });
    for (const owner of [undefined, "", null, 7]) await world.directory.requireEnterprise("delete account", owner);
    expect(world.simulator.requests()).toEqual([]);
  });

  it("asks again after it could not be seen", async () => {
    const world = await start({ seedAccounts: 1 });
    world.simulator.arm({ action: "status", status: 403 });
    await rejection(world.directory.requireEnterprise("delete account", foreign));
    expect(await rejection(world.directory.requireEnterprise("delete account", foreign))).toBeInstanceOf(
      WrongEnterpriseError,
    );
  });
});

describe("creating beside what is in state", () => {
  const foreign = "11111111-1111-4111-8111-111111111111";

  it("asks nothing while no state was seen", async () => {
    const world = await start({ seedAccounts: 1 });
    for (const owner of [undefined, "", 7]) world.directory.noteOwner(owner);
    await world.directory.requireOwners("create account");
    expect(world.simulator.requests()).toEqual([]);
  });

  it("passes when the token sees the same enterprise", async () => {
    const world = await start({ seedAccounts: 1 });
    world.directory.noteOwner(world.simulator.enterpriseTenantId);
    await world.directory.requireOwners("create account");
  });

  it.each([
    [1, "but this token sees enterprise"],
    [0, "but this token sees no account at all"],
  ])("stops when the token sees %d accounts of another", async (seedAccounts, says) => {
    const world = await start({ seedAccounts });
    world.directory.noteOwner(foreign);
    const error = await rejection(world.directory.requireOwners("create account"));
    expect(error).toBeInstanceOf(WrongEnterpriseError);
    expect(error.message).toContain(says);
  });
});
