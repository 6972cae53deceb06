/** The runtime options of a Pulumi.yaml, checked. */
export function optionsOf(info) {
  const given = info?.getOptions()?.toJavaScript() ?? {};
  const expect = (name, type) => {
    if (given[name] !== undefined && typeof given[name] !== type) throw new Error(`${name} option must be a ${type}`);
    return given[name];
  };
  return {
    typescript: expect("typescript", "boolean") ?? true,
    tsconfig: expect("tsconfig", "string"),
    nodeArgs: words(expect("nodeargs", "string") ?? ""),
    packageManager: expect("packagemanager", "string") ?? "auto",
  };
}

function words(text) {
  const found = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return found.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

/** An environment in which the SDK reads TypeScript or not, as the options say. */
export function withTypeScript(env, options) {
  const changed = { ...env };
  delete changed.PULUMI_NODEJS_TYPESCRIPT;
  if (options.typescript) changed.PULUMI_NODEJS_TYPESCRIPT = "true";
  if (options.tsconfig) changed.PULUMI_NODEJS_TSCONFIG_PATH = options.tsconfig;
  return changed;
}
