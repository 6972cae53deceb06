import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { start, stop } from "./children.mjs";
import { optionsOf } from "./options.mjs";
import { requireHere } from "./resolve.mjs";

const messages = requireHere("@pulumi/pulumi/proto/language_pb");

function installedVersion(directory, name) {
  const places = createRequire(join(directory, "program.js")).resolve.paths(name) ?? [];
  for (const place of places) {
    try {
      return JSON.parse(readFileSync(join(place, name, "package.json"), "utf8")).version;
    } catch {
      // Not here; a folder further up may have it.
    }
  }
  return undefined;
}

/** The direct dependencies that the program's package.json names, with the versions installed. */
export function getProgramDependencies(call) {
  const directory = call.request.getInfo().getProgramDirectory();
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const list = Object.entries({ ...devDependencies, ...dependencies }).map(([name, wanted]) =>
    new messages.DependencyInfo().setName(name).setVersion(installedVersion(directory, name) ?? wanted),
  );
  return new messages.GetProgramDependenciesResponse().setDependenciesList(list);
}

export function about(call) {
  const response = new messages.AboutResponse().setExecutable(process.execPath).setVersion(process.version);
  const directory = call.request.getInfo()?.getProgramDirectory();
  const typescript = directory && installedVersion(directory, "typescript");
  if (typescript) response.getMetadataMap().set("typescriptVersion", typescript);
  return response;
}

export async function installDependencies(call) {
  const info = call.request.getInfo();
  const { packageManager } = optionsOf(info);
  const command = packageManager === "auto" ? "npm" : packageManager;
  const child = start(command, ["install"], { cwd: info.getProgramDirectory() });
  child.stdout.on("data", (chunk) => call.write(new messages.InstallDependenciesResponse().setStdout(chunk)));
  child.stderr.on("data", (chunk) => call.write(new messages.InstallDependenciesResponse().setStderr(chunk)));
  call.on("cancelled", () => stop(child));
  const { code, signal } = await child.ended;
  if (code !== 0) throw new Error(`${command} install ended with ${signal ?? `exit code ${code}`}`);
}
