import { AccountsApi } from "./api/accounts";
import { BillingApi } from "./api/billing";
import { CustomersApi } from "./api/customers";
import { Http } from "./api/http";
import { storePath, TokenStore } from "./auth/store";
import { tokenSource } from "./auth/tokens";
import { type Clock, systemClock } from "./clock";
import { type ReadConfiguration, resolveSettings, type Settings } from "./config";
import type { DataService } from "./functions/service";
import type { AccountService } from "./resources/account";
import type { CustomerService } from "./resources/customer";
import { AccountDirectory } from "./resources/directory";

export type Service = AccountService & CustomerService & DataService & { baseUrl: string };

/** What a process gives the core besides the stack's configuration. */
export interface Surroundings {
  environment: Record<string, string | undefined>;
  clock: Clock;
  /** Tells the person running the update something worth knowing. */
  notice: (line: string) => void;
}

const services = new Map<string, Service>();

/**
 * Everything the core needs of the world, once in a process for the same settings: resources and data sources share
 * tokens, connections, and what one run knows and has claimed. Programs side by side with settings of their own get
 * one each.
 * @throws SettingsError
 */
export function sharedService(
  readConfiguration: ReadConfiguration,
  surroundings: Surroundings = { environment: process.env, clock: systemClock, notice },
): Service {
  const store = tokenStore();
  const settings = resolveSettings(readConfiguration, surroundings.environment, (wanted) => store.find(wanted));
  const key = JSON.stringify(settings);
  const service = services.get(key) ?? connect(settings, store, surroundings);
  services.set(key, service);
  return service;
}

/** The token store of the person who runs this. */
export function tokenStore(): TokenStore {
  return new TokenStore(storePath(process.env), systemClock);
}

/** The engine shows what a provider or program writes to standard error as information on the update. */
export function notice(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** The service with these settings, sharing nothing but the token store. */
export function connect(
  settings: Settings,
  store: TokenStore,
  { clock, notice: tell }: Pick<Surroundings, "clock" | "notice"> = { clock: systemClock, notice },
): Service {
  const http = new Http(settings.baseUrl, tokenSource(settings, store, clock, tell), clock);
  const accounts = new AccountsApi(http);
  return {
    baseUrl: settings.baseUrl,
    accounts,
    billing: new BillingApi(http),
    customers: new CustomersApi(http),
    directory: new AccountDirectory(accounts, clock),
    clock,
    chargePolicy: settings.chargePolicy === "never" ? "never" : "ask",
    notice: tell,
  };
}
