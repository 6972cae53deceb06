import { Agent, request, type IncomingMessage } from "node:http";
import { startSimulator, type Fault, type Simulator } from "../../simulator";
import { accept, accounts, ask } from "./client";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startSimulator({ seedAccounts: 1 });
});
afterEach(() => simulator.close());

const create = (): ReturnType<typeof ask> => ask(simulator, "POST", accounts, { json: { name: "A" }, headers: accept });
const list = (): ReturnType<typeof ask> => ask(simulator, "GET", accounts);
const charged = (): number => simulator.charges().length;

/** A request whose answer can be watched as it arrives. */
function raw(agent: Agent | undefined, method: string, body?: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${simulator.accessToken}`, "content-type": "application/json", ...accept };
  return new Promise((resolve, reject) => {
    const sent = request(simulator.baseUrl + accounts, { method, headers, ...(agent ? { agent } : {}) }, resolve);
    sent.on("error", reject).end(body);
  });
}

/** Reads to the end or to the cut. @returns the bytes that came, and whether the answer was whole */
async function drain(
  response: IncomingMessage,
  limit = Infinity,
): Promise<{ bytes: number; text: string; whole: boolean }> {
  let text = "";
  try {
    for await (const chunk of response) {
      text += String(chunk);
      if (text.length > limit) break;
    }
  } catch {
    return { bytes: text.length, text, whole: false };
  }
  return { bytes: text.length, text, whole: response.complete };
}

describe("which requests a fault hits", () => {
  it("is one by default, then all is well again", async () => {
    simulator.arm({ action: "status", status: 503 });
    expect((await list()).status).toBe(503);
    expect((await list()).status).toBe(200);
  });

  it("can be several, after some that go unharmed", async () => {
    simulator.arm({ action: "status", status: 503, skip: 1, times: 2 });
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await list()).status);
    expect(statuses).toEqual([200, 503, 503, 200]);
  });

  it("can be all of them until it is disarmed", async () => {
    simulator.arm({ action: "status", status: 500, times: Infinity });
    for (let n = 0; n < 3; n++) expect((await list()).status).toBe(500);
    simulator.disarm();
    expect((await list()).status).toBe(200);
  });

  it.each([
    [{ method: "post" }, false],
    [{ path: "/connect/token" }, false],
    [{ path: "^/api/v1\\.0/accounts$" }, true],
    [{ path: "pageSize=2" }, true],
    [{ path: "([" }, false],
    [{ method: "GET", path: "accounts" }, true],
  ])("is told by %o", async (which, hit) => {
    simulator.arm({ action: "status", status: 503, ...which });
    expect((await ask(simulator, "GET", `${accounts}?pageSize=2`)).status).toBe(hit ? 503 : 200);
  });

  it("must be described rightly", () => {
    expect(() => {
      simulator.arm({ action: "explode" } as unknown as Fault);
    }).toThrow();
  });

  it("can be one to the token endpoint", async () => {
    simulator.arm({ action: "status", status: 429, headers: { "retry-after": "7" }, path: "/connect/token" });
    expect((await list()).status).toBe(200);
    const answer = await ask(simulator, "POST", "/connect/token");
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "7"]);
  });
});

describe("cutting the connection", () => {
  it.each([false, true])("before acting leaves nothing behind (reset %s)", async (reset) => {
    simulator.arm({ action: "cut-before", reset });
    await expect(create()).rejects.toThrow("fetch failed");
    expect([charged(), simulator.accounts().length]).toEqual([0, 1]);
    expect(simulator.requests()[0]?.status).toBeNull();
  });

  it.each([false, true])("after acting leaves an account and a charge (reset %s)", async (reset) => {
    simulator.arm({ action: "cut-after", reset });
    await expect(create()).rejects.toThrow("fetch failed");
    expect([charged(), simulator.accounts().length]).toEqual([1, 2]);
  });

  it("in the middle of the body leaves half of it", async () => {
    simulator.arm({ action: "truncate" });
    const response = await raw(undefined, "POST", '{"name":"A"}');
    const { bytes, whole } = await drain(response);
    expect(response.statusCode).toBe(201);
    expect(whole).toBe(false);
    expect(bytes).toBe(Math.floor(Number(response.headers["content-length"]) / 2));
    expect(charged()).toBe(1);
  });

  it("in an answer without a body leaves no answer", async () => {
    simulator.arm({ action: "truncate", method: "DELETE" });
    await expect(ask(simulator, "DELETE", `${accounts}/${simulator.accounts()[0]?.id ?? ""}`)).rejects.toThrow();
    expect(simulator.accounts()[0]?.flaggedForDeletion).toBe(true);
  });

  it("after the answer, although it was offered for reuse", async () => {
    simulator.arm({ action: "close-idle" });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const response = await raw(agent, "GET");
    const closed = new Promise((resolve) => response.socket.once("close", resolve));
    expect(response.headers.connection).toBe("keep-alive");
    expect((await drain(response)).whole).toBe(true);
    await closed;
    agent.destroy();
  });
});

describe("delaying", () => {
  it("holds the headers back", async () => {
    simulator.arm({ action: "delay-headers", ms: 150 });
    const start = performance.now();
    expect((await create()).status).toBe(201);
    expect(performance.now() - start).toBeGreaterThan(140);
  });

  it("holds the body back after its first byte", async () => {
    simulator.arm({ action: "delay-body", ms: 150 });
    const start = performance.now();
    const response = await raw(undefined, "GET");
    const headersAfter = performance.now() - start;
    const { text, whole } = await drain(response);
    expect(performance.now() - start - headersAfter).toBeGreaterThan(100);
    expect([whole, (JSON.parse(text) as { status: string }).status]).toEqual([true, "success"]);
  });

  it("has acted already when the client gives up", async () => {
    simulator.arm({ action: "delay-headers", ms: 60_000 });
    const signal = AbortSignal.timeout(100);
    const headers = { authorization: `Bearer ${simulator.accessToken}`, "content-type": "application/json", ...accept };
    const sent = fetch(simulator.baseUrl + accounts, { method: "POST", headers, body: '{"name":"A"}', signal });
    await expect(sent).rejects.toThrow();
    expect(charged()).toBe(1);
  });

  it("happens to every answer with latencyMs", async () => {
    await using slow = await startSimulator({ latencyMs: 100 });
    const start = performance.now();
    await ask(slow, "GET", accounts);
    expect(performance.now() - start).toBeGreaterThan(90);
  });
});

describe("answering something else", () => {
  it("can be a status with headers and a body, without acting", async () => {
    simulator.arm({ action: "status", status: 429, headers: { "retry-after": "3600" }, body: { a: 1 } });
    const answer = await create();
    expect([answer.status, answer.headers.get("retry-after"), answer.json()]).toEqual([429, "3600", { a: 1 }]);
    expect(charged()).toBe(0);
    expect(simulator.requests()[0]?.status).toBe(429);
  });

  it("can be a status after acting, with a content type", async () => {
    simulator.arm({ action: "status", status: 500, act: true, body: "<p>", contentType: "text/html" });
    const answer = await create();
    expect([answer.status, answer.text, answer.headers.get("content-type")]).toEqual([500, "<p>", "text/html"]);
    expect(charged()).toBe(1);
  });

  it.each([
    [{}, 502, 0],
    [{ status: 404, act: true }, 404, 1],
  ])("can be a proxy's page: %o", async (changes, status, charges) => {
    simulator.arm({ action: "html", ...changes });
    const answer = await create();
    expect([answer.status, charged()]).toEqual([status, charges]);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(answer.text).toContain("<html>");
  });

  it("can be no body after acting", async () => {
    simulator.arm({ action: "empty-body" });
    const answer = await create();
    expect([answer.status, answer.text, charged()]).toEqual([200, "", 1]);
  });

  it("can be JSON of one's own after acting", async () => {
    simulator.arm({ action: "json", body: { data: { id: "x" } }, status: 201 });
    const answer = await create();
    expect([answer.status, answer.json(), charged()]).toEqual([201, { data: { id: "x" } }, 1]);
  });

  it("can be a redirect without acting", async () => {
    simulator.arm({ action: "redirect", location: "http://127.0.0.1:1/", status: 307 });
    const answer = await create();
    expect([answer.status, answer.headers.get("location"), charged()]).toEqual([307, "http://127.0.0.1:1/", 0]);
  });

  it("can be a body without end, which stops when the client goes", async () => {
    simulator.arm({ action: "endless-body" });
    const response = await raw(undefined, "GET");
    expect((await drain(response, 1_000_000)).bytes).toBeLessThan(10_000_000);
    response.destroy();
    expect((await list()).status).toBe(200);
  });

  it("can be a body that ends after so many bytes", async () => {
    simulator.arm({ action: "endless-body", bytes: 300_000 });
    const { bytes, whole } = await drain(await raw(undefined, "GET"));
    expect(whole).toBe(true);
    expect(bytes).toBeGreaterThanOrEqual(300_000);
    expect(bytes).toBeLessThan(400_000);
  });
});
