import type * as pulumi from "@pulumi/pulumi";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AccountInputs, accountFields } from "../../provider/resources/account";
import { type CustomerInputs, customerFields } from "../../provider/resources/customer";
import type { AccountArgs, CustomerArgs } from "../../sdk";

/** What programs see is what is declared: the docstrings in sdk/ must not part ways with the fields. */

type Programmed<T> = { [Name in keyof T]: pulumi.Input<T[Name]> };

// These do not compile when a field, its type or whether it is required differs.
const account = (declared: Programmed<AccountInputs>): AccountArgs => declared;
const accountBack = (args: AccountArgs): Programmed<AccountInputs> => args;
const customer = (declared: Programmed<Omit<CustomerInputs, "pbxConnectionProfile">>): CustomerArgs => declared;
const customerBack = (
  args: Omit<CustomerArgs, "pbxConnectionProfile">,
): Programmed<Omit<CustomerInputs, "pbxConnectionProfile">> => args;

test.each([
  ["account", accountFields, [account, accountBack]],
  ["customer", customerFields, [customer, customerBack]],
])("sdk/%s.ts documents every declared field and no other", (file, fields, _checkedWhenCompiled) => {
  const source = readFileSync(join(__dirname, `../../sdk/${file}.ts`), "utf8");
  const args = /export interface (?:Account|Customer)Args \{\n([\s\S]*?)\n\}/.exec(source)?.[1] ?? "";
  const documented = [...args.matchAll(/\*\/\n {2}(\w+)\??: /g)].map(([, name]) => name);
  expect(documented).toEqual(Object.keys(fields));
});
