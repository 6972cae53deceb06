import * as accounts from "./accounts";
import * as billing from "./billing";
import type { Call } from "./context";
import * as customers from "./customers";
import * as oauth from "./oauth";
import { empty, problem, Refused, type Reply } from "./respond";

type Handler = (call: Call) => Reply | Promise<Reply>;

interface Route {
  /** Path segments; `:id` stands for any one segment. */
  path: string;
  /** True where no access token is asked for. */
  open?: boolean;
  methods: Record<string, Handler>;
}

const routes: Route[] = [
  { path: "/api/v1.0/accounts", methods: { GET: accounts.listAccounts, POST: accounts.createAccount } },
  {
    path: "/api/v1.0/accounts/:id",
    methods: { GET: accounts.readAccount, PATCH: accounts.patchAccount, DELETE: accounts.deleteAccount },
  },
  { path: "/api/v1.0/accounts/:id/metrics", methods: { GET: accounts.readMetrics } },
  { path: "/api/v1.0/customers", methods: { POST: customers.createCustomer } },
  { path: "/api/v1.0/billingdata", methods: { GET: billing.listInvoices } },
  { path: "/api/v1.0/billingdata/:id", methods: { GET: billing.readInvoice } },
  { path: "/api/v1.0/billingdata/:id/detail", methods: { GET: billing.readInvoiceDetail } },
  { path: "/api/v1.0/billingdata/:id/summary", methods: { GET: billing.readInvoiceSummary } },
  { path: "/connect/authorize", open: true, methods: { GET: oauth.authorize, POST: oauth.decide } },
  { path: "/connect/token", open: true, methods: { POST: oauth.token } },
];

const fullRoutes: Route[] = [
  ...routes,
  {
    path: "/api/v1.0/customers/:id",
    methods: { GET: customers.readCustomer, PATCH: customers.patchCustomer, DELETE: customers.deleteCustomer },
  },
];

/** Finds the handler for a request, asks for the access token, and turns refusals into answers. */
export async function route(call: Call): Promise<Reply> {
  const known = call.context.settings.customers === "full" ? fullRoutes : routes;
  const found = known.find(({ path }) => matches(path, call.path));
  if (!found) return empty(404);
  const handler = Object.hasOwn(found.methods, call.method) ? found.methods[call.method] : undefined;
  if (!handler) return empty(405, { allow: Object.keys(found.methods).join(", ") });
  if (found.open !== true && !authorized(call)) return empty(401, { "www-authenticate": "Bearer" });
  try {
    return await handler({ ...call, id: idIn(found.path, call.path) });
  } catch (error) {
    if (error instanceof Refused) return error.reply;
    throw error;
  }
}

function authorized(call: Call): boolean {
  const token = /^Bearer +(\S+)$/i.exec(call.headers.authorization ?? "")?.[1];
  return token !== undefined && call.context.tokens.accepts(token);
}

function matches(pattern: string, path: string): boolean {
  const sent = path.split("/");
  const wanted = pattern.split("/");
  return (
    wanted.length === sent.length &&
    wanted.every((segment, index) => segment === sent[index] || (segment === ":id" && sent[index] !== ""))
  );
}

function idIn(pattern: string, path: string): string {
  const segment = path.split("/")[pattern.split("/").indexOf(":id")] ?? "";
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refused(problem(400));
  }
}
