import type { z } from "zod";
import {
  BadRequestError,
  NotFoundError,
  PaymentRequiredError,
  RateLimitedError,
  type ResellerError,
  ServiceUnavailableError,
  UnauthorizedError,
  UnexpectedResponseError,
} from "../errors";
import type { Answer, Call, RawAnswer } from "./http";
import { parseRetryAfter } from "./retry";
import { describeAnswer, isErrorEnvelope, parseJson } from "./wire";

/** What reading an answer needs to know of the asking. */
interface Asked {
  /** What a person does when no token works. */
  remedy: string;
  /** Wall clock when the answer came, milliseconds since 1970. */
  now: number;
  /** The only host the token may go to. */
  host: string;
}

export const checkAddress = "Check that reseller:baseUrl is the API host and that no proxy answers in its place.";

/** What an answer means: the one place that reads a status (service document: Errors). */
export function interpret(call: Call, raw: RawAnswer, asked: Asked): Answer | ResellerError {
  const { status, text } = raw;
  const contentType = header(raw, "content-type") ?? "";
  // The status decides, never the body: the 402 echo looks like a record.
  if (status >= 200 && status < 300) {
    const body = call.save ? undefined : (call.parse ?? parseJson)(text);
    // A write may be answered with nothing; a read that is was cut short.
    if (body === undefined && (text.trim() !== "" || call.method === "GET")) {
      return new UnexpectedResponseError(
        { doing: call.doing, said: describeAnswer(status, contentType, text, call.secrets), next: checkAddress },
        status,
      );
    }
    return { status, location: header(raw, "location"), body };
  }
  const body = parseJson(text);
  const said = describeAnswer(status, contentType, text, call.secrets);
  const { doing } = call;
  switch (status) {
    case 400:
    case 409:
    case 415:
    case 422:
      return new BadRequestError(
        { doing, said, next: "Correct the input and run again; nothing was changed." },
        status,
      );
    case 401:
      return new UnauthorizedError({
        doing,
        said: "the service answered 401: the access token is missing, invalid or expired.",
        next: asked.remedy,
      });
    case 402:
      return new PaymentRequiredError(
        call.acceptCharges
          ? {
              doing,
              said: "the service answered 402 Payment Required although charges were accepted; nothing was done.",
              next: "Ask the service's support why; it was not sent again.",
            }
          : {
              doing,
              said: "the service answered 402 Payment Required: this may incur extra charges, so nothing was done.",
              next: "To accept the charges, set acceptCharges: true on this resource and run again.",
            },
        body,
      );
    case 404:
      if (isErrorEnvelope(404, body)) {
        return new NotFoundError({
          doing,
          said,
          next: "Check the id; run `pulumi refresh` if it was removed elsewhere.",
        });
      }
      return new UnexpectedResponseError(
        { doing, said: `${said} That is not the service's own "Not Found".`, next: checkAddress },
        status,
      );
    case 429: {
      const retryAfterMs = parseRetryAfter(header(raw, "retry-after"), asked.now);
      const until = retryAfterMs === undefined ? undefined : new Date(asked.now + retryAfterMs).toISOString();
      return new RateLimitedError(
        {
          doing,
          said,
          next: until ? `The service accepts requests again at ${until}; run again then.` : "Run again later.",
        },
        retryAfterMs,
      );
    }
  }
  // 501 says that the service does not have this at all: neither passing nor in doubt.
  if (status >= 500 && status !== 501) {
    return new ServiceUnavailableError({ doing, said, next: "It may pass: run again later." }, status);
  }
  if (status >= 300 && status < 400) {
    const next = `It redirects; redirects are never followed, so that the token stays with ${asked.host}. ${checkAddress}`;
    return new UnexpectedResponseError({ doing, said, next }, status);
  }
  return new UnexpectedResponseError({ doing, said, next: checkAddress }, status);
}

/** The body of a success in the shape its description gives. @throws UnexpectedResponseError naming the first place that differs */
export function understood<T extends z.ZodType>(doing: string, shape: T, { status, body }: Answer): z.output<T> {
  const result = shape.safeParse(body);
  if (result.success) return result.data;
  const place = result.error.issues[0]?.path.join(".");
  throw new UnexpectedResponseError(
    {
      doing,
      said: `the service answered ${status} with a body that is not what its description says${place ? ` (${place})` : ""}.`,
      next: "Check that reseller:baseUrl is the API host, and its version v1.0.",
    },
    status,
  );
}

function header(raw: RawAnswer, name: string): string | undefined {
  const value = raw.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
