import { InvalidArgumentError, NotFoundError, UnexpectedResponseError } from "../../../provider/errors";
import { accountsPath, asked, rejection, start, writes, type World, type WorldOptions } from "../support";

async function names(world: World): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of world.accounts.list()) found.push(name);
  return found;
}

const seeds = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `a${index}` }));
const pagesAsked = (world: World) => world.simulator.requests().map(({ query }) => query["pageIndex"]);

/** Answers the pages in order with these names as accounts, the last one for ever. */
function answerPages(world: World, ...pages: { ids: string[]; page_size?: number | null }[]): void {
  pages.forEach(({ ids, ...size }, index) => {
    const data = ids.map((id) => ({ id, name: id }));
    const last = index === pages.length - 1;
    world.simulator.arm({ action: "json", body: { ...size, data, status: "success" }, times: last ? Infinity : 1 });
  });
}

describe("the list of accounts", () => {
  it("asks for the documented page size, once when everything fits", async () => {
    const world = await start({ seedAccounts: seeds(3) });
    expect(await names(world)).toEqual(["a0", "a1", "a2"]);
    expect(world.simulator.requests()).toHaveLength(1);
    expect(world.simulator.requests()[0]).toMatchObject({
      method: "GET",
      path: accountsPath,
      query: { pageIndex: "0", pageSize: "1000" },
    });
  });

  it("follows pages that the service makes smaller than was asked for", async () => {
    const world = await start({ seedAccounts: seeds(25), maxPageSize: 10 });
    expect(await names(world)).toHaveLength(25);
    expect(pagesAsked(world)).toEqual(["0", "1", "2"]);
  });

  it("ends after a full last page", async () => {
    const world = await start({ seedAccounts: seeds(20), maxPageSize: 10 });
    expect(await names(world)).toHaveLength(20);
    expect(pagesAsked(world)).toEqual(["0", "1", "2"]);
  });

  it("reads more than a thousand", async () => {
    const world = await start({ seedAccounts: 1_001 });
    expect(new Set(await names(world)).size).toBe(1_001);
    expect(pagesAsked(world)).toEqual(["0", "1"]);
  });

  it("names an account once although it moved to a later page while they were read", async () => {
    const world = await start();
    answerPages(world, { ids: ["a", "b"], page_size: 2 }, { ids: ["b", "c"], page_size: 2 }, { ids: [], page_size: 2 });
    expect(await names(world)).toEqual(["a", "b", "c"]);
  });

  it("ends when a page is repeated, as by a service that ignores the page asked for", async () => {
    const world = await start();
    answerPages(world, { ids: ["a", "b"], page_size: 2 });
    expect(await names(world)).toEqual(["a", "b"]);
    expect(pagesAsked(world)).toHaveLength(2);
  });

  it("ends in an error when it has no end", async () => {
    let page = 0;
    const world = await start();
    world.accounts.page = () => Promise.resolve({ records: [{ id: `x${page++}`, name: "x" }] as never, size: 1 });
    const error = await rejection(names(world));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error.message).toContain("did not end after 1000 pages");
    expect(page).toBe(1_000);
  });

  it.each([undefined, null])("takes a page without a size (%s) for as large as asked for", async (page_size) => {
    const world = await start();
    answerPages(world, { ids: ["a"], ...(page_size === undefined ? {} : { page_size }) });
    expect(await names(world)).toEqual(["a"]);
    expect(pagesAsked(world)).toEqual(["0"]);
  });

  it.each(["null", "empty", "absent"] as const)("reads unset texts that are %s", async (unsetText) => {
    const world = await start({ seedAccounts: 1, unsetText, extraFields: { region: { code: 7 }, tags: null } });
    expect(await names(world)).toEqual(["Reseller 0001"]);
  });

  it.each([{ data: {} }, { data: [{ name: "no id" }] }, [], {}, { data: null }, "text", 7, null])(
    "is unreadable as %j, and that is said in one line",
    async (body) => {
      const world = await start();
      world.simulator.arm({ action: "json", body, times: Infinity });
      const error = await rejection(names(world));
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect(error.message).toMatch(/^Could not list the accounts: the service answered 200 with a body[^\n]+$/);
    },
  );
});

describe("one account", () => {
  it("is read with one GET", async () => {
    const world = await start({ seedAccounts: [{ name: "Acme", reference: "r", description: "d" }] });
    const [{ id, parentTenantId, dateCreated } = { id: "" }] = world.simulator.accounts();
    const record = { id, name: "Acme", reference: "r", description: "d", enabled: true, parentTenantId, dateCreated };
    expect(await world.accounts.get(id)).toEqual(record);
    expect(asked(world.simulator)).toEqual([`GET ${accountsPath}/${id}`]);
  });

  it("is not found only when the service's own envelope says so", async () => {
    const world = await start();
    const id = "00000000-0000-4000-8000-000000000000";
    expect(await rejection(world.accounts.get(id))).toBeInstanceOf(NotFoundError);
    for (const fault of [
      { action: "html", status: 404 },
      { action: "status", status: 404 },
      { action: "status", status: 404, body: { error: 400, message: "Not Found", status: "error" } },
      { action: "status", status: 200, body: { error: 404, message: "Not Found", status: "error" } },
    ] as const) {
      world.simulator.arm(fault);
      expect(await rejection(world.accounts.get(id))).toBeInstanceOf(UnexpectedResponseError);
    }
  });

  it.each(["..", ".", "a/b", "?x", "#", "a\r\nb", "a%2fb", ""])("with id %j is asked for by nobody", async (id) => {
    const world = await start();
    const calls = [world.accounts.get(id), world.accounts.patch(id, [], true), world.accounts.delete(id)];
    for (const call of calls) expect(await rejection(call)).toBeInstanceOf(InvalidArgumentError);
    expect(world.simulator.requests()).toEqual([]);
  });
});

describe("a new account is named", () => {
  const create = async (options: WorldOptions) => {
    const world = await start(options);
    const written = await world.accounts.create({ name: "Acme", reference: "r" }, true);
    return { world, written, id: world.simulator.accounts()[0]?.id };
  };

  it.each(["envelope", "bare"] as const)("by the record in the %s", async (successBody) => {
    const { written, id } = await create({ successBody });
    expect(written).toMatchObject({ id, record: { id, name: "Acme", reference: "r", enabled: true } });
  });

  it("by the Location header", async () => {
    const { written, id } = await create({ successBody: "location" });
    expect(written).toEqual({ id, record: undefined });
  });

  it("by nothing", async () => {
    const { written } = await create({ successBody: "empty" });
    expect(written).toEqual({ id: undefined, record: undefined });
  });

  it("by nothing, when the answer only repeats what was sent or points elsewhere", async () => {
    const world = await start();
    world.simulator.arm({ action: "json", body: { name: "Acme", reference: "r" }, method: "POST" });
    expect(await world.accounts.create({ name: "Acme" }, true)).toMatchObject({ id: undefined });
    const headers = { location: "/api/v1.0/customers/abc" };
    world.simulator.arm({ action: "status", status: 201, headers, method: "POST" });
    expect(await world.accounts.create({ name: "Acme" }, true)).toMatchObject({ id: undefined });
  });

  it.each(["https://api.example.com/api/v1.0/accounts/abc-1", "/api/v1.0/accounts/abc-1/", "accounts/abc-1"])(
    "by a Location such as %s",
    async (location) => {
      const world = await start();
      world.simulator.arm({ action: "status", status: 201, headers: { location }, method: "POST" });
      expect(await world.accounts.create({ name: "Acme" }, true)).toMatchObject({ id: "abc-1" });
    },
  );

  it.each(["/api/v1.0/accounts/..", "/api/v1.0/accounts/", "/api/v1.0/accounts/a%2fb", "/api/v1.0/accounts/a?b=c"])(
    "by no Location such as %s",
    async (location) => {
      const world = await start();
      world.simulator.arm({ action: "status", status: 201, headers: { location }, method: "POST" });
      expect(await world.accounts.create({ name: "Acme" }, true)).toMatchObject({ id: undefined });
    },
  );
});

describe("a change and a deletion", () => {
  it("are one PATCH and one DELETE, charges accepted for the change only when told to", async () => {
    const world = await start({ seedAccounts: 1 });
    const id = world.simulator.accounts()[0]?.id ?? "";
    const operations = [{ op: "replace" as const, path: "/name", value: "B" }];
    await world.accounts.patch(id, operations, false);
    await world.accounts.patch(id, operations, true);
    await world.accounts.delete(id);
    const [refusing, accepting, deleting] = writes(world.simulator);
    expect(refusing).toMatchObject({ method: "PATCH", path: `${accountsPath}/${id}`, body: operations });
    expect(refusing?.headers).toHaveProperty("content-type", "application/json");
    expect(refusing?.headers).not.toHaveProperty("accept-charges");
    expect(accepting?.headers).toHaveProperty("accept-charges", "true");
    expect(deleting).toMatchObject({ method: "DELETE", path: `${accountsPath}/${id}`, body: undefined });
    expect(deleting?.headers).not.toHaveProperty("accept-charges");
    expect(deleting?.headers).not.toHaveProperty("content-type");
  });
});
