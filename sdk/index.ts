export { Account, type AccountArgs, type AccountState } from "./account";
