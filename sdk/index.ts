export { Account, type AccountArgs, type AccountState } from "./account";
export { Customer, type CustomerArgs, type PbxConnectionProfileArgs } from "./customer";
export * from "./functions";
