import { z } from "zod";
import { checkTenantId, notFound } from "./accounts";
import { checked, name, readJson, requireAcceptedCharges, text } from "./body";
import type { Call } from "./context";
import { patched } from "./patch";
import type { CustomerRecord, PbxConnectionProfile } from "./records";
import { envelope, type Reply } from "./respond";
import { shown, success } from "./success";

const field = z.string().nullish();
// Which further fields a profile has depends on its kind, so they are kept.
const profile: z.ZodType<PbxConnectionProfile> = z.looseObject({
  _type: field,
  hostRest: field,
  hostWebsocket: field,
  accountId: field,
  apiKey: field,
});

const writable = z.object({
  name,
  description: text,
  enabled: z.boolean(),
  timezone: text,
  culture: text,
  pbxConnectionProfile: profile.nullish().transform((value) => value ?? null),
});
const createBody = writable.extend({ enabled: z.boolean().default(true) });

/** POST /v1.0/customers. Service document: "Endpoints › Customers". */
export function createCustomer(call: Call): Reply {
  const fields = checked(createBody, readJson(call));
  requireAcceptedCharges(call);
  const customer = call.context.store.createCustomer(fields);
  return success(call, "post", view(call, customer), `/api/v1.0/customers/${customer.id}`);
}

/** GET /v1.0/customers/{id}: only with the option `customers: "full"`. */
export function readCustomer(call: Call): Reply {
  return envelope(view(call, find(call)), call.context.clock.iso());
}

/** PATCH /v1.0/customers/{id}: only with the option `customers: "full"`. */
export function patchCustomer(call: Call): Reply {
  const customer = find(call);
  const { name, description, enabled, timezone, culture, pbxConnectionProfile } = customer;
  const fields = { name, description, enabled, timezone, culture, pbxConnectionProfile };
  const changes = patched(call, fields, writable, ["pbxConnectionProfile"]);
  if (call.context.settings.patchCharges) requireAcceptedCharges(call);
  const changed = call.context.store.putCustomer({ ...customer, ...changes });
  return success(call, "patch", view(call, changed), `/api/v1.0/customers/${customer.id}`);
}

/** DELETE /v1.0/customers/{id}: only with the option `customers: "full"`; deactivates and flags. */
export function deleteCustomer(call: Call): Reply {
  const customer = call.context.store.putCustomer({ ...find(call), enabled: false, flaggedForDeletion: true });
  return success(call, "delete", view(call, customer), `/api/v1.0/customers/${customer.id}`);
}

function find(call: Call): CustomerRecord {
  checkTenantId(call);
  const customer = call.context.store.customer(call.id);
  if (!customer) throw notFound(call);
  return customer;
}

function view(call: Call, customer: CustomerRecord): Record<string, unknown> {
  const { id, name, description, enabled, timezone, culture, parentTenantId, dateCreated } = customer;
  const record = shown(call, { id, name, description, enabled, timezone, culture, parentTenantId, dateCreated });
  if (customer.pbxConnectionProfile === null) return record;
  return { ...record, pbxConnectionProfile: withoutSecret(customer.pbxConnectionProfile) };
}

/** A profile as it may be shown. */
export function withoutSecret(profile: PbxConnectionProfile): PbxConnectionProfile {
  const shown = { ...profile };
  delete shown.apiKey;
  return shown;
}
