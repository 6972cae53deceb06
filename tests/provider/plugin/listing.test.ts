import type { Simulator, SimulatorOptions } from "../../../simulator";
import { rejection, simulate } from "../support";
import { Engine, failureIn, secret, unknown } from "./engine";

let simulator: Simulator;
let engine: Engine;

async function start(options: SimulatorOptions): Promise<void> {
  simulator = await simulate(options);
  engine = await Engine.start({ baseUrl: simulator.baseUrl, accessToken: secret(simulator.accessToken) });
}

const named = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Account ${index}` }));
const sizes = () => simulator.requests().map(({ path, query }) => [path, query["pageIndex"], query["pageSize"]]);

/** All pages, by following the tokens. */
async function pages(asked: Parameters<Engine["list"]>[0]): Promise<string[][]> {
  const all: string[][] = [];
  for (let continuation = ""; ;) {
    const { names, next } = await engine.list({ ...asked, continuation });
    all.push(names);
    if (next === "" || all.length > 20) return all;
    continuation = next;
  }
}

test("everything is listed in one go where no size of a page is asked for", async () => {
  await start({ seedAccounts: named(25), maxPageSize: 10 });
  const { names, ids, next } = await engine.list();
  expect(names).toEqual(simulator.accounts().map(({ name }) => name));
  expect(ids).toEqual(simulator.accounts().map(({ id }) => id));
  expect(names).toHaveLength(25);
  expect(next).toBe("");
});

test("a page takes one request, and the next goes on where it ended", async () => {
  await start({ seedAccounts: named(25) });
  const listed = await pages({ pageSize: 10 });
  expect(listed.map(({ length }) => length)).toEqual([10, 10, 5]);
  expect(new Set(listed.flat()).size).toBe(25);
  expect(sizes()).toEqual([0, 1, 2].map((index) => ["/api/v1.0/accounts", String(index), "10"]));
});

test("smaller pages than asked for, and another size in between, skip no account", async () => {
  await start({ seedAccounts: named(25), maxPageSize: 7 });
  const first = await engine.list({ pageSize: 20 });
  expect(first.names).toHaveLength(7);
  const second = await engine.list({ pageSize: 3, continuation: first.next });
  expect(second.names).toHaveLength(7);
  expect(new Set([...first.names, ...second.names]).size).toBe(14);
});

test("a limit holds over all pages, and no page follows it", async () => {
  await start({ seedAccounts: named(25), maxPageSize: 10 });
  expect((await pages({ pageSize: 10, limit: 12 })).map(({ length }) => length)).toEqual([10, 2]);
  expect((await pages({ pageSize: 10, limit: 10 })).map(({ length }) => length)).toEqual([10]);
  const { names, next } = await engine.list({ limit: 12 });
  expect([names.length, next]).toEqual([12, ""]);
});

test("only what meets the query is listed, page by page or at once", async () => {
  await start({ seedAccounts: named(25) });
  const query = { namePrefix: "Account 2" };
  expect((await engine.list({ query })).names).toHaveLength(6);
  expect((await pages({ query, pageSize: 10 })).flat().sort()).toEqual((await engine.list({ query })).names.sort());
  expect(failureIn(await rejection(engine.list({ query: { prefix: "A" } }))).details).toContain("prefix");
});

test("a query that is not known yet sends nothing", async () => {
  await start({ seedAccounts: named(1) });
  expect(await engine.list({ query: { namePrefix: unknown } })).toEqual({
    names: [],
    ids: [],
    next: "",
    computed: true,
  });
  expect(simulator.requests()).toEqual([]);
});

test("what cannot be listed is refused: customers, unknown kinds, tokens of others", async () => {
  await start({ seedAccounts: named(1) });
  const customers = failureIn(await rejection(engine.list({ token: "reseller:index:Customer" })));
  expect(customers).toMatchObject({
    code: "UNIMPLEMENTED",
    details: expect.stringContaining("does not list") as string,
  });
  expect(failureIn(await rejection(engine.list({ token: "reseller:index:Invoice" })))).toMatchObject({
    code: "UNIMPLEMENTED",
  });
  for (const continuation of ["2", "1.0.0", "a.b.c", "-1.10.0", "1.10.0.0"]) {
    const { details } = failureIn(await rejection(engine.list({ continuation })));
    expect(details).toContain("did not come from this plugin");
  }
  expect(simulator.requests()).toEqual([]);
});

test("a failure of the service ends the list with what it said", async () => {
  await start({ seedAccounts: named(1) });
  simulator.arm({ method: "GET", action: "status", status: 403, times: Infinity });
  const { code, details } = failureIn(await rejection(engine.list()));
  expect([code, details]).toEqual(["FAILED_PRECONDITION", expect.stringContaining("list the accounts")]);
});
