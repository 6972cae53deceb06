import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import schema from "../../schema.json";
import { exampleFiles, readExamples } from "../../provider/schema/examples";
import { startSimulator } from "../../simulator";
import { root } from "../engine/support/installed";
import { succeed } from "../engine/support/processes";
import { Project, settingsOf } from "../engine/support/project";
import { writes } from "../engine/support/requests";
import { compileTypeScript, go, here, withGoSdk, withPythonSdk, withTypeScriptSdk } from "./sdks";

/** The examples in the descriptions of schema.json, as those who read them see them. */

jest.setTimeout(600_000);

type Language = keyof typeof exampleFiles;

const committed = join(root, "docs/examples");

/** The programs of one language: name of the resource or function → its text. */
function examplesIn(language: Language): Record<string, string> {
  const described = Object.entries({ ...schema.resources, ...schema.functions });
  const examples = Object.fromEntries(
    described.flatMap(([token, { description }]) => {
      const [, text] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(description) ?? [];
      return text === undefined ? [] : [[token.split(":")[2], text]];
    }),
  ) as Record<string, string>;
  expect(Object.keys(examples).sort()).toEqual(readdirSync(committed).sort());
  return examples;
}

/** Puts each program of a language in a folder of its own, below one that is gone after the check. */
async function inFolders(
  language: Language,
  check: (folder: string, programs: string[]) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "reseller-examples-"));
  try {
    const programs = Object.entries(examplesIn(language)).map(([name, text]) => {
      const program = join(name, exampleFiles[language]);
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, program), text);
      return program;
    });
    await check(folder, programs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("the examples in TypeScript, Python and Go are what the generators make of those in YAML", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reseller-examples-"));
  try {
    cpSync(committed, folder, { recursive: true });
    const converted = readdirSync(folder).map((name) => join(folder, name));
    const args = ["run", "./sdks", "-example", join(root, "schema.json"), ...converted];
    await succeed("go", args, { cwd: join(root, "tools"), env: { ...process.env, GOWORK: "off" } });
    expect(readExamples(folder)).toEqual(readExamples(committed));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the examples in TypeScript have the types of the SDK", () =>
  inFolders("typescript", async (folder, programs) => {
    await withTypeScriptSdk(folder);
    await compileTypeScript(folder, "--noEmit", ...programs);
  }));

test("the examples in Python have the types of the SDK", () =>
  inFolders("python", async (folder, programs) => {
    const python = await withPythonSdk(folder, "mypy==2.4.1");
    // Each is the main module of a run of its own.
    for (const program of programs) {
      await succeed(python, ["-m", "mypy", "--strict", program], { ...here, cwd: folder });
    }
  }));

test("the examples in Go compile with the SDK", () =>
  inFolders("go", async (folder, programs) => {
    withGoSdk(folder);
    await go(folder, "vet", ...programs.map((program) => `./${join(program, "..")}`));
  }));

test("the examples in YAML are previewed by the engine, and a preview writes nothing", async () => {
  await using simulator = await startSimulator({ seedAccounts: [{ name: "Acme Telecom" }], seedInvoices: 1 });
  await using project = await Project.yaml(settingsOf(simulator));
  await project.succeed("config", "set", "--secret", "pbxApiKey", "an-api-key");
  const invoices = await fetch(`${simulator.baseUrl}/api/v1.0/billingdata`, {
    headers: { authorization: `Bearer ${simulator.accessToken}` },
  });
  const [id] = /(?<="invoiceid": ?")[^"]+/.exec(await invoices.text()) ?? [];
  for (const text of Object.values(examplesIn("yaml"))) {
    // The invoice that exists here, and a project whose plugin is the one of this checkout.
    project.writeYaml(text.replace(/^name: .*\nruntime: .*\n/, "").replace("inv-2026-03", id ?? "none"));
    await project.succeed("preview");
  }
  expect(writes(simulator)).toEqual([]);
});

// Their generators are in modules that cannot be had everywhere, so there is no SDK to compile against.
test.skip("the examples in C# are not compiled, for want of an SDK and of .NET", () => undefined);
test.skip("the examples in Java are not compiled, for want of an SDK", () => undefined);
