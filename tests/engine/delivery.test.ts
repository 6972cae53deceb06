import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { startSimulator } from "../../simulator";
import { root } from "./support/installed";
import { succeed } from "./support/processes";
import { Project, settingsOf } from "./support/project";
import { post, writes } from "./support/requests";

/** The plugin as it is delivered: one archive, one executable, no Node.js. */

jest.setTimeout(300_000);

test("the archive of the plugin is installed and works where there is no Node.js", async () => {
  await succeed(process.execPath, [join(root, "tools/plugin.mjs")], { cwd: root, env: process.env });
  const [archive = ""] = readdirSync(join(root, "dist")).filter((name) => name.includes(`-v${version}-`));
  await using simulator = await startSimulator({ seedAccounts: 1 });
  await using project = await Project.yaml(settingsOf(simulator));
  const bin = join(project.folder, "bin");
  mkdirSync(bin);
  for (const name of ["pulumi", "pulumi-language-yaml"]) symlinkSync(join(root, ".tools/bin", name), join(bin, name));
  project.env["PATH"] = bin;
  await project.succeed("plugin", "install", "resource", "reseller", version, "--file", join(root, "dist", archive));

  const acme = { name: "Acme Telecom", timezone: "Europe/Amsterdam", countryCode: "NL" };
  const named = { function: "reseller:getAccounts", arguments: { enabled: true } };
  const program = {
    name: "demo",
    runtime: "yaml",
    variables: { existing: { "fn::invoke": named } },
    resources: { acme: { type: "reseller:Account", properties: { ...acme, acceptCharges: true } } },
    outputs: { first: "${existing.accounts[0].id}" },
  };
  project.write("Pulumi.yaml", JSON.stringify(program));
  const first = simulator.accounts()[0]?.id;
  await project.up();
  expect(writes(simulator)).toEqual([post({ ...acme, enabled: true, reference: "demo/dev/acme" })]);
  expect((await project.succeed("stack", "output", "first")).trim()).toBe(first);
  await project.destroy();
  expect(simulator.charges()).toHaveLength(1);
});

test("a plugin says its port soon", async () => {
  const started = {
    "the native plugin, as delivered": join(root, ".tools/plugin/pulumi-resource-reseller"),
    "the native plugin of a checkout": join(root, "provider/plugin/pulumi-resource-reseller"),
    "the host of dynamic resources": join(root, ".tools/bin/pulumi-resource-pulumi-nodejs"),
  };
  for (const [what, command] of Object.entries(started)) {
    const times: number[] = [];
    for (let run = 0; run < 5; run++) {
      const before = performance.now();
      const child = spawn(command, ["127.0.0.1:1"], { stdio: ["pipe", "pipe", "ignore"] });
      const [line] = (await once(child.stdout, "data")) as [Buffer];
      times.push(performance.now() - before);
      // Nothing else may come before it, nor with it.
      expect(line.toString()).toMatch(/^\d+\n$/);
      // What the engine leaves behind when it is killed must not stay.
      child.stdin.end();
      if (what.startsWith("the native")) expect(await once(child, "exit")).toEqual([0, null]);
      else child.kill("SIGKILL");
    }
    const [, , median = 0] = times.sort((one, other) => one - other);
    process.stdout.write(`From start to port: ${what} ${Math.round(median)} ms (median of five).\n`);
  }
});
