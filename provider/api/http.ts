import { type Dispatcher, EnvHttpProxyAgent, request } from "undici";
import type { TokenSource } from "../auth/tokens";
import { type Clock, systemClock } from "../clock";
import {
  NetworkError,
  OutcomeUnknownError,
  RateLimitedError,
  ResellerError,
  ServiceUnavailableError,
  UnexpectedResponseError,
} from "../errors";
import { checkAddress, interpret } from "./answer";
import { describeCause, isCertificateProblem, noteSending } from "./connection";
import { type Saved, saveBody } from "./download";
import { nextWaitMs, retryBudgetMs } from "./retry";

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
  /** What `body` holds that must not be shown, should an answer quote it. */
  secrets?: readonly string[];
  /** Reads the text of a JSON answer where JSON.parse would lose digits; undefined when it is not JSON. */
  parse?: (text: string) => unknown;
  /** Takes the body of a success as it arrives; pages and JSON are no document and never get here. */
  save?: (body: AsyncIterable<Buffer>, declaredBytes: number | undefined) => Promise<Saved>;
}

export interface Answer {
  status: number;
  /** The Location header, if there was one. */
  location: string | undefined;
  /** The parsed JSON body, or what `save` made of it; undefined when the body was empty. */
  body: unknown;
}

/** Deadlines in milliseconds, and how large an answer may get in bytes. */
export interface Limits {
  connectMs: number;
  headersMs: number;
  bodyMs: number;
  answerBytes: number;
  /** For a whole answer, and for a whole download; `bodyMs` is for each pause in it. */
  answerMs: number;
  downloadMs: number;
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
  answerMs: 120_000,
  downloadMs: 15 * 60_000,
  budgetMs: retryBudgetMs,
  unreachableMs: 10_000,
};

/** An answer as it came, before its status says what it means. */
export interface RawAnswer {
  status: number;
  headers: Dispatcher.ResponseData["headers"];
  text: string;
  saved?: Saved;
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
   * Streams the body of a GET into `file`, by the rules of `read`: a download that was cut short starts over.
   * @throws InvalidDocumentError when it is larger than `mostBytes`; FileError; what `read` throws.
   */
  async download(call: { doing: string; path: string }, file: string, mostBytes: number): Promise<Saved> {
    const { body } = await this.read({
      ...call,
      save: (body, declaredBytes) => saveBody({ doing: call.doing, body, declaredBytes, file, mostBytes }),
    });
    return body as Saved;
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
    if (raw instanceof Error) return raw;
    if (raw.saved) return { status: raw.status, location: undefined, body: raw.saved };
    // A refusal may quote the request, its token included; what is said of it must not.
    const shown = raw.status < 300 ? raw : { ...raw, text: raw.text.replaceAll(token, "<token>") };
    const asked = { remedy: this.tokens.remedy, now: this.clock.now(), host: this.#base.host };
    return interpret(call, shown, asked);
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
          accept: call.save ? "application/octet-stream" : "application/json",
          ...(call.body === undefined ? {} : { "content-type": "application/json" }),
          ...(call.acceptCharges ? { "accept-charges": "true" } : {}),
        },
        body: call.body === undefined ? null : JSON.stringify(call.body),
        signal: AbortSignal.timeout(call.save ? this.#limits.downloadMs : this.#limits.answerMs),
      });
      status = response.statusCode;
      if (call.save && status >= 200 && status < 300 && isDocument(response.headers)) {
        const declared = Number(response.headers["content-length"]);
        const saved = await call.save(response.body, Number.isSafeInteger(declared) ? declared : undefined);
        return { status, headers: response.headers, text: "", saved };
      }
      return { status, headers: response.headers, text: await this.#readBody(response.body) };
    } catch (cause) {
      // What saving a document refuses has nothing to do with the connection.
      if (cause instanceof ResellerError) throw cause;
      if (cause instanceof TooLarge) {
        return new UnexpectedResponseError(
          {
            doing: call.doing,
            said: `the answer is larger than ${this.#limits.answerBytes} bytes.`,
            next: checkAddress,
          },
          status,
          { cause },
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
}

class TooLarge extends Error {}

function isPassing(error: ResellerError): boolean {
  if (error instanceof NetworkError) return !isCertificateProblem(error.cause);
  if (error instanceof RateLimitedError || error instanceof ServiceUnavailableError) return true;
  // A success that cannot be read: cut short on its way. One that is too large would only be so again.
  if (!(error instanceof UnexpectedResponseError) || error.cause instanceof TooLarge) return false;
  return error.status >= 200 && error.status < 300;
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
      said: `the request was sent, but what became of it is not known (${cause.said.replace(/\.$/, "")}).`,
      next: "It was not sent again.",
    },
    { cause },
  );
}

function isDocument(headers: RawAnswer["headers"]): boolean {
  return !/html|json|xml|^text\//i.test(String(headers["content-type"] ?? ""));
}
