/** Data sources: plain functions that only read. They run in the program's process, during previews too. */
export * from "./functions/accounts";
export * from "./functions/invoices";
export { dateOf, instantOf, plainDateTimeOf } from "../provider/functions/dates";
