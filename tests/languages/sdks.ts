import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../engine/support/installed";
import { succeed } from "../engine/support/processes";

/** The SDKs that `make sdks` makes, put where programs in a folder find them. */

export const here = { cwd: root, env: process.env };
const tsc = join(root, "node_modules/typescript/bin/tsc");

function made(language: string): string {
  const folder = join(root, "sdks", language);
  if (!existsSync(folder)) throw new Error("There are no SDKs here yet: run make sdks.");
  return folder;
}

/** @returns the interpreter that finds the SDK and these packages */
export async function withPythonSdk(folder: string, ...packages: string[]): Promise<string> {
  const python = join(folder, "venv/bin/python");
  await succeed("python3", ["-m", "venv", join(folder, "venv")], here);
  // Installing leaves files beside what is installed.
  cpSync(made("python"), join(folder, "sdk"), { recursive: true });
  await succeed(python, ["-m", "pip", "install", "--quiet", join(folder, "sdk"), ...packages], here);
  return python;
}

export async function withTypeScriptSdk(folder: string): Promise<void> {
  const sdk = join(folder, "node_modules/pulumi-reseller-native");
  cpSync(made("nodejs"), sdk, { recursive: true });
  for (const needed of ["@pulumi", "@types"]) {
    symlinkSync(join(root, "node_modules", needed), join(folder, "node_modules", needed));
  }
  await succeed(process.execPath, [tsc, "-p", sdk, "--outDir", sdk], here);
}

export async function compileTypeScript(folder: string, ...args: string[]): Promise<void> {
  const options = ["--skipLibCheck", "--strict", "--target", "es2022", "--module", "node16", "--types", "node"];
  await succeed(process.execPath, [tsc, ...options, ...args], { ...here, cwd: folder });
}

/** Makes the folder a Go module that requires the SDK. */
export function withGoSdk(folder: string): void {
  const pulumi = /pulumi\/sdk\/v3 (v\S+)/.exec(readFileSync(join(root, "tools/go.mod"), "utf8"))?.[1] ?? "";
  const needed = `require (\n\tgithub.com/pulumi/pulumi/sdk/v3 ${pulumi}\n)\n`;
  cpSync(join(made("go"), "reseller"), join(folder, "sdk"), { recursive: true });
  const sdk = "pulumi-reseller/sdk/go/reseller";
  writeFileSync(join(folder, "sdk/go.mod"), `module ${sdk}\n\ngo 1.25\n\n${needed}`);
  const local = `require ${sdk} v0.0.0\n\nreplace ${sdk} => ./sdk\n`;
  writeFileSync(join(folder, "go.mod"), `module demo\n\ngo 1.25\n\n${needed}\n${local}`);
  cpSync(join(root, "tools/go.sum"), join(folder, "go.sum"));
}

export async function go(folder: string, ...args: string[]): Promise<void> {
  const env = { ...process.env, GOWORK: "off", GOFLAGS: "-mod=mod" };
  await succeed("go", args, { cwd: folder, env });
}
