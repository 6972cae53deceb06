import type { IncomingHttpHeaders } from "node:http";
import type { Invoices } from "./billing";
import type { Clock } from "./clock";
import type { FaultList } from "./faults";
import type { Settings } from "./options";
import type { RequestLog } from "./request-log";
import type { Store } from "./store";
import type { Tokens } from "./tokens";

/** The parts every handler works with. */
export interface Context {
  settings: Settings;
  clock: Clock;
  store: Store;
  invoices: Invoices;
  tokens: Tokens;
  log: RequestLog;
  faults: FaultList;
}

/** One request, read completely. */
export interface Call {
  context: Context;
  method: string;
  /** Path without the query, not decoded. */
  path: string;
  /** The query with its question mark, or nothing. */
  search: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The decoded path segment in the place of `:id`, or nothing. */
  id: string;
}
