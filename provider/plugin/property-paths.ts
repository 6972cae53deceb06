import type { Names, Path } from "./wire";

/** Property paths as the engine writes them: `pbxConnectionProfile.hostRest`, `pbxConnectionProfile["hostRest"]`. */

export function pathText(path: Path, names: Names = new Map()): string {
  return path.map((name) => names.get(name) ?? name).join(".");
}

function segments(text: string): string[] {
  const found = text.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+|\*)\]|([^.[\]]+)/g);
  return [...found].map(([, quoted, index, name]) => quoted?.replace(/\\(.)/g, "$1") ?? index ?? name ?? "");
}

/** `news` with what `ignoreChanges` names as it was in `olds`. */
export function withIgnored(
  news: Record<string, unknown>,
  olds: Record<string, unknown>,
  ignoreChanges: readonly string[],
  names: Names = new Map(),
): Record<string, unknown> {
  const ofCore = new Map([...names].map(([core, schema]) => [schema, core]));
  const paths = ignoreChanges.map((text) => segments(text).map((name) => ofCore.get(name) ?? name));
  return paths.reduce((result, path) => keep(result, olds, path), news);
}

function keep(
  news: Record<string, unknown>,
  olds: Record<string, unknown>,
  [name, ...rest]: string[],
): Record<string, unknown> {
  if (name === undefined) return news;
  if (name === "*") {
    const names = Object.keys({ ...olds, ...news });
    return names.reduce((result, each) => keep(result, olds, [each, ...rest]), news);
  }
  const [before, after] = [olds[name], news[name]];
  const deeper = rest.length > 0 && isFields(before) && isFields(after);
  const kept = deeper ? keep(after, before, rest) : before;
  const others = Object.entries(news).filter(([other]) => other !== name);
  return Object.fromEntries(kept === undefined ? others : [...others, [name, kept]]);
}

export function valueAt(fields: unknown, path: Path): unknown {
  return path.reduce(
    (value, name) => (isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    fields,
  );
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
