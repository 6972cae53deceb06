import { startSimulator } from "../../simulator";
import { Project, settingsOf } from "./support/project";

jest.setTimeout(180_000);

const program = `
import * as reseller from "pulumi-reseller";

const acme = new reseller.Account("acme", { name: "Acme Telecom", reference: "CRM-1042", acceptCharges: true });
const made = reseller.getAccountOutput({ id: acme.id });
export const madeName = made.name;
export const metrics = reseller.getAccountMetricsOutput({ id: acme.id }).accountName;
export const byReference = reseller.getAccountOutput({ reference: "known" }).name;
export const names = reseller.getAccountsOutput({ namePrefix: "Known" }).accounts.apply((all) => all.map(({ name }) => name));
const first = reseller.getInvoicesOutput().invoices.apply((all) => all[0]!.invoiceId);
export const invoice = reseller.getInvoiceOutput({ invoiceId: first }).invoiceId;
export const same = first;
`;

test("functions read what exists, and what this update creates only once it exists", async () => {
  const seedAccounts = [{ name: "Known Reseller", reference: "known" }];
  await using simulator = await startSimulator({ seedAccounts, seedInvoices: 2 });
  await using project = await Project.packed(settingsOf(simulator));
  project.write("index.ts", program);

  await project.succeed("preview");
  const api = "/api/v1.0";
  // Nothing is asked about the account that is only planned.
  expect(simulator.requests().filter(({ path }) => path.startsWith(`${api}/accounts/`))).toEqual([]);
  expect(simulator.requests().every(({ method }) => method === "GET")).toBe(true);

  await project.up();
  const id = simulator.accounts().find(({ reference }) => reference === "CRM-1042")?.id ?? "none";
  const outputs = JSON.parse(await project.succeed("stack", "output", "--json")) as Record<string, unknown>;
  expect(outputs).toEqual({
    madeName: "Acme Telecom",
    metrics: "Acme Telecom",
    byReference: "Known Reseller",
    names: ["Known Reseller"],
    invoice: outputs["same"],
    same: outputs["same"],
  });
  const paths = simulator.requests().map(({ method, path }) => `${method} ${path}`);
  expect(paths).toEqual(
    expect.arrayContaining([
      `GET ${api}/accounts/${id}`,
      `GET ${api}/accounts/${id}/metrics`,
      `GET ${api}/accounts`,
      `GET ${api}/billingdata`,
      `GET ${api}/billingdata/${String(outputs["invoice"])}`,
    ]),
  );
});

test("a function that finds nothing says so in one line and stops the update before anything is sent", async () => {
  await using simulator = await startSimulator();
  await using project = await Project.packed(settingsOf(simulator));
  project.write(
    "index.ts",
    'import * as reseller from "pulumi-reseller";\nexport = async () => reseller.getInvoice({ invoiceId: "a/b" });\n',
  );
  const output = await project.fail("preview");
  expect(output).toContain("invoiceId");
  expect(output).not.toMatch(/^\s+at /m);
  expect(simulator.requests()).toEqual([]);
});
