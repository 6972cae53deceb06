import { createServer, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { Http } from "../../../provider/api/http";
import { OutcomeUnknownError, UnexpectedResponseError } from "../../../provider/errors";
import { closeAfterwards, everything, FakeClock, fixedToken, rejection, simulate, start } from "../support";

const list = { doing: "list the accounts", path: "/accounts" };
const post = {
  doing: "create account",
  method: "POST",
  path: "/accounts",
  body: { name: "A" },
  acceptCharges: true,
} as const;

describe("a redirect to another host", () => {
  it.each([301, 302, 307, 308])("with %s is not followed by a read", async (status) => {
    const elsewhere = await simulate();
    const world = await start();
    world.simulator.arm({ action: "redirect", location: `${elsewhere.baseUrl}/api/v1.0/accounts`, status });
    const error = await rejection(world.http.read(list));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error.message).toContain("redirects are never followed");
    expect(elsewhere.requests()).toEqual([]);
  });

  it("is not followed by a write", async () => {
    const elsewhere = await simulate();
    const world = await start();
    world.simulator.arm({ action: "redirect", location: `${elsewhere.baseUrl}/api/v1.0/accounts`, status: 308 });
    expect(await rejection(world.http.write(post))).toBeInstanceOf(OutcomeUnknownError);
    expect(elsewhere.requests()).toEqual([]);
    expect(world.simulator.charges()).toEqual([]);
  });
});

describe("the access token never shows", () => {
  const canary = "canary-7f3a9c1e";

  it.each([
    { action: "cut-before", reset: true },
    { action: "truncate" },
    { action: "html" },
    { action: "html", status: 404 },
    { action: "redirect", location: "http://127.0.0.1:1/" },
    { action: "status", status: 200, body: "{", contentType: "application/json" },
    { action: "status", status: 401 },
    { action: "status", status: 403, body: `authorization: Bearer ${canary}` },
    { action: "status", status: 400, body: { error: 400, message: `Bearer ${canary} is odd.`, status: "error" } },
    { action: "status", status: 422, body: { title: "Odd", detail: canary, errors: { token: [canary] } } },
    { action: "status", status: 502, body: `<html><title>${canary}</title>`, contentType: "text/html" },
    { action: "status", status: 500, body: { error: canary, error_description: canary } },
    { action: "status", status: 429, headers: { "retry-after": "3600" } },
  ] as const)("in an error after %j", async (fault) => {
    const world = await start({ accessToken: canary, limits: { budgetMs: 300 } });
    world.simulator.arm({ ...fault, times: Infinity });
    for (const error of [await rejection(world.http.read(list)), await rejection(world.http.write(post))]) {
      expect(everything(error)).not.toContain(canary);
      expect(error.message).not.toContain("\n");
    }
  });

  it("in an error after nothing answered", async () => {
    const http = new Http("http://127.0.0.1:1", fixedToken({ accessToken: canary }), new FakeClock());
    closeAfterwards(() => http.close());
    expect(everything(await rejection(http.write(post)))).not.toContain(canary);
  });
});

/** A proxy on this machine that notes what it was asked for and passes it on to the port given. */
async function startProxy(port: number): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const tunnel = (request: IncomingMessage, client: Socket): void => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
    const upstream = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    sockets.add(upstream);
    client.on("error", () => upstream.destroy());
    upstream.on("error", () => client.destroy());
  };
  const proxy = createServer((request, response) => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
    void request.resume().on("end", () => {
      response.setHeader("content-type", "application/json").end('{"data":[],"status":"success"}');
    });
  });
  proxy.on("connect", tunnel).on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  closeAfterwards(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        proxy.close(() => {
          resolve();
        });
      }),
  );
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked };
}

describe("a proxy named in the environment", () => {
  const variables = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  const before = new Map(variables.map((name) => [name, process.env[name]]));
  const restore = (): void => {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  };
  beforeEach(() => {
    for (const name of variables) Reflect.deleteProperty(process.env, name);
  });
  afterEach(restore);

  const reading = async (baseUrl: string): Promise<Error | undefined> => {
    const http = new Http(baseUrl, fixedToken({ accessToken: "t" }), new FakeClock(), {
      budgetMs: 0,
      unreachableMs: 0,
    });
    closeAfterwards(() => http.close());
    return http.read(list).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
  };

  it("carries what goes to plain http", async () => {
    const simulator = await simulate();
    const proxy = await startProxy(simulator.port);
    process.env["HTTP_PROXY"] = proxy.url;
    await reading("http://reseller.test:8080");
    expect(proxy.asked).toHaveLength(1);
    expect(proxy.asked[0]).toContain("reseller.test:8080");
  });

  it("carries what goes to https, inside a tunnel it cannot read", async () => {
    const simulator = await simulate();
    const proxy = await startProxy(simulator.port);
    process.env["HTTPS_PROXY"] = proxy.url;
    // The other end of the tunnel speaks no TLS: that the tunnel was asked for is what counts here.
    expect(await reading("https://reseller.test")).toMatchObject({ name: "NetworkError", sent: false });
    expect(proxy.asked).toEqual(["CONNECT reseller.test:443"]);
  });

  it("is passed by for the hosts it is not meant for", async () => {
    const simulator = await simulate({ accessToken: "t" });
    const proxy = await startProxy(simulator.port);
    process.env["HTTP_PROXY"] = proxy.url;
    process.env["NO_PROXY"] = "example.com,127.0.0.1";
    expect(await reading(simulator.baseUrl)).toBeUndefined();
    expect(simulator.requests()).toHaveLength(1);
    expect(proxy.asked).toEqual([]);
  });

  it("carries writes as well", async () => {
    const simulator = await simulate({ accessToken: "t" });
    const proxy = await startProxy(simulator.port);
    process.env["HTTP_PROXY"] = proxy.url;
    const http = new Http(simulator.baseUrl, fixedToken({ accessToken: "t" }), new FakeClock());
    closeAfterwards(() => http.close());
    await http.write(post);
    expect(proxy.asked).toHaveLength(1);
  });
});
