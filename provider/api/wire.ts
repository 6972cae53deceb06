import { z } from "zod";
import { oneLine } from "../errors";

/** What the service says, as zod shapes. Unknown fields are dropped, null counts as absent. */

export const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? undefined);

/** Resources and their fields › Account. Tenant ids are text and stay text. */
export const accountRecord = z.object({
  id: z.string().min(1),
  name: z.string(),
  description: optionalText,
  enabled: flag,
  parentTenantId: optionalText,
  reference: optionalText,
  dateCreated: optionalText,
});
export type AccountRecord = z.output<typeof accountRecord>;

/** A customer as a GET may return it: the document does not show it, so nothing is required and little is read. */
export const customerRecord = z.object({
  name: optionalText.catch(undefined),
  description: optionalText.catch(undefined),
  enabled: flag.catch(undefined),
});
export type CustomerRecord = z.output<typeof customerRecord>;

/** Resources and their fields › Account metrics record: the fields that are shown. */
export const metricsRecord = z.object({
  accountTenantId: z.string().min(1),
  accountName: z.string(),
  enabled: z.boolean(),
  dateCreated: z.string(),
});
export type MetricsRecord = z.output<typeof metricsRecord>;

/** Response envelopes › Single record. */
export const singleRecord = <T extends z.ZodType>(record: T) => z.object({ data: record });

/** Response envelopes › Page of records. */
export const pageOfRecords = <T extends z.ZodType>(record: T) =>
  z.object({ data: z.array(record), page_size: z.int().positive().nullish() });

/** Response envelopes › Error. */
const errorEnvelope = z.object({ error: z.number(), message: z.string(), status: z.literal("error") });

const problemDetails = z.object({
  title: z.string(),
  detail: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
});

const oauthError = z.object({ error: z.string(), error_description: z.string().optional() });

/** True for the service's own error envelope with this status: a proxy's page of the same status is not it. */
export function isErrorEnvelope(status: number, body: unknown): boolean {
  const envelope = errorEnvelope.safeParse(body);
  return envelope.success && envelope.data.error === status;
}

/**
 * One readable line about an answer that is not a success, whatever form its body has. Never a dump.
 * `secrets`: what the request held and the line must not, should the answer quote it.
 */
export function describeAnswer(
  status: number,
  contentType: string,
  body: string,
  secrets: readonly string[] = [],
): string {
  const hide = (text: string) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, "[secret]"), text);
  return oneLine(`the service answered ${status}${describeBody(contentType, body, hide)}.`, 400);
}

function describeBody(contentType: string, body: string, hide: (text: string) => string): string {
  if (body.trim() === "") return " without a body";
  if (/html/i.test(contentType) || /^\s*<(!doctype|html)/i.test(body)) {
    // Titles come early; looking through a page made to be searched slowly would take hours.
    const title = /<title[^>]*>([^<]{1,120})/i.exec(hide(body.slice(0, 4_096)))?.[1];
    return title ? ` with an HTML page ("${title.trim()}")` : " with an HTML page";
  }
  const json = parseJson(body);
  // Hidden before anything is cut off: part of a secret would no longer be found.
  const sentence = (text: string) => withoutFullStop(hide(text));
  const envelope = errorEnvelope.safeParse(json);
  if (envelope.success) return `: ${sentence(envelope.data.message)}`;
  const problem = problemDetails.safeParse(json);
  if (problem.success) {
    const { title, detail, errors } = problem.data;
    const fields = Object.entries(errors ?? {}).map(([field, reasons]) => `${field}: ${reasons.join(" ")}`);
    return `: ${sentence([title, detail, ...fields].filter(Boolean).join(" "))}`;
  }
  const oauth = oauthError.safeParse(json);
  if (oauth.success) {
    const { error, error_description: description } = oauth.data;
    return `: ${sentence(description ? `${error} (${description})` : error)}`;
  }
  return ` with a body that is not in the service's form (${contentType || "no content type"})`;
}

function withoutFullStop(line: string): string {
  return line.replace(/\.$/, "");
}

export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
