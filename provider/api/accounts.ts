import type { Operation } from "fast-json-patch";
import { parseExactJson } from "./decimals";
import { understood } from "./answer";
import type { Http } from "./http";
import { checkIdentifier } from "./identifiers";
import { everyRecord, pageSize } from "./pages";
import { written } from "./written";
import {
  type AccountRecord,
  accountRecord,
  type MetricsRecord,
  metricsRecord,
  pageOfRecords,
  singleRecord,
} from "./wire";

/** The body of POST /v1.0/accounts. */
export interface NewAccount {
  name: string;
  description?: string;
  reference?: string;
  enabled?: boolean;
  timezone?: string;
  countryCode?: string;
}

/** What a write answered: the service document leaves its body open, so each part may be missing. */
export interface Written {
  id: string | undefined;
  record: AccountRecord | undefined;
}

const single = singleRecord(accountRecord);
const singleMetrics = singleRecord(metricsRecord);
const page = pageOfRecords(accountRecord);

/** Endpoints › Accounts. */
export class AccountsApi {
  constructor(private readonly http: Http) {}

  /** GET /v1.0/accounts, all pages; an account that moved between pages while they were read comes once. */
  list(): AsyncGenerator<AccountRecord> {
    return everyRecord("list the accounts", idOf, async (pageIndex) => {
      const { records, size } = await this.page(pageIndex, pageSize);
      return { records, last: records.length < size };
    });
  }

  /**
   * One page of GET /v1.0/accounts. `pageIndex` from 0; `asked` records at most.
   * `size` is the page size the service used: it may be smaller than the one asked for.
   */
  async page(pageIndex: number, asked: number): Promise<{ records: AccountRecord[]; size: number }> {
    const doing = "list the accounts";
    const answer = await this.http.read({ doing, path: "/accounts", query: { pageIndex, pageSize: asked } });
    const { data, page_size } = understood(doing, page, answer);
    return { records: data, size: Math.min(page_size ?? asked, asked) };
  }

  /**
   * GET /v1.0/accounts/{ACCOUNT_TENANT_ID}.
   * @throws NotFoundError only on the service's own 404 envelope.
   */
  async get(id: string): Promise<AccountRecord> {
    const doing = `read account ${id}`;
    const answer = await this.http.read({ doing, path: `/accounts/${checkIdentifier("id", id)}` });
    return understood(doing, single, answer).data;
  }

  /** GET /v1.0/accounts/{ACCOUNT_TENANT_ID}/metrics: the four fields that are shown, and what else the service says. */
  async metrics(id: string): Promise<{ metrics: MetricsRecord; further: [string, unknown][] }> {
    const doing = `read the metrics of account ${id}`;
    const path = `/accounts/${checkIdentifier("id", id)}/metrics`;
    const answer = await this.http.read({ doing, path, parse: parseExactJson });
    const metrics = understood(doing, singleMetrics, answer).data;
    const { data } = answer.body as { data: object };
    const further = Object.entries(data).filter(([name]) => !Object.hasOwn(metricsRecord.shape, name));
    return { metrics, further };
  }

  /** POST /v1.0/accounts. */
  async create(account: NewAccount, acceptCharges: boolean): Promise<Written> {
    const doing = `create account ${JSON.stringify(account.name)}`;
    const answer = written(
      await this.http.write({ doing, method: "POST", path: "/accounts", body: account, acceptCharges }),
      "accounts",
    );
    const record = accountRecord.safeParse(answer.record);
    return { id: answer.id, record: record.success ? record.data : undefined };
  }

  /** PATCH /v1.0/accounts/{ACCOUNT_TENANT_ID}. */
  async patch(id: string, operations: Operation[], acceptCharges: boolean): Promise<void> {
    const doing = `change ${operations.map(({ path }) => path.slice(1)).join(", ")} of account ${id}`;
    const path = `/accounts/${checkIdentifier("id", id)}`;
    await this.http.write({ doing, method: "PATCH", path, body: operations, acceptCharges });
  }

  /** DELETE /v1.0/accounts/{ACCOUNT_TENANT_ID}: deactivates the account and flags it for deletion. */
  async delete(id: string): Promise<void> {
    const doing = `delete account ${id}`;
    await this.http.write({ doing, method: "DELETE", path: `/accounts/${checkIdentifier("id", id)}` });
  }
}

function idOf({ id }: AccountRecord): string {
  return id;
}
