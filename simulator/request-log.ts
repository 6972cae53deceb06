import type { IncomingHttpHeaders } from "node:http";

/** One request to the API or the authorization server, in order of arrival. */
export interface LoggedRequest {
  method: string;
  /** Path as it was sent, without the query, for example `/api/v1.0/accounts`. */
  path: string;
  query: Record<string, string>;
  /** Lower-case names. Credentials are replaced by `<redacted>`. */
  headers: Record<string, string>;
  /** Parsed when it is JSON or a form (secrets of a form redacted), else the text; `undefined` without a body. */
  body: unknown;
  /** Status of the answer; `null` while there is none, and for good when the connection was cut. */
  status: number | null;
  /** ISO 8601 UTC date-time, in the simulator's time. */
  at: string;
}

/** Narrows {@link RequestLog.list}; every part given must hold. */
export interface RequestFilter {
  /** HTTP method, in any case. */
  method?: string | undefined;
  /** Part of the path, or a regular expression in a string. */
  path?: string | undefined;
  /** Status of the answer; `null` for requests without one. */
  status?: number | null | undefined;
}

const kept = 100_000;
const secretHeaders = new Set(["authorization", "proxy-authorization", "cookie"]);
const secretFields = new Set(["client_secret", "refresh_token", "code", "code_verifier"]);

/** Whether a path, with or without its query, contains a text or matches it as a regular expression. */
export function pathMatches(pattern: string, path: string, search: string): boolean {
  const full = path + search;
  if (full.includes(pattern)) return true;
  try {
    const expression = new RegExp(pattern);
    return expression.test(path) || expression.test(full);
  } catch {
    return false;
  }
}

export class RequestLog {
  private entries: LoggedRequest[] = [];

  add(entry: LoggedRequest): LoggedRequest {
    // Halving now and then keeps a long-running simulator's memory bounded without moving the array on each request.
    if (this.entries.length >= kept) this.entries = this.entries.slice(kept / 2);
    this.entries.push(entry);
    return entry;
  }

  list(filter: RequestFilter = {}): LoggedRequest[] {
    return this.entries.filter(
      (entry) =>
        (filter.method === undefined || entry.method === filter.method.toUpperCase()) &&
        (filter.path === undefined || pathMatches(filter.path, entry.path, "")) &&
        (filter.status === undefined || entry.status === filter.status),
    );
  }

  clear(): void {
    this.entries = [];
  }
}

/** Headers for the log: one text each, credentials replaced, the scheme of an authorization kept. */
export function loggedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const logged: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(", ") : value;
    logged[name] = secretHeaders.has(name) ? text.replace(/^(Bearer |Basic )?.*$/is, "$1<redacted>") : text;
  }
  return logged;
}

/** The body for the log. */
export function loggedBody(body: Buffer, contentType: string): unknown {
  if (body.length === 0) return undefined;
  const text = body.toString("utf8");
  if (contentType.startsWith("application/x-www-form-urlencoded")) {
    const fields = [...new URLSearchParams(text)];
    return Object.fromEntries(fields.map(([name, value]) => [name, secretFields.has(name) ? "<redacted>" : value]));
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
