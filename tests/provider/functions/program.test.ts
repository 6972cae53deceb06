import * as pulumi from "@pulumi/pulumi";
import { join } from "node:path";
import * as reseller from "../../../sdk/functions";
import type { Simulator } from "../../../simulator";
import { rejection, simulate } from "../support";
import { folders } from "./world";

/** What a program sees: settings of its own, plain functions, and their Output forms. */

const nothing = { urn: "urn", id: "id", state: {} };

async function program(options: Parameters<typeof simulate>[0] = {}): Promise<Simulator> {
  const simulator = await simulate(options);
  await pulumi.runtime.setMocks({ newResource: () => nothing, call: () => ({}) }, "project", "stack", false);
  const settings = { "reseller:baseUrl": simulator.baseUrl, "reseller:accessToken": simulator.accessToken };
  pulumi.runtime.setAllConfig(settings, ["reseller:accessToken"]);
  return simulator;
}

function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) =>
    output.apply((value) => {
      resolve(value);
    }),
  );
}

// What the first call loads counts for no test.
beforeAll(() => import("../../../provider/functions/index.js"), 30_000);

afterEach(() => {
  pulumi.runtime.setAllConfig({}, []);
  for (const name of ["RESELLER_BASE_URL", "RESELLER_ACCESS_TOKEN"]) Reflect.deleteProperty(process.env, name);
});

it("a program's functions use its configuration, secrets included", async () => {
  const simulator = await program({ seedAccounts: 3, seedInvoices: 2 });
  const { accounts } = await reseller.getAccounts();
  const [first] = accounts;
  expect(await reseller.getAccount({ name: "Reseller 0001" })).toEqual(first);
  expect(await reseller.getAccountMetrics({ id: first?.id ?? "" })).toMatchObject({ accountName: "Reseller 0001" });
  const { invoices } = await reseller.getInvoices();
  const [invoice] = invoices;
  const invoiceId = invoice?.invoiceId ?? "";
  expect(await reseller.getInvoice({ invoiceId })).toEqual(invoice);
  expect((await reseller.getInvoiceDetail({ invoiceId })).invoiceValue).toBe(invoice?.invoiceValue);
  expect((await reseller.reconcileInvoice({ invoiceId, accounts })).billedNotDeclared).toEqual([]);
  expect(simulator.requests().every(({ method, status }) => method === "GET" && status === 200)).toBe(true);
});

it("the environment comes before the configuration", async () => {
  const other = await program({ seedAccounts: 1 });
  const simulator = await simulate({ seedAccounts: 3 });
  Object.assign(process.env, {
    RESELLER_BASE_URL: simulator.baseUrl,
    RESELLER_ACCESS_TOKEN: simulator.accessToken,
  });
  expect((await reseller.getAccounts()).accounts).toHaveLength(3);
  expect(other.requests()).toEqual([]);
});

it("the Output forms wait for their arguments, and give what the plain ones give", async () => {
  await program({ seedAccounts: 2, seedInvoices: 1 });
  const name = pulumi.output(Promise.resolve("Reseller 0002"));
  const account = await valueOf(reseller.getAccountOutput({ name }));
  expect(account).toEqual(await reseller.getAccount({ name: "Reseller 0002" }));
  const { accounts } = await valueOf(reseller.getAccountsOutput());
  expect(accounts).toHaveLength(2);
  const metrics = await valueOf(reseller.getAccountMetricsOutput({ id: pulumi.output(account.id) }));
  expect(metrics).toMatchObject({ accountTenantId: account.id, additional: {} });
  const { invoices } = await valueOf(reseller.getInvoicesOutput({ periodFrom: pulumi.output("2024-01-01") }));
  const invoiceId = pulumi.output(invoices[0]?.invoiceId ?? "");
  expect(await valueOf(reseller.getInvoiceOutput({ invoiceId }))).toEqual(invoices[0]);
  const detail = await valueOf(reseller.getInvoiceDetailOutput({ invoiceId }));
  expect(detail.transactionValue).toBe(invoices[0]?.invoiceValue);
  const declared = { invoiceId, accounts: [{ name }], customers: pulumi.output([]) };
  const checked = await valueOf(reseller.reconcileInvoiceOutput(declared));
  expect(checked.tenants.length).toBeGreaterThan(0);
});

it("the summary comes as an asset too", async () => {
  const { folder } = folders();
  await program({ seedInvoices: 1 });
  const [invoice] = (await reseller.getInvoices()).invoices;
  const path = join(folder, "invoice.pdf");
  const summary = await reseller.getInvoiceSummary({ invoiceId: invoice?.invoiceId ?? "", path });
  expect(summary.asset).toBeInstanceOf(pulumi.asset.FileAsset);
  expect(await summary.asset.path).toBe(path);
  const again = await valueOf(reseller.getInvoiceSummaryOutput({ invoiceId: invoice?.invoiceId ?? "", path }));
  expect(again.sha256).toBe(summary.sha256);
});

it("a secret argument makes a secret result", async () => {
  await program({ seedAccounts: 1 });
  const output = reseller.getAccountOutput({ name: pulumi.secret("Reseller 0001") });
  expect(await pulumi.isSecret(output)).toBe(true);
  expect(await pulumi.isSecret(reseller.getAccountsOutput())).toBe(false);
});

it("an Output form whose arguments or dependencies are not known yet asks nothing", async () => {
  const simulator = await program({ seedAccounts: 1 });
  const unknown = new (pulumi.Output as unknown as new (...state: unknown[]) => pulumi.Output<string>)(
    new Set(),
    Promise.resolve(""),
    Promise.resolve(false),
    Promise.resolve(false),
    Promise.resolve(new Set()),
  );
  const pending = reseller.getAccountOutput({ name: unknown }) as unknown as { isKnown: Promise<boolean> };
  expect(await pending.isKnown).toBe(false);
  class Thing extends pulumi.CustomResource {}
  const thing = new Thing("test:index:Thing", "thing");
  expect((await valueOf(reseller.getAccountsOutput({}, { dependsOn: [thing] }))).accounts).toHaveLength(1);
  Object.defineProperty(thing, "id", { value: unknown });
  const dependent = reseller.getAccountsOutput({}, { dependsOn: thing }) as unknown as { isKnown: Promise<boolean> };
  expect(await dependent.isKnown).toBe(false);
  expect(simulator.requests()).toHaveLength(1);
});

it("a failure shows its one line and no stack: the engine's own mark is on it", async () => {
  await program();
  const wrong = await rejection(reseller.getAccount({ nam: "x" } as reseller.GetAccountArgs));
  expect(pulumi.RunError.isInstance(wrong)).toBe(true);
  expect(wrong.message).toContain("did you mean name?");
  pulumi.runtime.setAllConfig({}, []);
  expect(await rejection(reseller.getAccounts())).toMatchObject({ name: "SettingsError" });
});

it("one connection serves all calls of a program, a token is asked for once", async () => {
  const simulator = await program({ seedAccounts: 1 });
  const { baseUrl, authUrl, clientId, clientSecret, refreshToken } = simulator;
  const settings = { baseUrl, authUrl, clientId, clientSecret, refreshToken };
  pulumi.runtime.setAllConfig(
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [`reseller:${name}`, value])),
    [],
  );
  await Promise.all(Array.from({ length: 5 }, () => reseller.getAccounts()));
  await reseller.getInvoices();
  expect(simulator.requests({ path: "/connect/token" })).toHaveLength(1);
});
