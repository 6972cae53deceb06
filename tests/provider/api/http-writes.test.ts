import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { Http } from "../../../provider/api/http";
import { NetworkError, OutcomeUnknownError, UnauthorizedError } from "../../../provider/errors";
import { closeAfterwards, FakeClock, fixedToken, rejection, start, writes, type World } from "../support";

const post = {
  doing: "create account",
  method: "POST",
  path: "/accounts",
  body: { name: "A" },
  acceptCharges: true,
} as const;

describe("a write that may have arrived is never sent again", () => {
  it.each([
    { action: "cut-after" },
    { action: "cut-after", reset: true },
    { action: "cut-before" },
    { action: "truncate" },
    { action: "status", status: 200, body: '{"data":{', contentType: "application/json", act: true },
    { action: "html", status: 200, act: true },
    { action: "html", status: 502, act: true },
    { action: "html", status: 502 },
    { action: "status", status: 500 },
    { action: "status", status: 503, headers: { "retry-after": "1" } },
    { action: "status", status: 504, act: true },
  ] as const)("after %j", async (fault) => {
    const world = await start();
    world.simulator.arm({ ...fault, method: "POST" });
    const error = await rejection(world.http.write(post));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toMatch(/^Could not create account: the request was sent, [^\n]+ It was not sent again\.$/);
    expect(writes(world.simulator)).toHaveLength(1);
    expect(world.clock.waits).toEqual([]);
  });

  it.each([
    { action: "delay-headers", ms: 10_000 },
    { action: "delay-body", ms: 10_000 },
  ] as const)("when %j passes the deadline", async (fault) => {
    const world = await start({ limits: { headersMs: 100, bodyMs: 100 } });
    world.simulator.arm({ ...fault, method: "POST" });
    expect(await rejection(world.http.write(post))).toBeInstanceOf(OutcomeUnknownError);
    expect(world.simulator.charges()).toHaveLength(1);
    expect(writes(world.simulator)).toHaveLength(1);
  });

  it.each(["PATCH", "DELETE"] as const)("nor is a %s", async (method) => {
    const world = await start({ seedAccounts: 1 });
    const path = `/accounts/${world.simulator.accounts()[0]?.id ?? ""}`;
    world.simulator.arm({ action: "cut-after", method });
    expect(await rejection(world.http.write({ doing: "change", method, path, body: [] }))).toBeInstanceOf(
      OutcomeUnknownError,
    );
    expect(writes(world.simulator)).toHaveLength(1);
  });
});

describe("a success", () => {
  it.each([200, 201, 202, 204])("may be %s", async (status) => {
    const world = await start({ successStatus: { post: status } });
    await expect(world.http.write(post)).resolves.toMatchObject({ status });
  });

  it("may have no body", async () => {
    const world = await start();
    world.simulator.arm({ action: "empty-body", status: 201 });
    await expect(world.http.write(post)).resolves.toEqual({ status: 201, location: undefined, body: undefined });
  });
});

/** Accepts nothing until it is opened; closes again when the test ends. */
async function closedPort(): Promise<{ port: number; open: (server: Server) => Promise<void> }> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return {
    port,
    open: (server) => new Promise((resolve) => server.listen(port, "127.0.0.1", resolve)),
  };
}

describe("a write that cannot have left this machine is sent again", () => {
  it("when nothing answered at first", async () => {
    const world = await start();
    const { port, open } = await closedPort();
    const front = forwarder(world);
    const clock = new FakeClock();
    const http = new Http(`http://127.0.0.1:${port}`, fixedToken(world.simulator), clock);
    closeAfterwards(() => http.close());
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (ms) => {
      await sleep(ms);
      if (clock.waits.length === 2) await open(front);
    };
    await expect(http.write(post)).resolves.toMatchObject({ status: 201 });
    expect(clock.waits).toEqual([125, 250]);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("but not for long, and the error says that nothing was sent", async () => {
    const { port } = await closedPort();
    const clock = new FakeClock();
    const http = new Http(`http://127.0.0.1:${port}`, fixedToken({ accessToken: "t" }), clock);
    closeAfterwards(() => http.close());
    const error = await rejection(http.write(post));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ sent: false });
    expect(error.message).toContain(`nothing answers (connection refused) at http://127.0.0.1:${port}`);
    expect(clock.waited()).toBeLessThanOrEqual(10_000);
  });

  it("also when the other end speaks no TLS", async () => {
    const { simulator } = await start();
    const clock = new FakeClock();
    const base = simulator.baseUrl.replace("http:", "https:");
    const http = new Http(base, fixedToken(simulator), clock, { unreachableMs: 500 });
    closeAfterwards(() => http.close());
    expect(await rejection(http.write(post))).toMatchObject({ name: "NetworkError", sent: false });
    expect(clock.waits.length).toBeGreaterThan(0);
    expect(simulator.requests()).toEqual([]);
  });

  it("also when the name of the host cannot be looked up", async () => {
    const clock = new FakeClock();
    const http = new Http("http://no-such-host.invalid", fixedToken({ accessToken: "t" }), clock, {
      unreachableMs: 500,
    });
    closeAfterwards(() => http.close());
    const error = await rejection(http.write(post));
    expect(error).toMatchObject({ name: "NetworkError", sent: false });
    expect(error.message).toMatch(/cannot be looked up/);
    expect(clock.waits.length).toBeGreaterThan(0);
  });
});

/** Passes bytes on to the simulator. */
function forwarder({ simulator }: World): Server {
  const server = createServer((client) => {
    void fetchSocket(simulator.port).then((upstream) => {
      client.pipe(upstream).pipe(client);
      client.on("error", () => upstream.destroy());
      upstream.on("error", () => client.destroy());
    });
  });
  closeAfterwards(
    () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  );
  return server;
}

async function fetchSocket(port: number) {
  const { connect } = await import("node:net");
  return connect(port, "127.0.0.1");
}

describe("connections", () => {
  it("are made anew for each write, so that none is closed by the server just as a write starts", async () => {
    const world = await start();
    world.simulator.arm({ action: "close-idle", times: Infinity });
    for (let round = 0; round < 5; round++) await world.http.write(post);
    expect(writes(world.simulator).map(({ headers }) => headers["connection"])).toEqual(Array(5).fill("close"));
    expect(world.simulator.charges()).toHaveLength(5);
  });

  it("that the server closed while idle do not fail a read", async () => {
    const world = await start();
    world.simulator.arm({ action: "close-idle", times: Infinity });
    for (let round = 0; round < 5; round++) await world.http.read({ doing: "list", path: "/accounts" });
  });
});

describe("a token that is refused", () => {
  it("is replaced and the request sent once more, then no more", async () => {
    const renewed: string[] = [];
    const world = await start({
      tokens: ({ accessToken }) => ({
        remedy: "Sign in.",
        current: () => Promise.resolve("old"),
        renew: (rejected) => (renewed.push(rejected), Promise.resolve(renewed.length === 1 ? accessToken : "bad")),
      }),
    });
    await expect(world.http.write(post)).resolves.toMatchObject({ status: 201 });
    expect(renewed).toEqual(["old"]);
    const error = await rejection(world.http.write(post));
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect(error.message).toMatch(/401.*Sign in\.$/);
    expect(renewed).toEqual(["old", "old"]);
    expect(writes(world.simulator).map(({ status }) => status)).toEqual([401, 201, 401, 401]);
    expect(world.simulator.charges()).toHaveLength(1);
  });

  it("for which there is no other ends the request", async () => {
    const world = await start();
    world.simulator.revokeAccessTokens();
    expect(await rejection(world.http.write(post))).toBeInstanceOf(UnauthorizedError);
    expect(writes(world.simulator)).toHaveLength(1);
  });
});
