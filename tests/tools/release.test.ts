import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { devDependencies } from "../../package.json";

/** The release workflow as its host would read it. */

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

interface Job {
  needs?: string[];
  permissions: Record<string, string>;
  "runs-on": string;
  strategy?: { matrix: { include: { runner: string; platform: string }[] } };
  steps: Step[];
}

const root = resolve(__dirname, "../..");
const text = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");
const workflow = parse(text) as {
  on: unknown;
  permissions: object;
  jobs: Record<"plugin" | "package" | "release", Job>;
};
const { plugin, package: npmPackage, release } = workflow.jobs;
const jobs = Object.values(workflow.jobs);
const runs = ({ steps }: Job): string[] => steps.flatMap(({ run }) => run ?? []);

test("a release is made of a tag, and of nothing else", () => {
  expect(workflow.on).toEqual({ push: { tags: ["v*"] } });
});

test("only the job that publishes may write, and it runs no code of the repository", () => {
  expect(workflow.permissions).toEqual({});
  expect(Object.keys(workflow.jobs)).toEqual(["plugin", "package", "release"]);
  for (const { permissions } of [plugin, npmPackage]) expect(permissions).toEqual({ contents: "read" });
  expect(release.permissions).toEqual({ contents: "write", "id-token": "write", attestations: "write" });
  expect(release.steps.map(({ uses = "" }) => uses).filter((uses) => uses.includes("checkout"))).toEqual([]);
  expect(runs(release).filter((run) => /\b(npm|node|make)\b/.test(run))).toEqual([]);
});

test("nothing keeps a token, and no expression becomes part of a command line", () => {
  for (const { uses, run = "", with: given } of jobs.flatMap(({ steps }) => steps)) {
    expect(run).not.toContain("${{");
    if (uses?.startsWith("actions/checkout")) expect(given?.["persist-credentials"]).toBe(false);
  }
  expect(text).not.toContain("secrets.");
});

test("the plugin is made on a machine of each kind, as `make plugin` makes it", () => {
  const platforms = plugin.strategy?.matrix.include.map(({ platform }) => platform);
  const expected = ["linux", "darwin", "windows"].flatMap((os) => [`${os}-amd64`, `${os}-arm64`]);
  expect(platforms).toEqual(expected);
  expect(new Set(plugin.strategy?.matrix.include.map(({ runner }) => runner)).size).toBe(6);
  expect(plugin["runs-on"]).toBe("${{ matrix.runner }}");
  const makefile = readFileSync(join(root, "Makefile"), "utf8");
  expect(/^plugin: build\n\t@(.*)$/m.exec(makefile)?.[1]).toBe("node tools/plugin.mjs");
  expect(runs(plugin)).toContain("node tools/plugin.mjs");
  const node = plugin.steps.find(({ uses = "" }) => uses.startsWith("actions/setup-node"));
  expect(node?.with?.["node-version"]).toBe(devDependencies.node);
});

test("what is published has been checked and is what the checksums and the attestation are of", () => {
  expect(release.needs).toEqual(["plugin", "package"]);
  expect(runs(npmPackage)).toContain("make check");
  const [collect, sums, attest, publish, ...others] = release.steps;
  expect(others).toEqual([]);
  expect(collect?.with).toEqual({ path: "dist", "merge-multiple": true });
  expect(sums?.run).toMatch(/^sha256sum .*\*\.tar\.gz \*\.tgz.* checksums\.txt$/);
  expect(attest?.uses).toMatch(/^actions\/attest-build-provenance@/);
  expect(attest?.with).toEqual({ "subject-checksums": "dist/checksums.txt" });
  expect(publish?.run).toMatch(/^gh release create "\$GITHUB_REF_NAME" .*--verify-tag .*dist\/\*$/);
});
