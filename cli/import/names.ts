import type { AccountRecord } from "../../provider/api/wire";

/** How an account is called in the program: the resource, and the constant that holds it. */
export interface Name {
  resource: string;
  constant: string;
}

/**
 * Names derived from the accounts' own. Where several accounts would share one, or the program has it already, each of
 * them gets the start of its tenant id as well: which accounts are listed first makes no difference.
 */
export function nameAccounts(accounts: readonly AccountRecord[], taken: ReadonlySet<string>): Map<string, Name> {
  const uses = new Map<string, number>();
  for (const { name } of accounts) {
    const { constant } = named(slug(name));
    uses.set(constant, (uses.get(constant) ?? 0) + 1);
  }
  const used = new Set(taken);
  const names = new Map<string, Name>();
  for (const { id, name } of accounts) {
    const plain = slug(name);
    const shared = (uses.get(named(plain).constant) ?? 0) > 1;
    for (const suffix of suffixes(id, shared)) {
      const candidate = named(`${plain}${suffix}`);
      if (used.has(candidate.resource) || used.has(candidate.constant)) continue;
      used.add(candidate.resource).add(candidate.constant);
      names.set(id, candidate);
      break;
    }
  }
  return names;
}

function* suffixes(id: string, shared: boolean): Generator<string> {
  if (!shared) yield "";
  yield `-${id.slice(0, 8).toLowerCase()}`;
  for (let number = 1; ; number++) yield `-${id.toLowerCase()}-${number}`;
}

const longest = 60;

/** Letters and digits of any script, in lower case; accents stay with scripts that cannot be read without them. */
function slug(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase();
  const words = plain.split(/[^\p{L}\p{Nd}\p{M}]+/u).filter((word) => word !== "");
  return Array.from(words.join("-")).slice(0, longest).join("").replace(/-$/, "") || "account";
}

/** ASCII only: which further letters a constant may have differs between versions of the compiler. */
function named(resource: string): Name {
  const [first = "account", ...others] = resource.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const constant = [first, ...others.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)].join("");
  return { resource, constant: /^\d/.test(constant) || reserved.has(constant) ? `_${constant}` : constant };
}

/** What the language, or the head of each file, keeps for itself. */
const reserved = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export exports " +
    "extends false finally for function globalThis if implements import in instanceof interface let module new null " +
    "package private protected public require reseller return static super switch this throw true try typeof " +
    "undefined var void while with yield"
  ).split(" "),
);
