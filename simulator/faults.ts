import { z } from "zod";
import { pathMatches } from "./request-log";

const which = {
  /** HTTP method, in any case. Default: any. */
  method: z.string().optional(),
  /** Part of the path with its query, or a regular expression in a string. Default: any. */
  path: z.string().optional(),
  /** How many matching requests are hit; may be Infinity. Default 1. */
  times: z.union([z.literal(Infinity), z.int().min(1)]).optional(),
  /** How many matching requests go unharmed first. Default 0. */
  skip: z.int().min(0).optional(),
};

const milliseconds = z.number().min(0);
const status = z.int().min(200).max(599);
const headers = z.record(z.string(), z.string());

/** One fault, as given to `arm` or sent to POST /_simulator/faults. "Act" means that the request takes effect. */
export const faultSchema = z.discriminatedUnion("action", [
  /** Close the connection without acting; `reset` closes it with a TCP reset. */
  z.object({ ...which, action: z.literal("cut-before"), reset: z.boolean().optional() }),
  /** Act, then close the connection without a byte of an answer. */
  z.object({ ...which, action: z.literal("cut-after"), reset: z.boolean().optional() }),
  /** Act, send the headers with the full length and half of the body, then close the connection. */
  z.object({ ...which, action: z.literal("truncate") }),
  /** Act, then answer 200 (or `status`) with no body. */
  z.object({ ...which, action: z.literal("empty-body"), status: status.optional() }),
  /** Act, then wait this many milliseconds before the headers. */
  z.object({ ...which, action: z.literal("delay-headers"), ms: milliseconds }),
  /** Act, send the headers and one byte, then wait this many milliseconds before the rest. */
  z.object({ ...which, action: z.literal("delay-body"), ms: milliseconds }),
  /** Answer with a status of your own; `act` first or not (default not). An object as body is sent as JSON. */
  z.object({
    ...which,
    action: z.literal("status"),
    status,
    headers: headers.optional(),
    body: z.unknown().optional(),
    contentType: z.string().optional(),
    act: z.boolean().optional(),
  }),
  /** Answer with the HTML error page of a proxy, status 502 by default; `act` first or not (default not). */
  z.object({ ...which, action: z.literal("html"), status: status.optional(), act: z.boolean().optional() }),
  /** Act, then send half of the body followed by blanks without end; in truth up to `bytes`, default 200 MB. */
  z.object({ ...which, action: z.literal("endless-body"), bytes: z.int().min(1).optional() }),
  /** Redirect without acting; status 302 by default. */
  z.object({ ...which, action: z.literal("redirect"), location: z.string(), status: status.optional() }),
  /** Answer as usual, then close the connection although it was offered for reuse. */
  z.object({ ...which, action: z.literal("close-idle") }),
  /** Act, then send this JSON instead; status 200 by default. */
  z.object({ ...which, action: z.literal("json"), body: z.unknown(), status: status.optional() }),
]);

/** A fault to arm: which requests it hits (`method`, `path`, `skip`, `times`) and what it does to them (`action`). */
export type Fault = z.input<typeof faultSchema>;

/** The armed faults. The first one that matches a request and isn't used up hits it. */
export class FaultList {
  private armed: { fault: Fault; skip: number; times: number }[] = [];

  /** @throws a ZodError when the fault isn't one of those described. */
  arm(fault: unknown): void {
    const parsed = faultSchema.parse(fault);
    this.armed.push({ fault: parsed, skip: parsed.skip ?? 0, times: parsed.times ?? 1 });
  }

  disarm(): void {
    this.armed = [];
  }

  /** The fault for this request, if there is one; counts it as used. */
  take(method: string, path: string, search: string): Fault | undefined {
    for (const entry of this.armed) {
      const { fault } = entry;
      if (fault.method !== undefined && fault.method.toUpperCase() !== method) continue;
      if (fault.path !== undefined && !pathMatches(fault.path, path, search)) continue;
      if (entry.skip > 0) {
        entry.skip--;
        continue;
      }
      entry.times--;
      if (entry.times <= 0) this.armed = this.armed.filter((other) => other !== entry);
      return fault;
    }
    return undefined;
  }
}
