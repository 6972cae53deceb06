import { isTenantId, type AccountRecord } from "./records";
import type { LoggedRequest } from "./request-log";

/** What a simulator can be told. Every field may be left out; the defaults are those of {@link defaults}. */
export interface Settings {
  /** TCP port on 127.0.0.1, 0 to 65535; 0 takes a free one. Default 0. */
  port: number;
  /** A fixed access token that is accepted besides the issued ones and doesn't expire. Default: none. */
  accessToken: string | undefined;
  /** OAuth client id. Default `simulator-client`. */
  clientId: string;
  /** OAuth client secret. Default `simulator-secret`. */
  clientSecret: string;
  /** Tenant id of the enterprise, a UUID. Default: derived from `seed`. */
  enterpriseTenantId: string | undefined;
  /** Start of every invented value (seeded ids, invoices): the same number gives the same data. Default 1. */
  seed: number;
  /** How many accounts exist at the start, or the accounts themselves. Ignored when `data` was loaded. Default 0. */
  seedAccounts: number | readonly Partial<AccountRecord>[];
  /** How many invoices exist. Default 0. */
  seedInvoices: number;
  /** Path of a JSON file: loaded at the start when it exists, written after changes. Default: nothing is kept. */
  data: string | undefined;
  /**
   * What POST and PATCH answer on success, which the service document leaves unsaid. `envelope`: the record in the
   * single-record envelope; `bare`: the record alone; `location`: a Location header and no body; `empty`: no body.
   * Default `envelope`.
   */
  successBody: "envelope" | "bare" | "location" | "empty";
  /** Success statuses, 200 to 299; 204 never has a body. Default 201, 200 and 204. */
  successStatus: { post?: number | undefined; patch?: number | undefined; delete?: number | undefined };
  /** `full` adds GET, PATCH and DELETE of /v1.0/customers/{id}, which the document doesn't show. Default `create-only`. */
  customers: "create-only" | "full";
  /** Whether PATCH may cost extra and so needs `accept-charges: true`. Default false. */
  patchCharges: boolean;
  /** How a text field that was never sent is returned: `""`, `null`, or left out. Default `empty`. */
  unsetText: "empty" | "null" | "absent";
  /** Further fields put into every returned record and metrics record. Default none. */
  extraFields: Readonly<Record<string, unknown>>;
  /** Whether billing data honours pageIndex and pageSize, or always returns every invoice. Default `pages`. */
  billingPaging: "pages" | "all";
  /** Largest page; a larger pageSize is silently reduced to it. Default: no limit. */
  maxPageSize: number | undefined;
  /** Milliseconds during which a new account is missing from the list; reading it by id works at once. Default 0. */
  listDelayMs: number;
  /** Milliseconds between acting on a request and answering it. Default 0. */
  latencyMs: number;
  /** Whether each refresh gives a new refresh token and a used one revokes its family. Default false. */
  rotateRefreshTokens: boolean;
  /**
   * How the token response tells the lifetime. `expires`: the number 5400 of the worked response; `expires_in`: the
   * true lifetime in seconds; `string`: `expires` is "5400"; `epoch`: `expires` is the epoch second of the end;
   * `missing`: not at all. Default `expires`.
   */
  expiresForm: "expires" | "expires_in" | "string" | "epoch" | "missing";
  /** Seconds for which an access token really is accepted. Default 3600. */
  accessTokenLifetimeSeconds: number;
  /** Whether /connect/authorize approves at once, without a page. Default false. */
  autoApprove: boolean;
  /** Called with every API and token request after it was read and before it is acted on. Default: nothing. */
  onRequest: ((request: LoggedRequest) => void) | undefined;
}

/** Options of {@link startSimulator}: any part of {@link Settings}. */
export type SimulatorOptions = { [Name in keyof Settings]?: Settings[Name] | undefined };

export const defaults: Settings = {
  port: 0,
  accessToken: undefined,
  clientId: "simulator-client",
  clientSecret: "simulator-secret",
  enterpriseTenantId: undefined,
  seed: 1,
  seedAccounts: 0,
  seedInvoices: 0,
  data: undefined,
  successBody: "envelope",
  successStatus: {},
  customers: "create-only",
  patchCharges: false,
  unsetText: "empty",
  extraFields: {},
  billingPaging: "pages",
  maxPageSize: undefined,
  listDelayMs: 0,
  latencyMs: 0,
  rotateRefreshTokens: false,
  expiresForm: "expires",
  accessTokenLifetimeSeconds: 3600,
  autoApprove: false,
  onRequest: undefined,
};

const choices = {
  successBody: ["envelope", "bare", "location", "empty"],
  customers: ["create-only", "full"],
  unsetText: ["empty", "null", "absent"],
  billingPaging: ["pages", "all"],
  expiresForm: ["expires", "expires_in", "string", "epoch", "missing"],
} as const satisfies { [Name in keyof Settings]?: readonly Settings[Name][] };

const counts = [
  "port",
  "seedInvoices",
  "listDelayMs",
  "latencyMs",
  "accessTokenLifetimeSeconds",
  "maxPageSize",
] as const;

/** Fills in the defaults. @throws TypeError naming the option whose value isn't allowed. */
export function resolveOptions(options: SimulatorOptions): Settings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings = { ...defaults, ...given };
  for (const [name, allowed] of Object.entries<readonly string[]>(choices)) {
    const value = settings[name as keyof typeof choices];
    if (!allowed.includes(value)) {
      throw new TypeError(`Simulator option ${name} is ${JSON.stringify(value)}; allowed are ${allowed.join(", ")}.`);
    }
  }
  for (const name of counts) {
    const value = settings[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= (name === "maxPageSize" ? 1 : 0))) {
      throw new TypeError(`Simulator option ${name} is ${String(value)}; it must be a whole number.`);
    }
  }
  if (settings.enterpriseTenantId !== undefined && !isTenantId(settings.enterpriseTenantId)) {
    throw new TypeError("Simulator option enterpriseTenantId must be a UUID.");
  }
  return settings;
}
