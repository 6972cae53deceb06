import { plainJson } from "../api/decimals";
import type { MetricsRecord } from "../api/wire";
import { field } from "../schema/fields";
import { checkArguments, identifier } from "./arguments";
import type { DataService } from "./service";

export interface AccountMetrics extends MetricsRecord {
  /** Every further field as the service sent it; a number that JavaScript cannot hold exactly comes as its text. */
  additional: Record<string, unknown>;
}

export const metricsArguments = { id: field(identifier, { description: "Tenant id of the account." }) };

/** Licence usage of an account's customers: the service shows four fields and sends more, which are kept. */
export async function getAccountMetrics(service: DataService, args: unknown): Promise<AccountMetrics> {
  const { id } = checkArguments("read the metrics of an account", metricsArguments, args);
  const { metrics, further } = await service.accounts.metrics(id);
  return { ...metrics, additional: plainJson(Object.fromEntries(further)) as Record<string, unknown> };
}
