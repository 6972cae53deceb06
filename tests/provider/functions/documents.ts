import { zipOf } from "./world";

/** An invoice small enough to be changed by hand, in the two forms of the archive. */

export const invoiceId = "inv-1";

export function transaction(id: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    quantity: 1,
    value: 4.1,
    fromDate: "2024-01-01T00:00:00+00:00",
    toDate: "2024-01-31T23:59:59+00:00",
    calculationOrder: 1,
    operatorUsed: "PRICE",
    operatorValueUsed: 4.1,
    productTagName: "Call Reporting #CR-100",
    billingOutputTags: ["PurchaseResult"],
    stringValues: parties(),
    numericValues: [{ name: "customer_licence_count", value: 3 }],
    ...changes,
  };
}

export function parties(changes: Record<string, string> = {}): { name: string; value: string }[] {
  const values = {
    Role: "Agent",
    ResellerCode: "R1",
    ResellerCodeExt: "CRM-R1",
    ResellerName: "Acme",
    TenantCode: "T1",
    TenantCodeExt: "CRM-T1",
    TenantName: "Customer 1",
    UserId: "u",
    UserName: "Smith, Jr.",
    ...changes,
  };
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

export function summaryItem(id: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return transaction(id, { stringValues: [], numericValues: undefined, operatorUsed: "SUM", ...changes });
}

export function detail(items: unknown[], changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    tenantId: "tenant-1",
    invoiceId,
    invoiceNumber: "INV-1",
    accountName: "Example",
    billingPeriodStart: "2024-01-01T00:00:00.0000000",
    billingPeriodEnd: "2024-01-31T23:59:59.9999999",
    invoiceDate: "2024-02-01T00:00:00.0000000",
    invoiceValue: 8.2,
    invoiceItems: items,
    invoiceType: 0,
    ...changes,
  };
}

export const header =
  "id,quantity,value,fromdate,todate,productname,partnumber,tenantcode,tenantcodeext,tenantname,userid,username,resellercode,resellercodeext,resellername,role";

export function row(id: string, quantity = "1", value = "4.10"): string {
  return `${id},${quantity},${value},2024-01-01T00:00:00+00:00,2024-01-31T23:59:59+00:00,Call Reporting,#CR-100,T1,CRM-T1,Customer 1,u,"Smith, Jr.",R1,CRM-R1,Acme,Agent`;
}

export function csv(...rows: string[]): string {
  return [header, ...rows, ""].join("\r\n");
}

/** The JSON file of two transactions and a total, and the CSV file that goes with it. */
export const good = {
  json: JSON.stringify(detail([transaction("a"), transaction("b"), summaryItem("s", { value: 8.2 })]), undefined, 2),
  csv: csv(row("a"), row("b")),
};

export function archiveOf(files: { json?: string; csv?: string } = {}): Promise<Buffer> {
  const { json, csv: rows } = { ...good, ...files };
  return zipOf({ "INV-1.json": json, "INV-1.csv": rows });
}
