import type { z } from "zod";
import type * as core from "../../../provider/functions";
import { functions } from "../../../provider/schema/functions";

/** What the package schema says that a function returns is what it returns. */

type Name = keyof typeof functions;
type Declared = { [N in Name]: z.output<z.ZodObject<(typeof functions)[N]["outputs"]>> };
type Returned = { [N in Name]: Awaited<ReturnType<(typeof core)[N]>> };

/** The core takes any operator: one that is new to it must not make an invoice unreadable. */
type Opened<T> = T extends "PRICE" | "SUM" | "ADJUSTPERCENTAGE"
  ? string
  : T extends object
    ? { [Field in keyof T]: Opened<T[Field]> }
    : T;

// These do not compile when a field or its type differs, or when the schema leaves one out.
const declared = (returned: Returned): { [N in Name]: Opened<Declared[N]> } => returned;
type LeftOut = { [N in Name]: Exclude<keyof Returned[N], keyof Declared[N]> }[Name];
const leftOut: LeftOut[] = [] satisfies never[];
const nothing: never[] = leftOut;

test("every function is in the schema, with results that are what it returns", () => {
  const expected: Record<keyof Omit<typeof core, "sharedService">, true> = {
    getAccount: true,
    getAccounts: true,
    getAccountMetrics: true,
    getInvoices: true,
    getInvoice: true,
    getInvoiceDetail: true,
    getInvoiceSummary: true,
    reconcileInvoice: true,
  };
  expect(Object.keys(functions).sort()).toEqual(Object.keys(expected).sort());
  expect(declared).toBeInstanceOf(Function);
  expect(nothing).toEqual([]);
});
