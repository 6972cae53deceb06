/**
 * What a failure says, in the order a person needs it.
 * `doing`: what was being done and to what ("create account \"Acme\"").
 * `said`: what the service, or the check, said. `next`: what to do about it.
 */
export interface Explanation {
  doing: string;
  said: string;
  next: string;
}

/** Base of every error this package throws on purpose: one line, no secrets, fields to branch on. */
export abstract class ResellerError extends Error {
  abstract override readonly name: string;
  readonly doing: string;
  readonly said: string;

  constructor({ doing, said, next }: Explanation, options?: ErrorOptions) {
    super(oneLine(`Could not ${doing}: ${said} ${next}`), options);
    this.doing = doing;
    this.said = said;
  }
}

/** A setting is missing or unusable. Nothing was sent. */
export class SettingsError extends ResellerError {
  override readonly name = "SettingsError";
}

/** An argument is not allowed. Nothing was sent. `property` names it. */
export class InvalidArgumentError extends ResellerError {
  override readonly name = "InvalidArgumentError";
  constructor(
    readonly property: string,
    explanation: Explanation,
  ) {
    super(explanation);
  }
}

/** Token missing, invalid or expired (service document: Errors, 401). */
export class UnauthorizedError extends ResellerError {
  override readonly name = "UnauthorizedError";
}

/** Nobody is signed in, or the refresh token is no longer good: only a person can help (Authentication, steps 1 and 8). */
export class LoginRequiredError extends ResellerError {
  override readonly name = "LoginRequiredError";
}

/** The token store of this machine cannot be used. Nothing was sent. */
export class TokenStoreError extends ResellerError {
  override readonly name = "TokenStoreError";
  constructor(
    readonly path: string,
    explanation: Explanation,
    options?: ErrorOptions,
  ) {
    super(explanation, options);
  }
}

/** The request may incur charges that were not accepted (Errors, 402). Nothing was done. */
export class PaymentRequiredError extends ResellerError {
  override readonly name = "PaymentRequiredError";
  constructor(
    explanation: Explanation,
    /** The request body as the service echoed it. Never part of the message: it may hold secrets. */
    readonly echo: unknown,
  ) {
    super(explanation);
    // Node prints an error's own enumerable fields when it crashes; the echo must not be among them.
    Object.defineProperty(this, "echo", { enumerable: false });
  }
}

/** The service's own 404 envelope: the object does not exist (Errors, 404). */
export class NotFoundError extends ResellerError {
  override readonly name = "NotFoundError";
}

/** The service refused the request as it is (Errors, 400, and other 4xx). */
export class BadRequestError extends ResellerError {
  override readonly name = "BadRequestError";
  constructor(
    explanation: Explanation,
    readonly status: number,
  ) {
    super(explanation);
  }
}

/** The service does not have this operation: its document shows none, and it answered so. Nothing was done. */
export class NotOfferedError extends ResellerError {
  override readonly name = "NotOfferedError";
}

/** The configuration forbids what may be charged. Nothing was sent. */
export class ChargeForbiddenError extends ResellerError {
  override readonly name = "ChargeForbiddenError";
}

/**
 * A creation was sent and what became of it cannot be looked up. Its shape (`id`, `properties`, `reasons`) is what
 * makes the engine keep it in state as a failed initialization, so that it is neither lost nor sent again.
 */
export class PendingCreationError extends ResellerError {
  override readonly name = "PendingCreationError";
  readonly reasons: string[];
  constructor(
    readonly id: string,
    readonly properties: Record<string, unknown>,
    explanation: Explanation,
  ) {
    super(explanation);
    this.reasons = [this.message];
    // The properties may hold secrets: never printed with the error.
    Object.defineProperty(this, "properties", { enumerable: false });
  }
}

/** Too many requests. `retryAfterMs`: what the service asked for, if it did so in a form that can be read. */
export class RateLimitedError extends ResellerError {
  override readonly name = "RateLimitedError";
  constructor(
    explanation: Explanation,
    readonly retryAfterMs: number | undefined,
  ) {
    super(explanation);
  }
}

/** 5xx answers to a read, for longer than the retry budget. */
export class ServiceUnavailableError extends ResellerError {
  override readonly name = "ServiceUnavailableError";
  constructor(
    explanation: Explanation,
    readonly status: number,
  ) {
    super(explanation);
  }
}

/** An answer that is not what the service document describes. */
export class UnexpectedResponseError extends ResellerError {
  override readonly name = "UnexpectedResponseError";
  constructor(
    explanation: Explanation,
    readonly status: number,
    options?: ErrorOptions,
  ) {
    super(explanation, options);
  }
}

/** A write was sent, or may have been, and what became of it is not known. It must not be sent again. */
export class OutcomeUnknownError extends ResellerError {
  override readonly name = "OutcomeUnknownError";
}

/** The service could not be reached, or the connection broke. `sent`: whether anything may have left this machine. */
export class NetworkError extends ResellerError {
  override readonly name = "NetworkError";
  constructor(
    explanation: Explanation,
    readonly sent: boolean,
    options?: ErrorOptions,
  ) {
    super(explanation, options);
  }
}

/** Existing accounts could be the one declared, and choosing is not ours. `candidates`: their tenant ids. */
export class AmbiguousAccountError extends ResellerError {
  override readonly name = "AmbiguousAccountError";
  constructor(
    explanation: Explanation,
    readonly candidates: readonly string[],
  ) {
    super(explanation);
  }
}

/** What `adopt` names cannot be taken over. Nothing was sent. `candidates`: tenant ids of what it may have meant. */
export class NotAdoptedError extends ResellerError {
  override readonly name = "NotAdoptedError";
  constructor(
    explanation: Explanation,
    readonly candidates: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(explanation, options);
  }
}

/** The token belongs to another enterprise than the one that owns the account. Nothing was written. */
export class WrongEnterpriseError extends ResellerError {
  override readonly name = "WrongEnterpriseError";
}

/** The person stopped the update while it waited, before a retry or for the service to show something. */
export class CancelledError extends ResellerError {
  override readonly name = "CancelledError";
  constructor() {
    super({ doing: "wait any longer", said: "the update was cancelled.", next: "Nothing more was sent." });
  }
}

/** A document of the service (ZIP, JSON, CSV or PDF) is broken or contradicts itself. It was not kept. */
export class InvalidDocumentError extends ResellerError {
  override readonly name = "InvalidDocumentError";
  constructor(
    explanation: Explanation,
    /** The first few places where its parts disagree, one line each. */
    readonly differences: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(explanation, options);
  }
}

/** A file of this machine could not be read or written. */
export class FileError extends ResellerError {
  override readonly name = "FileError";
  constructor(
    readonly path: string,
    explanation: Explanation,
    options?: ErrorOptions,
  ) {
    super(explanation, options);
  }
}

const controlCharacters = /[\p{Cc}\u2028\u2029]+/gu;

/** Text from outside, made fit for one line of a terminal. */
export function oneLine(text: string, limit = 1000): string {
  const line = text.replace(controlCharacters, " ").replace(/ {2,}/g, " ").trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}
