import { type Simulator, startSimulator } from "../../simulator";
import { ending, firstWord, keyOf, SharedStore } from "./support/store";

/** Many processes with one sign-in, at an authorization server that revokes everything when a spent token comes back. */

jest.setTimeout(600_000);

const processes = 20;
const rounds = 50;
const tokenPath = "/connect/token";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startSimulator({ rotateRefreshTokens: true, latencyMs: 20 });
});
afterEach(() => simulator.close());

/** Has this many processes start, and ask for a token at the same moment. */
async function together(shared: SharedStore, count: number): Promise<string[]> {
  const children = Array.from({ length: count }, () => shared.start("one-token.mjs"));
  await Promise.all(children.map(firstWord));
  const ends = children.map(ending);
  for (const child of children) child.stdin?.end("go\n");
  return (await Promise.all(ends)).map(({ code, output }) => {
    if (code !== 0) throw new Error(`a process ended with ${String(code)}: ${output}`);
    return output.trim();
  });
}

const expired = (token: string) => ({ token, obtainedAt: Date.now() - 7_200_000, expiresAt: Date.now() - 3_600_000 });

async function accepted(token: string): Promise<boolean> {
  const response = await fetch(`${simulator.baseUrl}/api/v1.0/accounts`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return response.status === 200;
}

test(`${processes} processes starting together with an expired token make one request, ${rounds} times in a row`, async () => {
  using shared = new SharedStore(keyOf(simulator));
  const { authUrl, clientSecret } = simulator;
  await shared.keep({ authUrl, clientSecret, refreshToken: simulator.refreshToken, access: expired("first") });
  let before = "first";
  for (let round = 0; round < rounds; round++) {
    simulator.clearRequests();
    const tokens = new Set(await together(shared, processes));
    const asked = simulator.requests({ path: tokenPath }).map(({ status }) => status);
    expect({ round, tokens: tokens.size, asked }).toEqual({ round, tokens: 1, asked: [200] });
    const [token = ""] = tokens;
    expect(token).not.toBe(before);
    expect(await accepted(token)).toBe(true);
    before = token;
    const signIn = await shared.signIn();
    expect(signIn.access?.token).toBe(token);
    await shared.keep({ ...signIn, access: expired(token) });
  }
});

test("a process killed while it asks for a token leaves no lock, and the others go on", async () => {
  using shared = new SharedStore(keyOf(simulator));
  const { authUrl, clientSecret } = simulator;
  await shared.keep({ authUrl, clientSecret, refreshToken: simulator.refreshToken, access: expired("first") });
  // The request of the first is held without being acted on, so that its refresh token stays good.
  simulator.arm({ action: "status", status: 503, path: tokenPath });
  const arrived = new Promise<void>((resolve) => {
    const seen = setInterval(() => {
      if (simulator.requests({ path: tokenPath }).length === 0) return;
      clearInterval(seen);
      resolve();
    }, 2);
  });
  const first = shared.start("one-token.mjs");
  await firstWord(first);
  first.stdin?.end("go\n");
  // It waits a second before it asks again, with the store held.
  await arrived;
  const others = together(shared, 5);
  first.kill("SIGKILL");
  const tokens = new Set(await others);
  expect(tokens.size).toBe(1);
  expect(await accepted([...tokens][0] ?? "")).toBe(true);
  expect(simulator.requests({ path: tokenPath }).map(({ status }) => status)).toEqual([503, 200]);
});
