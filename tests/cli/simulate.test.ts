import { Command } from "commander";
import { addSimulate } from "../../cli/simulate";

/** `pulumi-reseller simulate`, in this process: what it prints, and that what it prints works. */

let printed: string;

beforeEach(() => {
  printed = "";
  jest.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});

afterEach(() => {
  jest.restoreAllMocks();
});

async function run(...args: string[]): Promise<void> {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addSimulate(program);
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => undefined });
  await program.parseAsync(["simulate", ...args], { from: "user" });
}

test("prints settings that reach the seeded service, and stops when interrupted", async () => {
  const before = process.listeners("SIGTERM");
  await run("--port", "0", "--seed-accounts", "3");
  const address = /RESELLER_BASE_URL=['"]?(http:\/\/127\.0\.0\.1:\d+)/.exec(printed)?.[1];
  const token = /RESELLER_ACCESS_TOKEN=['"]?([^\s'"]+)/.exec(printed)?.[1];
  const list = () =>
    fetch(`${String(address)}/api/v1.0/accounts`, { headers: { authorization: `Bearer ${String(token)}` } });
  const page = (await (await list()).json()) as { data: unknown[] };
  expect(page.data).toHaveLength(3);

  const stop = process.listeners("SIGTERM").find((listener) => !before.includes(listener));
  stop?.("SIGTERM");
  process.removeAllListeners("SIGINT").removeAllListeners("SIGTERM");
  await expect(list()).rejects.toThrow();
});

test.each([
  ["a port that is no number", ["--port", "abc"], /It must be a whole number/],
  ["a kind of customers that does not exist", ["--customers", "some"], /Allowed choices are create-only, full/],
  ["an option that does not exist", ["--latencyy", "5"], /unknown option '--latencyy'/],
])("refuses %s in one line", async (_what, args, message) => {
  await expect(run(...args)).rejects.toThrow(message);
});
