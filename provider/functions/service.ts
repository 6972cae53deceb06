import type { AccountsApi } from "../api/accounts";
import type { BillingApi } from "../api/billing";

/** What the data sources need of the world. */
export interface DataService {
  accounts: AccountsApi;
  billing: BillingApi;
}
