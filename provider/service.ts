import { AccountsApi } from "./api/accounts";
import { BillingApi } from "./api/billing";
import { CustomersApi } from "./api/customers";
import { Http } from "./api/http";
import { tokenSource } from "./auth/tokens";
import { systemClock } from "./clock";
import { type ReadConfiguration, resolveSettings } from "./config";
import type { DataService } from "./functions/service";
import type { AccountService } from "./resources/account";
import type { CustomerService } from "./resources/customer";
import { AccountDirectory } from "./resources/directory";

export type Service = AccountService & CustomerService & DataService;

/**
 * Everything the resources need of the world, made from the settings.
 * @throws SettingsError
 */
export function connect(readConfiguration: ReadConfiguration, notice: (line: string) => void): Service {
  const settings = resolveSettings(readConfiguration, process.env);
  const http = new Http(settings.baseUrl, tokenSource(settings, systemClock));
  const accounts = new AccountsApi(http);
  return {
    accounts,
    billing: new BillingApi(http),
    customers: new CustomersApi(http),
    directory: new AccountDirectory(accounts, systemClock),
    clock: systemClock,
    chargePolicy: settings.chargePolicy === "never" ? "never" : "ask",
    notice,
  };
}
