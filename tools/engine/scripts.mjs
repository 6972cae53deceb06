import { join } from "node:path";
import { putScript, textOf } from "./files.mjs";
import { bin, root } from "./paths.mjs";

const programs = {
  "pulumi-language-nodejs": "main.mjs",
  "pulumi-resource-pulumi-nodejs": "dynamic-provider.mjs",
};

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

function scriptFor(name) {
  return `#!/bin/sh
# Written by tools/install-engine.mjs.
root=${quoted(root)}
node=node
case "$(node --version 2>/dev/null)" in
  v22.19.* | v22.[2-9][0-9].* | v2[3-9].* | v[3-9][0-9].*) ;;
  *) if [ -x "$root/node_modules/.bin/node" ]; then node="$root/node_modules/.bin/node"; fi ;;
esac
exec "$node" "$root/tools/language-host/${programs[name]}" "$@"
`;
}

export function writeScripts() {
  for (const name of Object.keys(programs)) putScript(join(bin, name), scriptFor(name));
}

/** Whether the scripts are those that this checkout would write: a moved checkout needs them anew. */
export function scriptsMatch() {
  return Object.keys(programs).every((name) => textOf(join(bin, name)) === scriptFor(name));
}
