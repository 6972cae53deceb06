import { AccountsApi } from "./api/accounts";
import { Http } from "./api/http";
import { tokenSource } from "./auth/tokens";
import { systemClock } from "./clock";
import { type ReadConfiguration, resolveSettings } from "./config";
import type { AccountService } from "./resources/account";
import { AccountDirectory } from "./resources/directory";

/**
 * Everything the resources need of the world, made from the settings.
 * @throws SettingsError
 */
export function connect(readConfiguration: ReadConfiguration, notice: (line: string) => void): AccountService {
  const settings = resolveSettings(readConfiguration, process.env);
  const http = new Http(settings.baseUrl, tokenSource(settings, systemClock));
  const accounts = new AccountsApi(http);
  return { accounts, directory: new AccountDirectory(accounts, systemClock), clock: systemClock, notice };
}
