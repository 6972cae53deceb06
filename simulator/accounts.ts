import { z } from "zod";
import { checked, name, readJson, requireAcceptedCharges, text } from "./body";
import type { Call } from "./context";
import { pageEnvelope, envelope, errorEnvelope, Refused, type Reply } from "./respond";
import { patched } from "./patch";
import { readPage, slice } from "./paging";
import { isTenantId, type AccountRecord } from "./records";
import { shown, success } from "./success";

const writable = z.object({
  name,
  description: text,
  reference: text,
  enabled: z.boolean(),
  timezone: text,
  countryCode: text,
});
const createBody = writable.extend({ enabled: z.boolean().default(true) });

/** GET /v1.0/accounts. Service document: "Endpoints › Accounts". */
export function listAccounts(call: Call): Reply {
  const page = readPage(call);
  const accounts = slice(call.context.store.listedAccounts(), page);
  return pageEnvelope(
    accounts.map((account) => view(call, account)),
    call.context.clock.iso(),
    page.size,
    page.index,
  );
}

/** GET /v1.0/accounts/{ACCOUNT_TENANT_ID}. */
export function readAccount(call: Call): Reply {
  return envelope(view(call, find(call)), call.context.clock.iso());
}

/** POST /v1.0/accounts: charged, unless `accept-charges: true` is missing. */
export function createAccount(call: Call): Reply {
  const fields = checked(createBody, readJson(call));
  requireAcceptedCharges(call);
  const account = call.context.store.createAccount(fields);
  return success(call, "post", view(call, account), `/api/v1.0/accounts/${account.id}`);
}

/** PATCH /v1.0/accounts/{ACCOUNT_TENANT_ID} with a JSON Patch. */
export function patchAccount(call: Call): Reply {
  const account = find(call);
  const { name, description, reference, enabled, timezone, countryCode } = account;
  const changes = patched(call, { name, description, reference, enabled, timezone, countryCode }, writable);
  if (call.context.settings.patchCharges) requireAcceptedCharges(call);
  const changed = call.context.store.putAccount({ ...account, ...changes });
  return success(call, "patch", view(call, changed), `/api/v1.0/accounts/${account.id}`);
}

/** DELETE /v1.0/accounts/{ACCOUNT_TENANT_ID}: deactivates and flags; the account stays readable and listed. */
export function deleteAccount(call: Call): Reply {
  const account = call.context.store.putAccount({ ...find(call), enabled: false, flaggedForDeletion: true });
  return success(call, "delete", view(call, account), `/api/v1.0/accounts/${account.id}`);
}

/** GET /v1.0/accounts/{ACCOUNT_TENANT_ID}/metrics: the fields the document shows. */
export function readMetrics(call: Call): Reply {
  const { id, name, enabled, dateCreated } = find(call);
  const metrics = { accountTenantId: id, accountName: name, enabled, dateCreated };
  return envelope(shown(call, metrics), call.context.clock.iso());
}

function find(call: Call): AccountRecord {
  checkTenantId(call);
  const account = call.context.store.account(call.id);
  if (!account) throw notFound(call);
  return account;
}

function view(call: Call, account: AccountRecord): Record<string, unknown> {
  const { id, name, description, enabled, parentTenantId, reference, dateCreated } = account;
  return shown(call, { id, name, description, enabled, parentTenantId, reference, dateCreated });
}

/** @throws Refused with the 400 envelope when the id in the path isn't a tenant id */
export function checkTenantId(call: Call): void {
  if (isTenantId(call.id)) return;
  throw new Refused(errorEnvelope(400, `The value '${call.id}' is not valid.`, call.context.clock.iso()));
}

/** The 404 envelope. */
export function notFound(call: Call): Refused {
  return new Refused(errorEnvelope(404, "Not Found", call.context.clock.iso()));
}
