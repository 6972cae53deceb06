import type { AccountsApi } from "../api/accounts";
import type { BillingApi } from "../api/billing";
import { type ReadConfiguration, resolveSettings } from "../config";
import { connect } from "../service";

/** What the data sources need of the world. */
export interface DataService {
  accounts: AccountsApi;
  billing: BillingApi;
}

const connections = new Map<string, DataService>();

/**
 * The connection of this process for these settings: one for all calls of a program, so that tokens are refreshed and
 * connections made once. Programs that run side by side with settings of their own get one each.
 * @throws SettingsError
 */
export function sharedService(readConfiguration: ReadConfiguration): DataService {
  const key = JSON.stringify(resolveSettings(readConfiguration, process.env));
  const known = connections.get(key);
  if (known) return known;
  const made = connect(readConfiguration, (line) => process.stderr.write(`${line}\n`));
  connections.set(key, made);
  return made;
}
