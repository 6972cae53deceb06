import { z } from "zod";
import { isIdentifier } from "../api/identifiers";
import { NotAdoptedError } from "../errors";
import { unknownValue } from "./check";

/** What the kinds of resource share in taking over what exists. */

export const tenantId = z.string({ error: "must be a tenant id" }).refine(isIdentifier, "must be a tenant id");

/**
 * `adopt` counts when a resource is first declared. What is managed already keeps its identity: another id is a mistake
 * that nothing can carry out.
 * @throws NotAdoptedError
 */
export function requireSameIdentity(kind: "account" | "customer", id: string, adopt: string | true | undefined): void {
  if (adopt === undefined || adopt === true || adopt === unknownValue || adopt === id) return;
  throw new NotAdoptedError({
    doing: `take over ${kind} ${adopt}`,
    said: `this resource stands for ${kind} ${id} already, and that cannot change.`,
    next: `Nothing was sent. Remove adopt from it, and declare ${kind} ${adopt} as a resource of its own.`,
  });
}
