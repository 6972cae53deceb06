import { InvalidArgumentError } from "commander";
import type { AccountRecord } from "../../provider/api/wire";

export type Filter = (account: AccountRecord) => boolean;

const fields = ["id", "name", "reference", "description"] as const;

/** `field=pattern`, where `*` stands for any text and everything else for itself, upper and lower case included. */
export function parseFilter(text: string, others: readonly Filter[] = []): Filter[] {
  const [name, ...rest] = text.split("=");
  const field = fields.find((known) => known === name);
  if (field === undefined || rest.length === 0) {
    throw new InvalidArgumentError(`It must be <field>=<pattern>, the field one of ${fields.join(", ")}.`);
  }
  const parts = rest.join("=").split("*");
  return [...others, (account) => matches(account[field] ?? "", parts)];
}

/** `parts`: what has to be there, in this order, with any text between. */
function matches(text: string, parts: readonly string[]): boolean {
  const [start = "", ...between] = parts;
  const end = between.pop();
  if (end === undefined) return text === start;
  if (!text.startsWith(start)) return false;
  let from = start.length;
  for (const part of between) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return text.length - end.length >= from && text.endsWith(end);
}
