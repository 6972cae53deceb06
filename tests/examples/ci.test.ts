import { execFileSync } from "node:child_process";
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";

/** The workflow templates of examples/ci as their host would read them, and how a plan is told. */

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

interface Job {
  if?: string;
  environment?: string;
  permissions: Record<string, string>;
  env?: Record<string, string>;
  steps: Step[];
}

interface Workflow {
  on: unknown;
  permissions: Record<string, string>;
  concurrency: { group: string; "cancel-in-progress": boolean };
  jobs: Record<string, Job>;
}

const folder = resolve(__dirname, "../../examples/ci");
const names = readdirSync(join(folder, "workflows"));
const texts = new Map(names.map((name) => [name, readFileSync(join(folder, "workflows", name), "utf8")]));

function workflow(name: string): Workflow {
  return parse(texts.get(name) ?? "") as Workflow;
}

function job(file: string, name: string): Job {
  const found = workflow(file).jobs[name];
  if (!found) throw new Error(`${file} has no job ${name}.`);
  return found;
}

const jobs = names.flatMap((file) =>
  Object.entries(workflow(file).jobs).map(([name, content]) => [`${file}: ${name}`, content] as const),
);
const calls = (content: Job): string[] => content.steps.flatMap(({ run = "" }) => run.match(/\.\/ci\/\S+/g) ?? []);

test("there is a workflow for previews, updates, drift and the token", () => {
  expect(names).toEqual(["drift.yml", "keep-alive.yml", "preview.yml", "up.yml"]);
});

test.each(jobs)("%s calls a script that exists and can be run", (_, content) => {
  const scripts = calls(content);
  expect(scripts).not.toEqual([]);
  for (const script of scripts) accessSync(join(folder, script.replace("./ci/", "")), constants.X_OK);
});

test("every script is called by a workflow", () => {
  const called = jobs.flatMap(([, content]) => calls(content)).map((script) => script.replace("./ci/", ""));
  expect(new Set(called)).toEqual(new Set(readdirSync(folder).filter((name) => name.endsWith(".sh"))));
});

test.each(names)("%s grants nothing by default, and never runs twice at once", (name) => {
  const { permissions, concurrency } = workflow(name);
  expect(permissions).toEqual({});
  expect(concurrency.group).not.toBe("");
  // An update or a token exchange that is cut off half-way leaves work; a preview does not.
  expect(concurrency["cancel-in-progress"]).toBe(name === "preview.yml");
});

test.each(jobs)(
  "%s may write to nothing but the comments, and then runs no code of the pull request",
  (name, content) => {
    const { "pull-requests": comments, ...others } = content.permissions;
    expect(others).toEqual({ contents: "read" });
    if (comments === undefined) return;
    expect(name).toBe("preview.yml: comment");
    const [checkout] = content.steps;
    expect(checkout?.with?.["ref"]).toBe("${{ github.event.pull_request.base.sha }}");
    expect(content.steps.some(({ run = "" }) => /npm|node|pulumi/.test(run))).toBe(false);
  },
);

test("a pull request of a fork meets neither secrets nor a token that may write", () => {
  expect(workflow("preview.yml").on).toBe("pull_request");
  expect(job("preview.yml", "preview").if).toBe("github.event.pull_request.head.repo.full_name == github.repository");
  expect(job("preview.yml", "comment").if).toContain("needs.preview.result != 'skipped'");
});

test.each(names)("%s keeps secrets in the environment of the one step that needs them", (name) => {
  const uses = [...(texts.get(name) ?? "").matchAll(/^.*secrets\..*$/gm)].map(([line]) => line);
  expect(uses.filter((line) => !/^ {10}[A-Z_]+: \$\{\{ secrets\.[A-Z_]+ \}\}$/.test(line))).toEqual([]);
  for (const { env, steps } of Object.values(workflow(name).jobs)) {
    expect(JSON.stringify(env ?? {})).not.toContain("secrets.");
    for (const step of steps) {
      // What an expression puts into a command line is run: values get there as variables only.
      expect(step.run ?? "").not.toContain("${{");
      if (step.uses) expect(step.env).toBeUndefined();
      if (step.uses?.startsWith("actions/checkout")) expect(step.with?.["persist-credentials"]).toBe(false);
    }
  }
});

test("charges are allowed in the one job that waits for a person, for as many as were shown", () => {
  const policies = jobs.map(([name, { env }]) => [name, env?.["RESELLER_CHARGE_POLICY"]]);
  expect(Object.fromEntries(policies)).toEqual({
    "drift.yml: drift": "never",
    "keep-alive.yml: keep-alive": undefined,
    "preview.yml: comment": undefined,
    "preview.yml: preview": "never",
    "up.yml: preview": "never",
    "up.yml: update": "never",
    "up.yml: update-with-charges": "ask",
  });
  const free = job("up.yml", "update");
  const charged = job("up.yml", "update-with-charges");
  expect([free.if, charged.if]).toEqual([
    "needs.preview.outputs.charges == '0'",
    "needs.preview.outputs.charges != '0'",
  ]);
  expect(jobs.filter(([, { environment }]) => environment === "prod-charges").map(([, content]) => content)).toEqual([
    charged,
  ]);
  expect(charged.env?.["CHARGES"]).toBe("${{ needs.preview.outputs.charges }}");
  expect([free, charged].map(({ steps }) => steps.at(-1)?.run)).toEqual([
    "./ci/up.sh prod 0",
    './ci/up.sh prod "$CHARGES"',
  ]);
});

function told(plan: object, ...args: string[]): string {
  const options = { input: JSON.stringify(plan), encoding: "utf8" } as const;
  return execFileSync(process.execPath, [join(folder, "plan.mjs"), ...args], options).trim();
}

const urn = (name: string, type = "Account"): string =>
  `urn:pulumi:prod::demo::example:reseller:Reseller$pulumi-nodejs:dynamic/reseller:${type}::${name}`;

test("a plan counts the creations that may be charged, and shows what is not accepted", () => {
  const plan = {
    steps: [
      { op: "create", urn: "urn:pulumi:prod::demo::pulumi:pulumi:Stack::demo-prod", newState: {} },
      { op: "create", urn: "urn:pulumi:prod::demo::example:reseller:Reseller::acme", newState: { inputs: {} } },
      { op: "create", urn: urn("acme"), newState: { inputs: { name: "Acme", acceptCharges: true } } },
      { op: "create", urn: urn("bakery", "Customer"), newState: { inputs: { name: "De Halm" } } },
      {
        op: "update",
        urn: urn("globex"),
        newState: { inputs: { name: "Globex", acceptCharges: true } },
        diffReasons: ["name"],
      },
      { op: "same", urn: urn("initech") },
    ],
  };
  expect(told(plan, "--charges")).toBe("1");
  const markdown = told(plan, "--markdown", "prod");
  expect(markdown).toContain("- Account `Acme`: creating it may cost money, and the program accepts that.");
  expect(markdown).toContain("- Customer `De Halm`: creating it may cost money that is **not accepted**");
  expect(markdown).toContain("| update | `globex` | `name` |");
  expect(markdown).not.toMatch(/initech|demo-prod/);
});

test("a name cannot break out of its place in the comment", () => {
  const name = "A` | @everyone\n# Approved";
  const plan = { steps: [{ op: "create", urn: urn("acme"), newState: { inputs: { name } } }] };
  expect(told(plan, "--markdown", "prod")).toContain("- Account `A    @everyone # Approved`: creating it");
});
