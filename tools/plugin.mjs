// Builds the native plugin as one executable that needs no Node.js, and packs it as `pulumi plugin install` takes it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./engine/paths.mjs";

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const name = "pulumi-resource-reseller";
const os = { linux: "linux", darwin: "darwin", win32: "windows" }[process.platform];
const arch = { x64: "amd64", arm64: "arm64" }[process.arch];
if (!os || !arch) throw new Error(`There is no plugin for ${process.platform} ${process.arch}`);

const work = join(root, ".tools", "plugin");
const dist = join(root, "dist");
const script = join(work, "plugin.cjs");
const blob = join(work, "plugin.blob");
const executable = join(work, os === "windows" ? `${name}.exe` : name);
const archive = join(dist, `${name}-v${version}-${os}-${arch}.tar.gz`);

function run(command, args) {
  const { status, stderr, error } = spawnSync(command, args, { cwd: work, encoding: "utf8" });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(" ")} ended with ${status}:\n${stderr}`);
}

rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
mkdirSync(dist, { recursive: true });

await build({
  entryPoints: [join(root, "provider/plugin/main.ts")],
  outfile: script,
  bundle: true,
  platform: "node",
  target: "node22",
  // Without the names of countries in eighty languages: only their codes are used.
  alias: { "i18n-iso-countries": join(root, "node_modules/i18n-iso-countries/index.js") },
  // Machine code for each platform, loaded only where a keychain is asked for: it cannot be part of a script.
  external: ["@napi-rs/keyring"],
  minify: true,
  // Errors of unexpected kinds are shown by their names.
  keepNames: true,
  logLevel: "warning",
});

// The code cache holds for this very Node.js, which is the one that the plugin brings.
const sea = { main: script, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true };
writeFileSync(join(work, "sea.json"), JSON.stringify(sea));
run(process.execPath, ["--experimental-sea-config", "sea.json"]);
copyFileSync(process.execPath, executable);
chmodSync(executable, 0o755);
if (os === "darwin") run("codesign", ["--remove-signature", executable]);
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const segment = os === "darwin" ? ["--macho-segment-name", "NODE_SEA"] : [];
const postject = createRequire(import.meta.url).resolve("postject/dist/cli.js");
run(process.execPath, [postject, executable, "NODE_SEA_BLOB", blob, "--sentinel-fuse", fuse, ...segment]);
if (os === "darwin") run("codesign", ["--sign", "-", executable]);

run("tar", ["-czf", archive, "-C", work, os === "windows" ? `${name}.exe` : name]);
const sum = createHash("sha256").update(readFileSync(archive)).digest("hex");
console.log(`plugin: ${archive}\nplugin: sha256 ${sum}`);
