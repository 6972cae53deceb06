import type { Simulator } from "../../simulator";

/** An answer, read completely. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The text parsed as JSON; fails a test when it isn't. */
  json: () => Record<string, unknown>;
}

/** One request with the simulator's token; `json` becomes the body. */
export async function ask(
  simulator: Simulator,
  method: string,
  path: string,
  options: { json?: unknown; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const body = options.json === undefined ? options.body : JSON.stringify(options.json);
  const type: Record<string, string> = options.json === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(simulator.baseUrl + path, {
    method,
    redirect: "manual",
    headers: { authorization: `Bearer ${simulator.accessToken}`, ...type, ...options.headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const json = (): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, text, json };
}

export const accounts = "/api/v1.0/accounts";
export const customers = "/api/v1.0/customers";
export const billing = "/api/v1.0/billingdata";
export const accept = { "accept-charges": "true" };
export const unknownId = "00000000-0000-4000-8000-000000000000";

/** The `data` of an envelope. */
export function dataOf(answer: Answer): Record<string, unknown> {
  return answer.json()["data"] as Record<string, unknown>;
}

/** The `data` of a page envelope. */
export function rowsOf(answer: Answer): Record<string, unknown>[] {
  return answer.json()["data"] as Record<string, unknown>[];
}

export const utcDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
