import { type Dispatcher, EnvHttpProxyAgent, errors as undiciErrors, request } from "undici";
import { type Clock, systemClock } from "../clock";
import {
  BadRequestError,
  NetworkError,
  NotFoundError,
  OutcomeUnknownError,
  PaymentRequiredError,
  RateLimitedError,
  type ResellerError,
  ServiceUnavailableError,
  UnauthorizedError,
  UnexpectedResponseError,
} from "../errors";
import type { TokenSource } from "../auth/tokens";
import { nextWaitMs, parseRetryAfter, retryBudgetMs } from "./retry";
import { describeAnswer, isErrorEnvelope, parseJson } from "./wire";

/** One request, said in the service's terms. */
export interface Call {
  /** What is being done and to what, for errors: `read account 6f…`. */
  doing: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below /api/v1.0, its segments already checked: `/accounts/6f…`. */
  path: string;
  query?: Record<string, number>;
  body?: unknown;
  /** Sends `accept-charges: true`. Only the charge gate decides this. */
  acceptCharges?: boolean;
}

export interface Answer {
  status: number;
  /** The Location header, if there was one. */
  location: string | undefined;
  /** The parsed JSON body; undefined when the body was empty. */
  body: unknown;
}

/** Deadlines in milliseconds, and how large an answer may get in bytes. */
export interface Limits {
  connectMs: number;
  headersMs: number;
  bodyMs: number;
  answerBytes: number;
  /** How long a failing request is tried again. */
  budgetMs: number;
  /** The same while the service cannot be reached at all: most likely an address or a network that is wrong. */
  unreachableMs: number;
}

const defaultLimits: Limits = {
  connectMs: 10_000,
  headersMs: 30_000,
  bodyMs: 30_000,
  answerBytes: 64 * 1024 * 1024,
  budgetMs: retryBudgetMs,
  unreachableMs: 10_000,
};

interface RawAnswer {
  status: number;
  headers: Dispatcher.ResponseData["headers"];
  text: string;
}

/** The only place that sends requests to the API host. */
export class Http {
  readonly #base: URL;
  readonly #limits: Limits;
  readonly #reads: Dispatcher;
  readonly #writes: Dispatcher;

  constructor(
    baseUrl: string,
    private readonly tokens: TokenSource,
    private readonly clock: Clock = systemClock,
    limits: Partial<Limits> = {},
  ) {
    // Joined onto any base address: with or without a path, with or without a slash at its end.
    this.#base = new URL(`${baseUrl.replace(/\/+$/, "")}/api/v1.0`);
    this.#limits = { ...defaultLimits, ...limits };
    const shared = {
      allowH2: false,
      headersTimeout: this.#limits.headersMs,
      bodyTimeout: this.#limits.bodyMs,
      connect: { timeout: this.#limits.connectMs },
    };
    this.#reads = new EnvHttpProxyAgent({ ...shared, connections: 16 });
    // No keep-alive for writes: an idle connection the server closes just as a POST starts leaves its outcome unknown.
    this.#writes = new EnvHttpProxyAgent({ ...shared, connections: 16, pipelining: 0 });
  }

  async close(): Promise<void> {
    await Promise.all([this.#reads.close(), this.#writes.close()]);
  }

  /**
   * Sends a GET, again after failures that pass, within one budget; obeys Retry-After.
   * @throws every error of provider/errors.ts but PaymentRequiredError and OutcomeUnknownError.
   */
  async read(call: Omit<Call, "method" | "body" | "acceptCharges">): Promise<Answer> {
    const started = this.clock.monotonic();
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt({ ...call, method: "GET" });
      if (!(outcome instanceof Error)) return outcome;
      const wait = isPassing(outcome) ? this.#nextWait(attempt, started, outcome) : undefined;
      if (wait === undefined) throw outcome;
      await this.clock.sleep(wait);
    }
  }

  /**
   * Sends a write. Once anything may have left this machine it is not sent again, with two exceptions in which the
   * service says that nothing was done: once after a 401, and a PATCH or DELETE (never a POST) after a 429.
   * @throws OutcomeUnknownError when what became of it is not known; otherwise the service's refusal.
   */
  async write(call: Call): Promise<Answer> {
    const started = this.clock.monotonic();
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(call);
      if (!(outcome instanceof Error)) return outcome;
      const unsent = outcome instanceof NetworkError && !outcome.sent && isPassing(outcome);
      const refused = outcome instanceof RateLimitedError && call.method !== "POST";
      const wait = unsent || refused ? this.#nextWait(attempt, started, outcome) : undefined;
      if (wait === undefined) throw isDoubtful(outcome) ? unknownOutcome(call, outcome) : outcome;
      await this.clock.sleep(wait);
    }
  }

  #nextWait(attempt: number, started: number, outcome: ResellerError): number | undefined {
    return nextWaitMs({
      attempt,
      elapsedMs: this.clock.monotonic() - started,
      retryAfterMs: outcome instanceof RateLimitedError ? outcome.retryAfterMs : undefined,
      random: this.clock.random(),
      budgetMs: outcome instanceof NetworkError && !outcome.sent ? this.#limits.unreachableMs : this.#limits.budgetMs,
    });
  }

  /** One request, and after a 401 one more with a new token: a 401 says that nothing was done. */
  async #attempt(call: Call): Promise<Answer | ResellerError> {
    let token = await this.tokens.current();
    let raw = await this.#send(call, token);
    if (!(raw instanceof Error) && raw.status === 401) {
      const renewed = await this.tokens.renew(token);
      if (renewed !== undefined) {
        token = renewed;
        raw = await this.#send(call, token);
      }
    }
    return raw instanceof Error ? raw : this.#interpret(call, raw);
  }

  async #send(call: Call, token: string): Promise<RawAnswer | NetworkError | UnexpectedResponseError> {
    const sent = { value: false };
    const url = new URL(this.#base);
    url.pathname += call.path;
    for (const [key, value] of Object.entries(call.query ?? {})) url.searchParams.set(key, String(value));
    let status = 0;
    try {
      const response = await request(url, {
        method: call.method,
        dispatcher: (call.method === "GET" ? this.#reads : this.#writes).compose(noteSending(sent)),
        headers: {
          authorization: `Bearer ${token}`,
          accept: "application/json",
          ...(call.body === undefined ? {} : { "content-type": "application/json" }),
          ...(call.acceptCharges ? { "accept-charges": "true" } : {}),
        },
        body: call.body === undefined ? null : JSON.stringify(call.body),
      });
      status = response.statusCode;
      return { status, headers: response.headers, text: await this.#readBody(response.body) };
    } catch (cause) {
      if (cause instanceof TooLarge) {
        return new UnexpectedResponseError(
          {
            doing: call.doing,
            said: `the answer is larger than ${this.#limits.answerBytes} bytes.`,
            next: checkAddress,
          },
          status,
        );
      }
      const next = isCertificateProblem(cause)
        ? "The server's certificate is not trusted here: for a private authority set NODE_EXTRA_CA_CERTS to its file."
        : "Check reseller:baseUrl, the network and the proxy settings, then run again.";
      return new NetworkError(
        { doing: call.doing, said: `${describeCause(cause)} at ${this.#base.origin}.`, next },
        sent.value,
        { cause },
      );
    }
  }

  async #readBody(body: AsyncIterable<Buffer>): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      // Leaving the loop by throwing destroys the stream and its connection.
      if (size > this.#limits.answerBytes) throw new TooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  }

  #interpret(call: Call, raw: RawAnswer): Answer | ResellerError {
    const { status, text } = raw;
    const contentType = header(raw, "content-type") ?? "";
    // The status decides, never the body: the 402 echo looks like a record.
    if (status >= 200 && status < 300) {
      const body = parseJson(text);
      if (body === undefined && text.trim() !== "") {
        return new UnexpectedResponseError(
          { doing: call.doing, said: describeAnswer(status, contentType, text), next: checkAddress },
          status,
        );
      }
      return { status, location: header(raw, "location"), body };
    }
    const body = parseJson(text);
    const said = describeAnswer(status, contentType, text);
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
          next: this.tokens.remedy,
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
        const retryAfterMs = parseRetryAfter(header(raw, "retry-after"), this.clock.now());
        const until = retryAfterMs === undefined ? undefined : new Date(this.clock.now() + retryAfterMs).toISOString();
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
    if (status >= 500) {
      return new ServiceUnavailableError({ doing, said, next: "It may pass: run again later." }, status);
    }
    if (status >= 300 && status < 400) {
      const next = `It redirects; redirects are never followed, so that the token stays with ${this.#base.host}. ${checkAddress}`;
      return new UnexpectedResponseError({ doing, said, next }, status);
    }
    return new UnexpectedResponseError({ doing, said, next: checkAddress }, status);
  }
}

const checkAddress = "Check that reseller:baseUrl is the API host and that no proxy answers in its place.";

class TooLarge extends Error {}

/** Notes the moment a request starts onto a connection: before it, nothing has been sent. */
function noteSending(sent: { value: boolean }): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      ...forward(handler),
      onRequestStart(controller, context: unknown) {
        sent.value = true;
        handler.onRequestStart?.(controller, context);
      },
    });
}

function forward(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
}

function isPassing(error: ResellerError): boolean {
  if (error instanceof NetworkError) return !isCertificateProblem(error.cause);
  if (error instanceof RateLimitedError || error instanceof ServiceUnavailableError) return true;
  // A success that cannot be read: cut short on its way.
  return error instanceof UnexpectedResponseError && error.status >= 200 && error.status < 300;
}

function isDoubtful(error: ResellerError): boolean {
  if (error instanceof NetworkError) return error.sent;
  if (error instanceof ServiceUnavailableError) return true;
  return error instanceof UnexpectedResponseError && error.status < 400;
}

function unknownOutcome(call: Call, cause: ResellerError): OutcomeUnknownError {
  return new OutcomeUnknownError(
    {
      doing: call.doing,
      said: `the request was sent, but what became of it is not known (${cause.message}).`,
      next: "It was not sent again.",
    },
    { cause },
  );
}

function header(raw: RawAnswer, name: string): string | undefined {
  const value = raw.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
}

function isCertificateProblem(cause: unknown): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(codeOf(cause));
}

function describeCause(cause: unknown): string {
  const code = codeOf(cause);
  if (code === "ECONNREFUSED") return "nothing answers (connection refused)";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `the name of the host cannot be looked up (${code})`;
  if (cause instanceof undiciErrors.ConnectTimeoutError) return "no connection was made in time";
  if (cause instanceof undiciErrors.HeadersTimeoutError) return "the service did not start to answer in time";
  if (cause instanceof undiciErrors.BodyTimeoutError) return "the answer stopped half-way";
  return `the connection failed (${code || (cause instanceof Error ? cause.name : "unknown reason")})`;
}
