import { reconcileInvoice } from "../../../provider/functions/reconcile-invoice";
import { archiveOf, csv, detail, parties, row, summaryItem, transaction } from "./documents";
import { answering, contents, folders, json, octets, refusal, sent, startData } from "./world";

const billed = [
  { TenantCode: "T1", TenantCodeExt: "CRM-T1", TenantName: "Customer 1" },
  { TenantCode: "T1", TenantCodeExt: "CRM-T1", TenantName: "Customer 1" },
  { TenantCode: "T2", TenantCodeExt: "", TenantName: "Customer 2", ResellerCode: "R2", ResellerName: "Globex" },
];

const accountIds = { acme: "0b5e2a54-93c7-4b7e-9a36-5d2f0c9f7a11", none: "0b5e2a54-93c7-4b7e-9a36-5d2f0c9f7a12" };

async function reconciled(args: object, values: Record<string, string>[] = billed) {
  const items = values.map((changes, index) => transaction(`id-${index}`, { stringValues: parties(changes) }));
  const rows = csv(...items.map((_, index) => row(`id-${index}`)));
  const document = JSON.stringify(detail([...items, summaryItem("s", { value: 9 })]));
  const archive = await archiveOf({ json: document, csv: rows });
  const { temporary } = folders();
  const asked: string[] = [];
  const { service } = await answering((request, response) => {
    asked.push(request.url ?? "");
    const accounts = [{ id: accountIds.acme, name: "Acme", reference: "CRM-R1" }];
    const answer = request.url?.includes("/accounts") === true ? json({ data: accounts }) : octets(archive);
    answer(request, response);
  });
  const result = await reconcileInvoice(service, { invoiceId: "inv-1", ...args });
  expect(contents(temporary)).toEqual([]);
  return { ...result, asked };
}

const acme = { kind: "account", code: "R1", codeExt: "CRM-R1", name: "Acme" };
const globex = { kind: "account", code: "R2", codeExt: "CRM-R1", name: "Globex" };
const first = { kind: "customer", code: "T1", codeExt: "CRM-T1", name: "Customer 1" };
const second = { kind: "customer", code: "T2", codeExt: "", name: "Customer 2" };

describe("reconcileInvoice", () => {
  it("finds nothing to say where all that is billed is declared", async () => {
    const accounts = [{ name: "Acme" }, { reference: "R2" }];
    const customers = [{ reference: "CRM-T1" }, { name: "Customer 2" }];
    const { asked, tenants, ...result } = await reconciled({ accounts, customers });
    expect(result).toEqual({ invoiceId: "inv-1", matches: true, billedNotDeclared: [], declaredNotBilled: [] });
    expect(tenants.map(({ tenant, transactions, licences }) => [tenant.code, transactions, licences])).toEqual([
      ["T1", 2, 3],
      ["T2", 1, 3],
    ]);
    expect(asked).toEqual(["/api/v1.0/billingdata/inv-1/detail"]);
  });

  it("names what is billed and not declared, and the other way round", async () => {
    const result = await reconciled({ accounts: [{ name: "Initech" }], customers: ["T1", { name: "Customer 9" }] });
    expect(result.matches).toBe(false);
    expect(result.billedNotDeclared).toEqual([acme, globex, second]);
    expect(result.declaredNotBilled).toEqual([
      { kind: "account", name: "Initech" },
      { kind: "customer", name: "Customer 9" },
    ]);
  });

  it("compares only the lists that are given", async () => {
    const { billedNotDeclared, declaredNotBilled } = await reconciled({ customers: [] });
    expect(billedNotDeclared).toEqual([first, second]);
    expect(declaredNotBilled).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ["an id as the code, in any case", { id: "t1" }, ["T2"]],
    ["an id as the external code", { id: "crm-t1" }, ["T2"]],
    ["a reference as the external code", { reference: "CRM-T1" }, ["T2"]],
    ["a reference as the code", { reference: "T2" }, ["T1"]],
    ["a name", { name: "Customer 2" }, ["T1"]],
    ["a name beside a reference that was never given", { reference: "", name: "Customer 2", enabled: true }, ["T1"]],
    ["an id before another's name", { id: "T1", name: "Customer 2" }, ["T2"]],
    ["a reference in another case not at all", { reference: "crm-t1" }, ["T1", "T2"]],
    ["a name in another case not at all", { name: "customer 2" }, ["T1", "T2"]],
  ])("matches %s", async (_name, customer, left) => {
    const { billedNotDeclared } = await reconciled({ customers: [customer] });
    expect(billedNotDeclared.map(({ code }) => code)).toEqual(left);
  });

  it("never matches by a name that is not unique", async () => {
    const same = [
      { TenantCode: "T1", TenantName: "Same" },
      { TenantCode: "T2", TenantName: "Same" },
    ];
    const twice = await reconciled({ customers: [{ name: "Same" }] }, same);
    expect([twice.billedNotDeclared.length, twice.declaredNotBilled.length]).toEqual([2, 1]);
    const declaredTwice = await reconciled({ customers: [{ name: "Customer 2" }, { name: "Customer 2" }] });
    expect(declaredTwice.declaredNotBilled).toHaveLength(2);
  });

  it("reads the reference and name of accounts given by id alone, all in one list", async () => {
    const { asked, billedNotDeclared, declaredNotBilled } = await reconciled({
      accounts: [accountIds.acme, { id: accountIds.none.toUpperCase() }, "R2"],
    });
    expect(asked).toEqual(["/api/v1.0/accounts?pageIndex=0&pageSize=1000", "/api/v1.0/billingdata/inv-1/detail"]);
    expect(billedNotDeclared).toEqual([]);
    expect(declaredNotBilled).toEqual([{ kind: "account", id: accountIds.none.toUpperCase() }]);
  });

  it("works on every invoice of the simulator", async () => {
    const world = await startData({ seedInvoices: 3 });
    for await (const { invoiceId } of world.billing.list()) {
      const all = await reconcileInvoice(world, { invoiceId, accounts: [], customers: [] });
      const kinds = (kind: string) => all.billedNotDeclared.filter((party) => party.kind === kind);
      const again = await reconcileInvoice(world, {
        invoiceId,
        accounts: kinds("account").map(({ code }) => code),
        customers: kinds("customer").map(({ name }) => ({ name })),
      });
      expect(again).toMatchObject({ matches: true, tenants: all.tenants });
    }
    expect(contents(world.temporary)).toEqual([]);
  });

  it.each<[object, string]>([
    [{}, "accounts"],
    [{ accounts: "a" }, "accounts"],
    [{ accounts: [7] }, "accounts.0"],
    [{ customers: [{}] }, "customers.0"],
    [{ customers: ["ok", { name: "" }] }, "customers.1"],
    [{ customers: [{ id: "a/b" }] }, "customers.0.id"],
    [{ customer: [] }, "customer"],
  ])("refuses %j before anything is sent", async (args, property) => {
    const world = await startData();
    const error = await refusal(reconcileInvoice(world, { invoiceId: "i", ...args }));
    expect(error).toMatchObject({ name: "InvalidArgumentError", property });
    expect(sent(world)).toEqual([]);
  });
});
