import type { AddressInfo } from "node:net";
import { Invoices } from "./billing";
import { Clock } from "./clock";
import type { Context } from "./context";
import { FaultList, type Fault } from "./faults";
import { resolveOptions, type SimulatorOptions } from "./options";
import type { AccountRecord, Charge, CustomerRecord } from "./records";
import { RequestLog, type LoggedRequest, type RequestFilter } from "./request-log";
import { createSimulatorServer } from "./server";
import { Store } from "./store";
import { Tokens } from "./tokens";

export type { AccountRecord, Charge, CustomerRecord, Fault, LoggedRequest, RequestFilter, SimulatorOptions };

/** A running simulator of the whole service on 127.0.0.1. */
export interface Simulator extends AsyncDisposable {
  /** Base URL of the API, without `/api`, for example `http://127.0.0.1:4010`. */
  readonly baseUrl: string;
  /** Base URL of the authorization server, without `/connect`. */
  readonly authUrl: string;
  readonly port: number;
  /** A valid access token; the fixed one when the options have one. */
  readonly accessToken: string;
  /** A valid refresh token. */
  readonly refreshToken: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly enterpriseTenantId: string;
  /** Every account as it is stored, also those flagged for deletion. */
  accounts(): AccountRecord[];
  /** Every customer as it is stored, secrets included. */
  customers(): CustomerRecord[];
  /** The charge ledger, oldest first. */
  charges(): Charge[];
  /** Requests to the API and the authorization server, oldest first. */
  requests(filter?: RequestFilter): LoggedRequest[];
  clearRequests(): void;
  /** Arms a fault; several may be armed, and the first that matches hits. @throws when it isn't a known fault */
  arm(fault: Fault): void;
  /** Drops every armed fault. */
  disarm(): void;
  /** Adds an account outside the API: no charge, not logged. */
  seedAccount(partial?: Partial<AccountRecord>): AccountRecord;
  /** Changes an account outside the API. @throws when there is none with this id */
  editAccount(id: string, changes: Partial<AccountRecord>): AccountRecord;
  /** Removes an account for good: from now on 404. @returns whether there was one */
  removeAccount(id: string): boolean;
  /** From now on every access token issued so far, the fixed one included, is answered with 401. */
  revokeAccessTokens(): void;
  /** From now on every refresh token issued so far is answered with invalid_grant. */
  revokeRefreshTokens(): void;
  /** Moves the simulator's time by a number of seconds. */
  advanceClock(seconds: number): void;
  /** Cuts every connection, writes the data file, and frees the port. May be called twice. */
  close(): Promise<void>;
}

/**
 * Starts a simulator, which listens on 127.0.0.1 and nowhere else.
 * @throws TypeError when an option isn't allowed; the error of the system when the port is taken
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const settings = resolveOptions(options);
  const clock = new Clock();
  const store = new Store(settings, clock);
  const tokens = new Tokens(settings, clock);
  const invoices = new Invoices(settings.seedInvoices, settings.seed, store.enterpriseTenantId);
  const log = new RequestLog();
  const context: Context = { settings, clock, store, invoices, tokens, log, faults: new FaultList() };
  const server = createSimulatorServer(context);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(settings.port, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const first = tokens.issue("openid offline_access onboarding");
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
      store.save();
    }));

  return {
    baseUrl: url,
    authUrl: url,
    port,
    accessToken: settings.accessToken ?? first.accessToken,
    refreshToken: first.refreshToken ?? "",
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    enterpriseTenantId: store.enterpriseTenantId,
    accounts: () => structuredClone(store.accounts()),
    customers: () => structuredClone(store.customers()),
    charges: () => store.ledger.list(),
    requests: (filter) => log.list(filter),
    clearRequests: () => {
      log.clear();
    },
    arm: (fault) => {
      context.faults.arm(fault);
    },
    disarm: () => {
      context.faults.disarm();
    },
    seedAccount: (partial = {}) => store.addAccount(partial),
    editAccount: (id, changes) => {
      const account = store.account(id);
      if (!account) throw new Error(`The simulator has no account ${id}.`);
      return store.putAccount({ ...account, ...changes });
    },
    removeAccount: (id) => store.removeAccount(id),
    revokeAccessTokens: () => {
      tokens.revokeAccess();
    },
    revokeRefreshTokens: () => {
      tokens.revokeRefresh();
    },
    advanceClock: (seconds) => {
      clock.advance(seconds);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Lines to print when a simulator has started: its addresses, and a shell line ready to paste. */
export function describeSimulator(simulator: Simulator): string[] {
  return [
    `API            ${simulator.baseUrl}/api/v1.0`,
    `Authorization  ${simulator.authUrl}/connect/authorize`,
    `Control        ${simulator.baseUrl}/_simulator/charges`,
    `Client         ${simulator.clientId} with secret ${simulator.clientSecret}`,
    "",
    `export RESELLER_BASE_URL=${simulator.baseUrl} RESELLER_ACCESS_TOKEN=${simulator.accessToken}`,
  ];
}
