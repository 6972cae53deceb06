import { alpha2ToAlpha3, isValid } from "i18n-iso-countries";
import { closest } from "fastest-levenshtein";
import { z } from "zod";

/** Checks on text that travels to the service, each saying what is allowed. */

const controlCharacter = /\p{Cc}/u;

/** One line of text, not blank. */
export const line = z
  .string({ error: "must be text" })
  .refine((value) => value.trim() !== "", "must not be blank")
  .refine((value) => !controlCharacter.test(value), "must be one line, without control characters");

/** Text that may be empty; line breaks are allowed, other control characters are not. */
export const freeText = z
  .string({ error: "must be text" })
  .refine((value) => !controlCharacter.test(value.replace(/[\r\n\t]/g, "")), "must not hold control characters");

const zones = Intl.supportedValuesOf("timeZone");

/** An IANA time zone in Region/City form. */
export const timezone = z.string({ error: "must be text" }).superRefine((value, context) => {
  if (value.includes("/") && isTimeZone(value)) return;
  // A city alone is the likeliest mistake, and its zone is not the one with the most similar letters.
  const city = value.toLowerCase().replaceAll(" ", "_");
  const hint = zones.find((zone) => zone.toLowerCase().endsWith(`/${city}`)) ?? closest(value, zones);
  context.addIssue({
    code: "custom",
    message: `must be an IANA time zone in Region/City form, such as Europe/Amsterdam; did you mean ${hint}?`,
  });
});

/** An ISO 3166-1 alpha-2 country code. */
export const countryCode = z.string({ error: "must be text" }).superRefine((value, context) => {
  if (/^[A-Z]{2}$/.test(value) && isValid(value)) return;
  const upper = value.trim().toUpperCase();
  const hint = upper.length === 2 && alpha2ToAlpha3(upper) ? `; did you mean ${upper}?` : "";
  context.addIssue({ code: "custom", message: `must be an ISO 3166-1 alpha-2 code in capitals, such as NL${hint}` });
});

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A locale tag in language-REGION form. */
export const culture = z.string({ error: "must be text" }).superRefine((value, context) => {
  if (/^[a-z]{2,3}-[A-Z]{2}$/.test(value) && isValid(value.slice(-2))) return;
  context.addIssue({ code: "custom", message: "must be a locale tag in language-REGION form, such as nl-NL" });
});

/** An absolute address with one of these schemes, without user name or password. */
export function webAddress(...schemes: string[]): z.ZodString {
  return z.string({ error: "must be text" }).superRefine((value, context) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    // The text itself travels: what URL forgives (blanks, line breaks, missing slashes) others do not.
    const asWritten = /^[a-z]+:\/\/[^\s\p{Cc}]+$/iu.test(value);
    if (url && asWritten && schemes.includes(url.protocol.slice(0, -1)) && !url.username && !url.password) return;
    context.addIssue({
      code: "custom",
      message: `must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
    });
  });
}
