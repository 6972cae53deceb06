import { z } from "zod";
import type { Call } from "./context";
import { problem, rawJson, Refused } from "./respond";

/** A text field that may be left out; `null` means the same. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

/** A name: required, and not blank. */
export const name = z.string().refine((value) => value.trim() !== "", { message: "The name field is required." });

/** Reads a JSON body. @throws Refused with 415 or 400 */
export function readJson(call: Call, types: readonly string[] = ["application/json"]): unknown {
  const type = (call.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!types.includes(type)) throw new Refused(problem(415));
  if (call.body.length === 0) throw invalid({ "": ["A non-empty request body is required."] });
  try {
    return JSON.parse(call.body.toString("utf8"));
  } catch {
    throw invalid({ $: ["The request body is not valid JSON."] });
  }
}

/** Checks a value against a shape. @throws Refused with the errors by field */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors: Record<string, string[]> = {};
  for (const issue of result.error.issues) {
    const field = issue.path.map(String).join(".");
    (errors[field] ??= []).push(messageOf(issue, field));
  }
  throw invalid(errors);
}

function messageOf(issue: z.core.$ZodIssue, field: string): string {
  if (issue.code === "custom") return issue.message;
  const missing = issue.code === "invalid_type" && issue.message.endsWith("received undefined");
  return missing ? `The ${field} field is required.` : `The JSON value could not be converted. Path: $.${field}`;
}

/** A refusal with a map of errors by field. */
export function invalid(errors: Record<string, string[]>): Refused {
  return new Refused(problem(400, errors));
}

/**
 * The charge-acceptance rule: without `accept-charges: true` the answer is 402 with the request body, and nothing is
 * done. Service document: "Errors", charge rule.
 */
export function requireAcceptedCharges(call: Call): void {
  if (call.headers["accept-charges"] !== "true") throw new Refused(rawJson(402, call.body));
}
