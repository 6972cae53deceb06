import Big from "big.js";
import { z } from "zod";

/** Amounts from JSON, digit by digit: a JavaScript number keeps fifteen digits for certain, an invoice may have more. */

/** A number as JSON wrote it, where JavaScript would write it otherwise. */
export class NumberText {
  constructor(readonly text: string) {}
}

// Up to fifteen digits survive the way through a JavaScript number; more, or an exponent, may not.
const longNumber = /[:,[]\s*-?(?:[\d.]{16}|[\d.]+[eE])/;

/** JSON.parse, with a NumberText for each number that would change; undefined when it is not JSON. */
export function parseExactJson(text: string): unknown {
  try {
    return longNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === "number" && source !== undefined && String(value) !== source ? new NumberText(source) : value;
}

// Wider than any amount, and short enough that an exponent cannot unfold into a text that fills the memory.
const plausible = /^-?\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,2})?$/;

/** Reads a decimal written in text; undefined when it is none. */
export function readDecimal(text: string): Big | undefined {
  return plausible.test(text) ? new Big(text) : undefined;
}

/** A JSON number as plain decimal text: `1234567890123456.78`, `2`. */
export const decimal = z
  .union([z.number(), z.instanceof(NumberText)], "must be a number")
  .transform((value, context) => {
    const read = readDecimal(value instanceof NumberText ? value.text : String(value));
    if (read) return read.toFixed();
    context.addIssue({ code: "custom", message: "is a number beyond any amount" });
    return z.NEVER;
  });

/** A JSON number as an amount of money: like `decimal`, with two decimals at least. */
export const money = decimal.transform((text) => moneyText(new Big(text)));

export function moneyText(amount: Big): string {
  const text = amount.toFixed();
  const decimals = text.split(".")[1]?.length ?? 0;
  return decimals < 2 ? amount.toFixed(2) : text;
}

/** A value without NumberText: a number where JavaScript holds it exactly, its text elsewhere. */
export function plainJson(value: unknown): unknown {
  if (value instanceof NumberText) {
    const exact = readDecimal(value.text);
    return exact?.eq(Number(value.text)) ? Number(value.text) : value.text;
  }
  if (Array.isArray(value)) return value.map(plainJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      // Copied by assignment, as the SDK does with outputs, this key would become the copy's prototype.
      .filter(([key]) => key !== "__proto__")
      .map(([key, inner]) => [key, plainJson(inner)]),
  );
}
