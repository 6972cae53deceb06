import { z } from "zod";
import { checked, readJson } from "./body";
import type { Call } from "./context";
import { withoutSecret } from "./customers";
import { faultSchema } from "./faults";
import type { AccountRecord, CustomerRecord } from "./records";
import { empty, errorEnvelope, json, Refused, type Reply } from "./respond";

const prefix = "/_simulator/";

const accountChanges = z.strictObject({
  id: z.uuid().optional(),
  name: z.string().optional(),
  description: z.string().nullable().optional(),
  enabled: z.boolean().optional(),
  parentTenantId: z.uuid().optional(),
  reference: z.string().nullable().optional(),
  dateCreated: z.string().optional(),
  timezone: z.string().nullable().optional(),
  countryCode: z.string().nullable().optional(),
  flaggedForDeletion: z.boolean().optional(),
});
const faults = z.union([faultSchema, z.array(faultSchema)]);
const clock = z.strictObject({ seconds: z.number() });

/** Whether a request is for the simulator itself rather than for the service. */
export function isControl(call: Call): boolean {
  return call.path.startsWith(prefix);
}

/**
 * The routes under /_simulator/, which need no token, aren't logged and never meet a fault:
 * GET charges, requests, accounts, customers; DELETE requests; POST and DELETE faults; POST accounts;
 * PATCH and DELETE accounts/{id}; POST revoke; POST clock {seconds}.
 */
export function control(call: Call): Reply {
  // A web page that someone has open must not steer the simulator.
  if (!fromThisMachine(call)) return empty(403);
  try {
    return handle(call);
  } catch (error) {
    if (error instanceof Refused) return error.reply;
    throw error;
  }
}

function handle(call: Call): Reply {
  const { store, log, tokens } = call.context;
  const [subject = "", id = ""] = call.path.slice(prefix.length).split("/");
  switch (`${call.method} ${subject}${id === "" ? "" : "/:id"}`) {
    case "GET charges":
      return json(200, store.ledger.list());
    case "GET requests":
      return json(
        200,
        log.list({ method: call.query.get("method") ?? undefined, path: call.query.get("path") ?? undefined }),
      );
    case "DELETE requests":
      log.clear();
      return empty(204);
    case "GET accounts":
      return json(200, store.accounts());
    case "GET customers":
      return json(200, store.customers().map(publicView));
    case "POST faults":
      for (const fault of [checked(faults, readJson(call))].flat()) call.context.faults.arm(fault);
      return empty(204);
    case "DELETE faults":
      call.context.faults.disarm();
      return empty(204);
    case "POST accounts":
      return json(201, store.addAccount(changes(call)));
    case "PATCH accounts/:id":
      return json(200, store.putAccount({ ...existing(call, id), ...changes(call), id }));
    case "DELETE accounts/:id":
      existing(call, id);
      store.removeAccount(id);
      return empty(204);
    case "POST revoke":
      tokens.revokeAccess();
      return empty(204);
    case "POST clock":
      call.context.clock.advance(checked(clock, readJson(call)).seconds);
      return empty(204);
    default:
      return empty(404);
  }
}

function changes(call: Call): Partial<AccountRecord> {
  const sent = checked(accountChanges, readJson(call));
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
}

function existing(call: Call, id: string): AccountRecord {
  const account = call.context.store.account(id);
  if (!account) throw new Refused(errorEnvelope(404, "Not Found", call.context.clock.iso()));
  return account;
}

function publicView(customer: CustomerRecord): CustomerRecord {
  const profile = customer.pbxConnectionProfile;
  return { ...customer, pbxConnectionProfile: profile && withoutSecret(profile) };
}

function fromThisMachine(call: Call): boolean {
  const local = (origin: string): boolean =>
    URL.canParse(origin) && ["127.0.0.1", "localhost"].includes(new URL(origin).hostname);
  const { host = "", origin } = call.headers;
  return local(`http://${host}`) && (origin === undefined || local(origin));
}
