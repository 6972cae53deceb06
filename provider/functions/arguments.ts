import { z } from "zod";
import { checkIdentifier } from "../api/identifiers";
import { InvalidArgumentError } from "../errors";
import { checkInputs } from "../resources/check";
import { field } from "../schema/fields";
import { line } from "../schema/text";

/** A tenant or invoice id: letters, digits, - and _. */
export const identifier = line.superRefine((value, context) => {
  try {
    checkIdentifier("id", value);
  } catch {
    context.addIssue({
      code: "custom",
      message: "is not an identifier: those have letters, digits, - and _ only, 128 characters at most",
    });
  }
});

/** The invoice a function is about. */
export const invoiceId = field(identifier, { description: "Invoice identifier." });

/** Where to write on this machine. */
export const filePath = line.refine((value) => value.trim() === value, "must not start or end with blanks");

/**
 * Checks the arguments of a data source before anything is sent.
 * @throws InvalidArgumentError naming the first argument that is wrong, missing or not declared.
 */
export function checkArguments<S extends z.ZodRawShape>(
  doing: string,
  shape: S,
  args: unknown,
): z.output<z.ZodObject<S>> {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    throw invalid("args", doing, `the arguments must be an object such as { ${Object.keys(shape).join(", ")} }`);
  }
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  const [failure] = checkInputs(shape, given);
  if (failure) throw invalid(failure.property, doing, failure.reason);
  return z.object(shape).parse(given);
}

export function invalid(property: string, doing: string, said: string): InvalidArgumentError {
  return new InvalidArgumentError(property, {
    doing,
    said: `${said}.`,
    next: "Correct the program and run again; nothing was sent.",
  });
}
