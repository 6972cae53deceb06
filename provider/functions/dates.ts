import { Temporal } from "temporal-polyfill";
import { InvalidArgumentError } from "../errors";

/**
 * Dates of the service, which keep their text everywhere else. Some carry an offset from UTC, some do not; no zone is
 * ever supposed for those, so the result is the same wherever it is computed. Seven fractional digits are exact.
 */

// ISO 8601 as the service writes it; Temporal alone would also take calendars, zone names and basic forms.
const form = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2}:\d{2})?$/;

/** A moment where the text has an offset from UTC, a date and time of day without a zone where it has none. */
export function dateOf(text: string): Temporal.Instant | Temporal.PlainDateTime {
  return form.exec(text)?.[2] === undefined ? plainDateTimeOf(text) : instantOf(text);
}

/** @throws InvalidArgumentError when the text has no offset: which moment it means is not known then. */
export function instantOf(text: string): Temporal.Instant {
  if (form.exec(text)?.[2] === undefined) throw unreadable(text, "a date with an offset, such as 2024-01-31T00:00:00Z");
  return read(text, Temporal.Instant);
}

/** @throws InvalidArgumentError when the text has an offset: it would be lost. */
export function plainDateTimeOf(text: string): Temporal.PlainDateTime {
  const match = form.exec(text);
  if (!match || match[2] !== undefined) {
    throw unreadable(text, "a date without an offset, such as 2024-01-31T00:00:00.0000000");
  }
  return read(text, Temporal.PlainDateTime);
}

function read<T>(text: string, type: { from(text: string): T }): T {
  try {
    return type.from(text);
  } catch {
    throw unreadable(text, "a date that exists");
  }
}

function unreadable(text: string, wanted: string): InvalidArgumentError {
  return new InvalidArgumentError("text", {
    doing: `read the date ${JSON.stringify(text.slice(0, 60))}`,
    said: `it is not ${wanted}.`,
    next: "Use dateOf for dates that may be of either kind.",
  });
}
