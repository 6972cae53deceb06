import { types } from "node:util";
import { type Dispatcher, errors as undiciErrors } from "undici";

/** What happened below HTTP: whether anything was sent, and why a connection failed. */

/** Notes the moment a request starts onto a connection: before it, nothing has been sent. */
export function noteSending(sent: { value: boolean }): Dispatcher.DispatcherComposeInterceptor {
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

function codeOf(cause: unknown): string {
  return types.isNativeError(cause) && "code" in cause && typeof cause.code === "string" ? cause.code : "";
}

export function isCertificateProblem(cause: unknown): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(codeOf(cause));
}

/** In words, without anything of the request. */
export function describeCause(cause: unknown): string {
  const code = codeOf(cause);
  if (code === "ECONNREFUSED") return "nothing answers (connection refused)";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `the name of the host cannot be looked up (${code})`;
  if (cause instanceof undiciErrors.ConnectTimeoutError) return "no connection was made in time";
  if (cause instanceof undiciErrors.HeadersTimeoutError) return "the service did not start to answer in time";
  if (cause instanceof undiciErrors.BodyTimeoutError) return "the answer stopped half-way";
  if (cause instanceof DOMException && cause.name === "TimeoutError") return "the answer did not end in time";
  return `the connection failed (${code || (types.isNativeError(cause) ? cause.name : "unknown reason")})`;
}
