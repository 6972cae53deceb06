import { Http } from "../../../provider/api/http";
import {
  BadRequestError,
  NetworkError,
  NotFoundError,
  PaymentRequiredError,
  RateLimitedError,
  ServiceUnavailableError,
  UnauthorizedError,
  UnexpectedResponseError,
} from "../../../provider/errors";
import { accountsPath, asked, fixedToken, rejection, start, writes, type World } from "../support";

const read = (world: World) => world.http.read({ doing: "list the accounts", path: "/accounts" });
const post = (world: World, acceptCharges = true) =>
  world.http.write({ doing: "create account", method: "POST", path: "/accounts", body: { name: "A" }, acceptCharges });

describe("a request", () => {
  it("carries the token, asks for JSON, and says nothing of charges or content when it has none", async () => {
    const world = await start({ accessToken: "token-1" });
    await world.http.read({ doing: "list", path: "/accounts", query: { pageIndex: 0, pageSize: 10 } });
    const [sent] = world.simulator.requests();
    expect(sent).toMatchObject({ method: "GET", path: accountsPath, query: { pageIndex: "0", pageSize: "10" } });
    expect(sent?.headers).toMatchObject({ authorization: "Bearer <redacted>", accept: "application/json" });
    expect(sent?.headers).not.toHaveProperty("accept-charges");
    expect(sent?.headers).not.toHaveProperty("content-type");
    expect(sent?.body).toBeUndefined();
  });

  it("with a body says that it is JSON, and accepts charges only when told to", async () => {
    const world = await start();
    await post(world);
    await rejection(post(world, false));
    const [accepting, refusing] = writes(world.simulator);
    expect(accepting).toMatchObject({ body: { name: "A" }, headers: { "content-type": "application/json" } });
    expect(accepting?.headers).toHaveProperty("accept-charges", "true");
    expect(refusing?.headers).not.toHaveProperty("accept-charges");
  });

  it("goes below the base address, with or without a slash at its end", async () => {
    const world = await start();
    for (const end of ["", "/", "//"]) {
      const http = new Http(world.simulator.baseUrl + end, fixedToken(world.simulator), world.clock);
      await http.read({ doing: "list", path: "/accounts" });
      await http.close();
    }
    expect(asked(world.simulator)).toEqual(Array(3).fill(`GET ${accountsPath}`));
  });
});

describe("a refusal becomes an error that names what was being done", () => {
  it.each([
    [400, { error: 400, message: "The value 'x' is not valid.", status: "error" }, BadRequestError, /is not valid/],
    [401, undefined, UnauthorizedError, /Get a token/],
    [402, { name: "A" }, PaymentRequiredError, /set acceptCharges: true/],
    [403, undefined, UnexpectedResponseError, /403/],
    [404, { error: 404, message: "Not Found", status: "error" }, NotFoundError, /Not Found/],
    [404, undefined, UnexpectedResponseError, /not the service's own "Not Found"/],
    [404, { title: "Not Found", status: 404 }, UnexpectedResponseError, /not the service's own "Not Found"/],
    [405, undefined, UnexpectedResponseError, /405/],
    [409, { title: "Conflict" }, BadRequestError, /Conflict/],
    [415, undefined, BadRequestError, /415/],
    [422, { title: "Invalid", errors: { name: ["Taken."] } }, BadRequestError, /name: Taken/],
  ])("%s %j", async (status, body, kind, says) => {
    const world = await start();
    world.simulator.arm({ action: "status", status, ...(body ? { body } : {}) });
    const error = await rejection(read(world));
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ name: kind.name, doing: "list the accounts" });
    expect(error.message).toMatch(/^Could not list the accounts: [^\n]+$/);
    expect(error.message).toMatch(says);
    expect(asked(world.simulator)).toHaveLength(1);
  });

  it("in one line without a dump when a proxy answers with its page", async () => {
    const world = await start();
    world.simulator.arm({ action: "html", status: 404 });
    const error = await rejection(read(world));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error.message).toContain('an HTML page ("502 Bad Gateway")');
    expect(error.message).not.toMatch(/<|\n/);
  });

  it("keeps the echo of a refused payment out of what is shown", async () => {
    const world = await start();
    const error = await rejection(post(world, false));
    expect(error).toMatchObject({ echo: { name: "A" } });
    expect(Object.keys(error)).not.toContain("echo");
  });
});

describe("a read that fails in passing is sent again", () => {
  it.each([500, 502, 503, 504])("after %s, waiting longer each time", async (status) => {
    const world = await start();
    world.simulator.arm({ action: "status", status, times: 3 });
    await expect(read(world)).resolves.toMatchObject({ status: 200 });
    expect(world.clock.waits).toEqual([125, 250, 500]);
  });

  it("until the budget is spent, and then says so", async () => {
    const world = await start({ limits: { budgetMs: 5_000 } });
    world.simulator.arm({ action: "status", status: 503, times: Infinity });
    const error = await rejection(read(world));
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(error).toMatchObject({ status: 503 });
    expect(world.clock.waited()).toBeLessThanOrEqual(5_000);
    expect(world.clock.waits.length).toBeGreaterThan(3);
  });

  it.each([
    { action: "cut-before" },
    { action: "cut-before", reset: true },
    { action: "cut-after" },
    { action: "truncate" },
    { action: "empty-body" },
    { action: "html", status: 503 },
    { action: "status", status: 200, body: '{"data":[', contentType: "application/json" },
  ] as const)("after %j", async (fault) => {
    const world = await start();
    world.simulator.arm(fault);
    await expect(read(world)).resolves.toMatchObject({ status: 200, body: { data: [] } });
    expect(world.clock.waits).toEqual([125]);
  });

  it("and ends in a typed error when the answer is cut short every time", async () => {
    const world = await start({ limits: { budgetMs: 1_000 } });
    world.simulator.arm({
      action: "status",
      status: 200,
      body: '{"data":[',
      contentType: "application/json",
      times: 99,
    });
    expect(await rejection(read(world))).toBeInstanceOf(UnexpectedResponseError);
    expect(world.clock.waits.length).toBeGreaterThan(1);
  });

  it("after slow headers, and after a body that stops half-way, each with its own deadline", async () => {
    const world = await start({ limits: { headersMs: 100, bodyMs: 100 } });
    world.simulator.arm({ action: "delay-headers", ms: 10_000 });
    world.simulator.arm({ action: "delay-body", ms: 10_000 });
    await expect(read(world)).resolves.toMatchObject({ status: 200 });
    expect(asked(world.simulator)).toHaveLength(3);
  });

  it.each([
    [{ action: "delay-headers", ms: 10_000 }, /did not start to answer in time/],
    [{ action: "delay-body", ms: 10_000 }, /the answer stopped half-way/],
  ] as const)("and %j is said to be what it is", async (fault, says) => {
    const world = await start({ limits: { headersMs: 50, bodyMs: 50, budgetMs: 0 } });
    world.simulator.arm(fault);
    const error = await rejection(read(world));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.message).toMatch(says);
  });

  it("and a body that trickles without end is cut off", async () => {
    const world = await start({ limits: { answerMs: 150, budgetMs: 0 } });
    world.simulator.arm({ action: "delay-body", ms: 10_000 });
    expect((await rejection(read(world))).message).toMatch(/the answer did not end in time/);
  });

  it("but not when the answer is too large", async () => {
    const world = await start({ limits: { answerBytes: 100_000 } });
    world.simulator.arm({ action: "endless-body", times: Infinity });
    const error = await rejection(read(world));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error.message).toContain("larger than 100000 bytes");
    expect(asked(world.simulator)).toHaveLength(1);
  });
});

describe("too many requests", () => {
  it("are followed by at least the wait asked for in seconds", async () => {
    const world = await start();
    world.simulator.arm({ action: "status", status: 429, headers: { "retry-after": "7" } });
    await expect(read(world)).resolves.toMatchObject({ status: 200 });
    expect(world.clock.waits).toEqual([7_125]);
  });

  it("are followed by at least the wait up to the date", async () => {
    const world = await start();
    const date = new Date(world.clock.now() + 9_000).toUTCString();
    world.simulator.arm({ action: "status", status: 429, headers: { "retry-after": date } });
    await expect(read(world)).resolves.toMatchObject({ status: 200 });
    expect(world.clock.waits).toEqual([9_125]);
  });

  it.each(["soon", "-5", "1.5", ""])("with %j, or no word at all, are followed by a growing wait", async (rubbish) => {
    const world = await start();
    world.simulator.arm({ action: "status", status: 429, headers: { "retry-after": rubbish }, times: 2 });
    await expect(read(world)).resolves.toMatchObject({ status: 200 });
    expect(world.clock.waits).toEqual([125, 250]);
  });

  it("for an hour end at once in an error that names the time", async () => {
    const world = await start();
    world.simulator.arm({ action: "status", status: 429, headers: { "retry-after": "3600" } });
    const error = await rejection(read(world));
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ retryAfterMs: 3_600_000 });
    expect(error.message).toContain("2025-01-15T13:00:00.000Z");
    expect(world.clock.waits).toEqual([]);
  });

  it.each(["PATCH", "DELETE"] as const)("let a %s be sent again, for nothing was done", async (method) => {
    const world = await start({ seedAccounts: 1 });
    const path = `/accounts/${world.simulator.accounts()[0]?.id ?? ""}`;
    const body = [{ op: "replace", path: "/name", value: "B" }];
    world.simulator.arm({ action: "status", status: 429, method });
    await world.http.write({ doing: "change", method, path, ...(method === "PATCH" ? { body } : {}) });
    expect(writes(world.simulator).map(({ status }) => status)).toEqual([429, method === "PATCH" ? 200 : 204]);
  });

  it("do not let a POST be sent again from here", async () => {
    const world = await start();
    world.simulator.arm({ action: "status", status: 429 });
    expect(await rejection(post(world))).toBeInstanceOf(RateLimitedError);
    expect(writes(world.simulator)).toHaveLength(1);
  });
});
