import type { Call } from "./context";
import { empty, envelope, json, type Reply } from "./respond";

/**
 * Answers a change in the way the options choose, since the service document doesn't show success responses.
 * @param record the record as it would be read, or `undefined` when there is none to show
 * @param location path of the record below the base address
 */
export function success(call: Call, kind: "post" | "patch" | "delete", record: unknown, location: string): Reply {
  const { settings, clock } = call.context;
  const status = settings.successStatus[kind] ?? { post: 201, patch: 200, delete: 204 }[kind];
  const form = settings.successBody;
  const headers: Record<string, string> = form === "location" && kind !== "delete" ? { location } : {};
  if (status === 204 || form === "empty" || form === "location") return empty(status, headers);
  return form === "bare" ? json(status, record) : envelope(record, clock.iso(), status);
}

/** Replaces texts that were never sent by what the option `unsetText` says, and adds `extraFields`. */
export function shown(call: Call, record: Record<string, unknown>): Record<string, unknown> {
  const { unsetText, extraFields } = call.context.settings;
  if (unsetText === "null") return { ...record, ...extraFields };
  const entries = Object.entries(record);
  const kept = unsetText === "absent" ? entries.filter(([, value]) => value !== null) : entries;
  return { ...Object.fromEntries(kept.map(([field, value]) => [field, value ?? ""])), ...extraFields };
}
