import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as account from "../../../sdk/dynamic/account";

const mockHost = {
  configure: jest.fn(),
  check: jest.fn(() => "checked"),
  diff: jest.fn(() => "different"),
  create: jest.fn(() => "created"),
  read: jest.fn(() => "read"),
  update: jest.fn(() => "updated"),
  delete: jest.fn(() => "deleted"),
};
jest.mock("pulumi-reseller/provider", () => ({ accountHost: mockHost }), { virtual: true });

const source = readFileSync(join(__dirname, "../../../sdk/dynamic/account.ts"), "utf8");

describe("the code that is kept in state", () => {
  it("passes each call on to the installed package, and its answer back", () => {
    account.configure("request");
    expect(account.check("olds", "news")).toBe("checked");
    expect(account.diff("id", "olds", "news")).toBe("different");
    expect(account.create("inputs")).toBe("created");
    expect(account.read("id", "props")).toBe("read");
    expect(account.update("id", "olds", "news")).toBe("updated");
    expect(account.delete("id", "props")).toBe("deleted");
    expect(Object.values(mockHost).map(({ mock }) => mock.calls)).toEqual([
      [["request"]],
      [["olds", "news"]],
      [["id", "olds", "news"]],
      [["inputs"]],
      [["id", "props"]],
      [["id", "olds", "news"]],
      [["id", "props"]],
    ]);
  });

  it("has nothing of a module around it, so that the engine can take it whole", () => {
    const code = source.replace(/\/\*[^]*?\*\//g, "");
    expect(code).not.toMatch(/^\s*import\b/m);
    expect(code).not.toMatch(/=>|\?\.|\?\?|\basync\b|\bconst\b|\blet\b|\bclass\b|`/);
    const bodies = [...code.matchAll(/\) *(?:: void )?\{\n([^]*?)\n\}/g)].map(([, body]) => body?.trim());
    expect(bodies).toHaveLength(7);
    for (const body of bodies)
      expect(body).toMatch(/^return require\("pulumi-reseller\/provider"\)\.accountHost\.\w+\(.*\);$/);
  });
});
