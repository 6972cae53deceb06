import { InvalidDocumentError, ResellerError } from "../../errors";

/** Everything that can be wrong with an invoice's documents becomes this one error. */
export function broken(doing: string, said: string, options?: ErrorOptions): InvalidDocumentError {
  const next = "Nothing was kept. Run again; if it stays so, report it to the service's support.";
  return new InvalidDocumentError({ doing, said: `${said}.`, next }, [], options);
}

/** What a library throws about a document, in one line; an error of ours as it is. */
export function asBroken(doing: string, what: string, cause: unknown): ResellerError {
  if (cause instanceof ResellerError) return cause;
  const reason = (cause as { message?: unknown } | undefined)?.message;
  return broken(doing, `${what} (${typeof reason === "string" ? reason.slice(0, 200) : "unknown reason"})`, { cause });
}
