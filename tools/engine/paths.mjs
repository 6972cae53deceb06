import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const tools = dirname(dirname(fileURLToPath(import.meta.url)));
export const root = dirname(tools);
export const bin = join(root, ".tools", "bin");
export const hosts = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

const goMod = readFileSync(join(tools, "go.mod"), "utf8");

function fromGoMod(pattern) {
  const found = pattern.exec(goMod)?.[1];
  if (!found) throw new Error(`tools/go.mod has no line that matches ${pattern}`);
  return found;
}

export const version = fromGoMod(/^\s*github\.com\/pulumi\/pulumi\/pkg\/v3 v(\S+)/m);
export const yamlVersion = fromGoMod(/^\s*github\.com\/pulumi\/pulumi-yaml v(\S+)/m);
export const goVersion = fromGoMod(/^go (\S+)/m);

const cacheHome = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
export const cache = join(cacheHome, "pulumi-reseller", "engine");
export const cacheKey = `${version}-${process.platform}-${process.arch}`;
export const yamlKey = `yaml-${yamlVersion}-${process.platform}-${process.arch}`;
