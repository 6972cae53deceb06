import type * as pulumi from "@pulumi/pulumi";
import { call, callOutput, type Inputs } from "./call";

/** Exactly one of the three. */
export interface GetAccountArgs {
  /** Tenant id of the account. */
  id?: string;
  /** The caller-supplied reference. One account only must have it. */
  reference?: string;
  /** The name, in full and in its case. One account only must have it. */
  name?: string;
}
export type GetAccountOutputArgs = Inputs<GetAccountArgs>;

/** A reseller account as the service returns it. */
export interface GetAccountResult {
  /** Tenant id. */
  id: string;
  name: string;
  description?: string | undefined;
  enabled?: boolean | undefined;
  /** Tenant id of the enterprise that owns the account. */
  parentTenantId?: string | undefined;
  reference?: string | undefined;
  /** ISO 8601 date-time without offset, as the service wrote it; see `dateOf`. */
  dateCreated?: string | undefined;
}

/**
 * Looks up one account, disabled ones included.
 * @throws NotFoundError, with the nearest accounts; AmbiguousAccountError, with the candidates.
 */
export function getAccount(args: GetAccountArgs, _opts?: pulumi.InvokeOptions): Promise<GetAccountResult> {
  return call((core, service) => core.getAccount(service, args));
}

/** {@link getAccount} with arguments that may be outputs. */
export function getAccountOutput(
  args: GetAccountOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetAccountResult> {
  return callOutput(getAccount, args, opts);
}

/** Conditions; an account must meet all that are given. */
export interface GetAccountsArgs {
  enabled?: boolean;
  /** How the name starts, in its case. */
  namePrefix?: string;
  reference?: string;
}
export type GetAccountsOutputArgs = Inputs<GetAccountsArgs>;

export interface GetAccountsResult {
  /** In the order of the service. */
  accounts: GetAccountResult[];
}

/** Lists accounts, all pages. What does not meet the conditions is dropped as it arrives. */
export function getAccounts(args: GetAccountsArgs = {}, _opts?: pulumi.InvokeOptions): Promise<GetAccountsResult> {
  return call((core, service) => core.getAccounts(service, args));
}

/** {@link getAccounts} with arguments that may be outputs. */
export function getAccountsOutput(
  args: GetAccountsOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetAccountsResult> {
  return callOutput(getAccounts, args, opts);
}

export interface GetAccountMetricsArgs {
  /** Tenant id of the account. */
  id: string;
}
export type GetAccountMetricsOutputArgs = Inputs<GetAccountMetricsArgs>;

export interface GetAccountMetricsResult {
  accountTenantId: string;
  accountName: string;
  enabled: boolean;
  /** ISO 8601 date-time without offset, as the service wrote it; see `dateOf`. */
  dateCreated: string;
  /**
   * Every further field as the service sent it, the usage of each customer among them. A number that JavaScript cannot
   * hold exactly comes as its text; a field called `__proto__` is left out.
   */
  additional: Record<string, unknown>;
}

/** Reads the licence usage of an account's customers. */
export function getAccountMetrics(
  args: GetAccountMetricsArgs,
  _opts?: pulumi.InvokeOptions,
): Promise<GetAccountMetricsResult> {
  return call((core, service) => core.getAccountMetrics(service, args));
}

/** {@link getAccountMetrics} with arguments that may be outputs. */
export function getAccountMetricsOutput(
  args: GetAccountMetricsOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetAccountMetricsResult> {
  return callOutput(getAccountMetrics, args, opts);
}
