import type { CustomersApi } from "../api/customers";
import type { CustomerRecord } from "../api/wire";
import { NotFoundError, NotOfferedError, OutcomeUnknownError, PendingCreationError } from "../errors";
import { z } from "zod";
import { field, fieldsWhere, pick } from "../schema/fields";
import { culture, line, webAddress } from "../schema/text";
import {
  changedAcceptance,
  type ChargePolicy,
  mayCharge,
  requireChargesAllowed,
  tellCharge,
  unacceptedChange,
  unacceptedCharge,
} from "./charges";
import { type CheckFailure, checkInputs, unknownValue } from "./check";
import { requireSameIdentity, tenantId } from "./adopt";
import type { AccountDirectory } from "./directory";
import { acceptCharges, description, timezone } from "./fields";
import { changedPaths, type Difference, patchFor } from "./patch";

// --- Fields ---------------------------------------------------------------------------------------------------------

const profileForm = /^[A-Za-z][A-Za-z0-9]*PbxConnectionProfile$/;

/** Resources and their fields › Customer › pbxConnectionProfile. */
export const profileFields = {
  _type: field(
    z
      .string()
      .regex(profileForm, "must be the kind of telephone system, such as Example or ExamplePbxConnectionProfile"),
    {
      description:
        "Kind of connection profile: <kind>PbxConnectionProfile. The kind alone is enough, also under the name `kind`.",
      schemaName: "kind",
    },
  ),
  hostRest: field(webAddress("http", "https"), { description: "Address of the telephone system's REST interface." }),
  hostWebsocket: field(webAddress("ws", "wss"), {
    description: "Address of the telephone system's websocket interface.",
  }),
  accountId: field(line, { description: "Account identifier on the telephone system." }),
  apiKey: field(line, { description: "Key for the telephone system. Always kept secret.", secret: true }),
} satisfies z.ZodRawShape;

function profileProblem(issue: { code: string; keys?: unknown }): string {
  if (issue.code !== "unrecognized_keys") return "must be an object";
  return `has no property ${String(issue.keys)}; there are ${Object.keys(profileFields).join(", ")}`;
}

const profile = z.strictObject(profileFields, { error: profileProblem }).meta({
  typeName: "PbxConnectionProfile",
  description: "Connection data for a customer's telephone system.",
});

/** Resources and their fields › Customer, as a program declares it. */
export const customerFields = {
  name: field(line, { description: "Name of the customer. Not blank." }),
  description,
  enabled: field(z.boolean({ error: "must be true or false" }).optional(), {
    description: "Whether the customer has access to the system. Default: true.",
  }),
  timezone,
  culture: field(culture.optional(), {
    description: "Locale tag in language-REGION form, such as nl-NL. The service never returns it.",
    writeOnly: true,
  }),
  pbxConnectionProfile: field(profile.optional(), {
    description: "Connection data for the customer's telephone system. Never returned.",
    writeOnly: true,
  }),
  acceptCharges,
  adopt: field(tenantId.optional(), {
    description:
      "Tenant id of a customer that exists: it is taken over, and nothing is created or charged. Counts when the " +
      "resource is first declared; removing it later changes nothing.",
    local: true,
  }),
} satisfies z.ZodRawShape;

export type CustomerInputs = z.output<z.ZodObject<typeof customerFields>>;

/** What is known once the customer is. */
export const customerOutputFields = {
  tenantId: field(z.string().optional(), {
    description:
      "Tenant id of the customer. Absent while its creation is not confirmed, when `id` is only a placeholder.",
  }),
} satisfies z.ZodRawShape;
export type CustomerOutputs = CustomerInputs & z.output<z.ZodObject<typeof customerOutputFields>>;

export const customerDescription =
  "A customer: a tenant below a reseller account. Creating one may cost money: it needs `acceptCharges: true`. The " +
  "service documents its creation only; what else it offers is tried, and what it lacks is said. No change replaces it.";

const names = Object.keys(customerFields) as (keyof CustomerInputs)[];
const sentNames = fieldsWhere(customerFields, (marks) => marks.local !== true);
const readableNames = ["name", "description", "enabled"] as const;

/** What the lifecycle needs of the world. */
export interface CustomerService {
  customers: CustomersApi;
  directory: AccountDirectory;
  chargePolicy: ChargePolicy;
  /** Tells the person running the update something worth knowing. */
  notice(line: string): void;
}

// --- Identity -------------------------------------------------------------------------------------------------------

// No identifier has a colon, so this is never one of the service's own.
const pendingPrefix = "pending:";

/** A creation whose outcome nobody can look up: it is in state so that it is not sent a second time. */
function isPending(id: string): boolean {
  return id.startsWith(pendingPrefix);
}

// --- Rules ----------------------------------------------------------------------------------------------------------

/** Validates and completes what a program declares. Sends nothing. `notices`: what to tell before anything is sent. */
export function check(
  olds: Partial<CustomerInputs>,
  news: Record<string, unknown>,
): { inputs: Partial<CustomerInputs>; failures: CheckFailure[]; notices: string[] } {
  const completed = { enabled: true, ...pick({ ...news, ...profileOf(news) }, names) } as Partial<CustomerInputs>;
  const failures = checkInputs(customerFields, { ...news, ...profileOf(news) });
  const creates = olds.name === undefined && completed.adopt === undefined;
  return { inputs: completed, failures, notices: creates ? unacceptedCharge("Customer", completed) : [] };
}

/** The profile with the name that travels: `kind` becomes `_type`, and the kind alone its full form. */
function profileOf(news: Record<string, unknown>): { pbxConnectionProfile?: unknown } {
  const given = news["pbxConnectionProfile"];
  if (typeof given !== "object" || given === null) return {};
  const { kind, ...rest } = given as Record<string, unknown>;
  const type = rest["_type"] ?? kind;
  const bare = typeof type === "string" && type !== unknownValue && /^[A-Za-z][A-Za-z0-9]*$/.test(type);
  const full = bare && !profileForm.test(type) ? `${type}PbxConnectionProfile` : type;
  return { pbxConnectionProfile: full === undefined ? rest : { ...rest, _type: full } };
}

/**
 * Nothing replaces a customer, but for a pending creation that `adopt` resolves: taking over buys nothing.
 * @throws NotAdoptedError when `adopt` names another customer than the one that is managed.
 */
export function diff(id: string, olds: Partial<CustomerInputs>, news: Partial<CustomerInputs>): Difference {
  if (!isPending(id)) requireSameIdentity("customer", id, news.adopt);
  const resolves = isPending(id) && news.adopt !== undefined;
  const replaces = resolves ? ["adopt"] : [];
  const sent = changedPaths(olds, news, sentNames);
  const properties = [...sent, ...changedAcceptance(olds, news), ...replaces.map((name) => [name])];
  const notices = isPending(id) ? [] : unacceptedChange("Customer", news, sent);
  return { changes: isPending(id) || properties.length > 0, replaces, properties, notices };
}

// --- Lifecycle ------------------------------------------------------------------------------------------------------

/**
 * Creates the customer with one POST, or takes over the one that `adopt` names.
 * @throws PendingCreationError when the outcome is not known: the service has no list in which to look it up.
 */
export async function create(
  service: CustomerService,
  inputs: CustomerInputs,
): Promise<{ id: string; outs: CustomerOutputs }> {
  if (inputs.adopt !== undefined) return adopt(service, inputs, inputs.adopt);
  const doing = `create customer ${JSON.stringify(inputs.name)}`;
  requireChargesAllowed(service, doing);
  await service.directory.requireOwners(doing);
  let id: string | undefined;
  try {
    ({ id } = await service.customers.create(body(inputs), mayCharge(service, inputs)));
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error;
  }
  tellCharge(
    service,
    inputs,
    id === undefined ? `tried to ${doing}` : `created customer ${JSON.stringify(inputs.name)} (${id})`,
  );
  if (id === undefined) throw pending(doing, `${pendingPrefix}${inputs.name}`, inputs);
  return { id, outs: outputs(inputs, id) };
}

/**
 * Reads the customer where the service lets it; otherwise state is all there is, and stays.
 * A blank id means that it is gone: only the service's own 404 envelope says so.
 */
export async function read(
  service: CustomerService,
  id: string,
  props: Partial<CustomerInputs>,
): Promise<{ id: string; props?: CustomerOutputs; inputs?: CustomerInputs }> {
  const inState = props.name !== undefined;
  const inputs = outputs(props as CustomerInputs);
  if (isPending(id)) return { id, props: inputs, inputs };
  const asInState = { id, props: outputs(inputs, id), inputs };
  let record: CustomerRecord;
  try {
    record = await service.customers.get(id);
  } catch (error) {
    if (inState && error instanceof NotFoundError) return { id: "" };
    if (inState && error instanceof NotOfferedError) return asInState;
    throw error;
  }
  const declared = readableNames.filter((name) => !inState || props[name] !== undefined);
  const observed = { ...inputs, ...pick(record, declared) };
  return { id, props: outputs(observed, id), inputs: observed };
}

/** Sends the fields that differ, as one PATCH; nothing when none does. */
export async function update(
  service: CustomerService,
  id: string,
  olds: Partial<CustomerInputs>,
  news: CustomerInputs,
): Promise<{ outs: CustomerOutputs }> {
  if (isPending(id)) throw pending(`change customer ${JSON.stringify(news.name)}`, id, news);
  const operations = patchFor(olds, news, sentNames);
  if (operations.length > 0) {
    await service.customers.patch(id, operations, mayCharge(service, news));
    tellCharge(service, news, `changed customer ${JSON.stringify(news.name)} (${id})`);
  }
  return { outs: outputs(news, id) };
}

/** Deletes the customer. Already gone is success; what cannot be known or done is not. */
export async function remove(service: CustomerService, id: string, props: Partial<CustomerInputs>): Promise<void> {
  if (isPending(id)) {
    if (adoptedHere.get(service)?.has(props.name ?? "")) return;
    throw pending(`delete customer ${JSON.stringify(props.name)}`, id, props);
  }
  try {
    await service.customers.delete(id);
  } catch (error) {
    if (error instanceof NotFoundError) return;
    throw error;
  }
}

// --- Taking over ----------------------------------------------------------------------------------------------------

// The pending creation that an adoption resolves is deleted right after it, in the same operation.
const adoptedHere = new WeakMap<CustomerService, Set<string>>();

async function adopt(service: CustomerService, inputs: CustomerInputs, id: string) {
  let seen = true;
  try {
    const record = await service.customers.get(id);
    // What the service never returns is sent as declared: nobody can say whether it differs.
    const declared = sentNames.filter((name) => inputs[name] !== undefined);
    const operations = patchFor(pick(record, readableNames), inputs, declared);
    if (operations.length > 0) {
      await service.customers.patch(id, operations, mayCharge(service, inputs));
      tellCharge(service, inputs, `changed customer ${JSON.stringify(inputs.name)} (${id})`);
    }
  } catch (error) {
    if (!(error instanceof NotOfferedError)) throw error;
    seen = false;
  }
  adoptedHere.set(service, (adoptedHere.get(service) ?? new Set()).add(inputs.name));
  const unseen = seen
    ? ""
    : " The service does not offer reading or changing customers, so what it holds was not compared.";
  service.notice(
    `Customer ${JSON.stringify(inputs.name)} (${id}) was taken over; no new one was created or charged.${unseen}`,
  );
  return { id, outs: outputs(inputs, id) };
}

function pending(doing: string, id: string, inputs: Partial<CustomerInputs>): PendingCreationError {
  // What was sent; what is declared may have been renamed since.
  const name = JSON.stringify(id.slice(pendingPrefix.length));
  return new PendingCreationError(id, outputs(inputs as CustomerInputs), {
    doing,
    said: "its creation was sent but not confirmed, and the service offers no list of customers to look it up.",
    next: `It may exist and be charged; it is not sent again. Look for ${name} in the portal: if it is there, set adopt: "<its tenant id>"; if not, run \`pulumi state delete\` on this resource, then \`pulumi up\`.`,
  });
}

// --- Shapes ---------------------------------------------------------------------------------------------------------

function body(inputs: CustomerInputs): { name: string } {
  return pick(inputs, sentNames) as { name: string };
}

/** What state keeps: what was declared, and whose it is once that is known. */
function outputs(inputs: CustomerInputs, tenantId?: string): CustomerOutputs {
  const kept = names.filter((name) => name !== "adopt");
  return { ...(pick(inputs, kept) as unknown as CustomerInputs), ...(tenantId === undefined ? {} : { tenantId }) };
}
