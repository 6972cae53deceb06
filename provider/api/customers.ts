import type { Operation } from "fast-json-patch";
import { NotOfferedError, UnexpectedResponseError } from "../errors";
import type { Http } from "./http";
import { checkIdentifier } from "./identifiers";
import { type CustomerRecord, customerRecord } from "./wire";
import { written } from "./written";

/** Endpoints › Customers. Only POST is documented; the rest is tried, and what the service lacks is said plainly. */
export class CustomersApi {
  constructor(private readonly http: Http) {}

  /** POST /v1.0/customers. `id` is undefined when a success names no customer. */
  async create(customer: { name: string }, acceptCharges: boolean): Promise<{ id: string | undefined }> {
    const doing = `create customer ${JSON.stringify(customer.name)}`;
    const secrets = keyIn((customer as { pbxConnectionProfile?: unknown }).pbxConnectionProfile);
    const call = { doing, method: "POST", path: "/customers", body: customer, acceptCharges, secrets } as const;
    return { id: written(await this.http.write(call), "customers").id };
  }

  /**
   * GET /v1.0/customers/{id}, not documented.
   * @throws NotOfferedError where the service has no such operation; NotFoundError only on its own 404 envelope.
   */
  async get(id: string): Promise<CustomerRecord> {
    const doing = `read customer ${id}`;
    const path = `/customers/${checkIdentifier("id", id)}`;
    const next = "What state holds is kept; changes made elsewhere cannot be seen.";
    const answer = await offered(doing, next, () => this.http.read({ doing, path }));
    const record = customerRecord.safeParse(written(answer, "customers").record);
    if (record.success) return record.data;
    throw new UnexpectedResponseError(
      {
        doing,
        said: `the service answered ${answer.status} with a body that is no record.`,
        next: "Check that reseller:baseUrl is the API host, and its version v1.0.",
      },
      answer.status,
    );
  }

  /** PATCH /v1.0/customers/{id}, not documented. @throws NotOfferedError */
  async patch(id: string, operations: Operation[], acceptCharges: boolean): Promise<void> {
    const fields = operations.map(({ path }) => path.slice(1).replaceAll("/", "."));
    const doing = `change ${fields.join(", ")} of customer ${id}`;
    const path = `/customers/${checkIdentifier("id", id)}`;
    const next =
      "Nothing was changed. Change it in the portal, and list the properties in ignoreChanges of this resource; or undo the change in the program.";
    const secrets = operations.flatMap((operation) => {
      const value = "value" in operation ? (operation.value as unknown) : undefined;
      return operation.path.endsWith("/apiKey") ? keyIn({ apiKey: value }) : keyIn(value);
    });
    await offered(doing, next, () =>
      this.http.write({ doing, method: "PATCH", path, body: operations, acceptCharges, secrets }),
    );
  }

  /** DELETE /v1.0/customers/{id}, not documented. @throws NotOfferedError */
  async delete(id: string): Promise<void> {
    const doing = `delete customer ${id}`;
    const path = `/customers/${checkIdentifier("id", id)}`;
    const next =
      "It still exists. Remove it in the portal; then set retainOnDelete on this resource, run `pulumi up`, and remove it from the program.";
    await offered(doing, next, () => this.http.write({ doing, method: "DELETE", path }));
  }
}

/** The key of a telephone system that a profile holds: a refusal may quote it, and what is said of it must not. */
function keyIn(profile: unknown): string[] {
  const key = (profile as { apiKey?: unknown } | null | undefined)?.apiKey;
  return typeof key === "string" && key !== "" ? [key] : [];
}

/** A 404 without the service's envelope, a 405 or a 501: the route does not exist. */
async function offered<T>(doing: string, next: string, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof UnexpectedResponseError) || ![404, 405, 501].includes(error.status)) throw error;
    throw new NotOfferedError({ doing, said: `the service does not offer this (it answered ${error.status}).`, next });
  }
}
