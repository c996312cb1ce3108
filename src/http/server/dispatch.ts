import { isPromiseLike } from "../../lib/promise-like.ts";
import { traceContext } from "../../lib/trace-context.ts";
import { respondWithError } from "../errors/error-response.ts";
import { MALFORMED_REQUEST, NEXT_NOT_AWAITED, NOT_ANSWERED } from "../errors/errors.ts";
import type { RequestEvent } from "../event.ts";
import type { Identify } from "../identify.ts";
import type { Identity } from "../identity.ts";

/** Authenticates a request and runs the functions of its route. Every error becomes a response. */
export function dispatch(e: RequestEvent, identify: Identify | undefined): void {
  // Each request has its own callback, so `enterWith` is enough: nothing else runs in this context afterwards, and
  // `run` would cost twice as much.
  traceContext.enterWith(e);
  try {
    if (e.response.hosts !== 1 && e.response.req.httpVersion !== "1.0") throw MALFORMED_REQUEST();
    const identity = identify === undefined ? null : identify(e);
    if (isPromiseLike<Identity | null>(identity)) {
      identity
        .then((found) => {
          e.auth = e.response.identity = found;
          run(e);
        })
        .then(undefined, (error) => respondWithError(e, error));
    } else {
      e.auth = e.response.identity = identity;
      run(e);
    }
  } catch (error) {
    respondWithError(e, error);
  }
}

function run(e: RequestEvent): void {
  const result = e.route.functions[0]!(e);
  if (isPromiseLike<unknown>(result))
    result.then(() => finish(e)).then(undefined, (error) => respondWithError(e, error));
  else finish(e);
}

function finish(e: RequestEvent): void {
  if (e.hasResponded) return;
  const error = e.isContinuing ? NEXT_NOT_AWAITED : NOT_ANSWERED;
  throw error(e.method, e.route.pattern.text);
}
