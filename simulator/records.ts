/**
 * A reseller account as the simulator stores it. The service returns every field except `timezone`, `countryCode` and
 * `flaggedForDeletion`. Service document: "Resources and their fields › Account".
 */
export interface AccountRecord {
  /** Tenant id: a lower-case UUID. */
  id: string;
  name: string;
  /** `null` when never sent. */
  description: string | null;
  enabled: boolean;
  /** Tenant id of the enterprise that owns the account. */
  parentTenantId: string;
  /** Text chosen by the caller; the service doesn't ask for it to be unique. `null` when never sent. */
  reference: string | null;
  /** ISO 8601 date-time without a UTC offset, three fractional digits, for example `2025-01-31T09:30:00.000`. */
  dateCreated: string;
  /** Region/City. Stored, never returned. */
  timezone: string | null;
  /** Two letters. Stored, never returned. */
  countryCode: string | null;
  /** True after a DELETE: deactivated, still readable and listed. */
  flaggedForDeletion: boolean;
}

/** Connection data of a customer's telephone system. The kind in `_type` decides which further fields it has. */
export interface PbxConnectionProfile {
  /** `<pbx_kind>PbxConnectionProfile`. */
  _type?: string | null | undefined;
  hostRest?: string | null | undefined;
  hostWebsocket?: string | null | undefined;
  accountId?: string | null | undefined;
  /** Secret. Stored, never returned. */
  apiKey?: string | null | undefined;
  [field: string]: unknown;
}

/** A customer as the simulator stores it. Service document: "Resources and their fields › Customer". */
export interface CustomerRecord {
  /** Tenant id: a lower-case UUID. */
  id: string;
  name: string;
  description: string | null;
  enabled: boolean;
  timezone: string | null;
  /** Locale tag, language-REGION. */
  culture: string | null;
  pbxConnectionProfile: PbxConnectionProfile | null;
  parentTenantId: string;
  /** Same format as an account's. */
  dateCreated: string;
  flaggedForDeletion: boolean;
}

/** One entry of the charge ledger: a request that costs money was actioned, whether or not its answer arrived. */
export interface Charge {
  /** Running number, from 1. */
  id: number;
  kind: "account" | "customer";
  /** The account or customer that was created. */
  tenantId: string;
  name: string;
  /** Only on accounts which have one. */
  reference?: string;
  /** ISO 8601 UTC date-time, in the simulator's time. */
  at: string;
}

const tenantId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the format of a tenant id (a UUID, in either case). */
export function isTenantId(text: string): boolean {
  return tenantId.test(text);
}

/** Formats a moment the way accounts carry it: no offset, milliseconds. */
export function accountDate(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, -1);
}
