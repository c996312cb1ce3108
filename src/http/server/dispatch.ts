import { isPromiseLike } from "../../lib/promise-like.ts";
import { traceContext } from "../../lib/trace-context.ts";
import { alreadyDone } from "../chain.ts";
import { respondWithError } from "../errors/error-response.ts";
import { MALFORMED_REQUEST, NEXT_NOT_AWAITED, RESPONSE_MISSING } from "../errors/errors.ts";
import type { RequestEvent } from "../event.ts";
import type { Identify } from "../identify.ts";
import type { Identity } from "../identity.ts";
import { addEarlyHeaders } from "../middleware/early-errors.ts";
import { observeReplaced } from "../observation/host-response.ts";
import { ObservedResponse } from "../observation/observed-response.ts";

/** Authenticates a request and runs the functions of its route. Every error becomes a response. */
export function dispatch(e: RequestEvent, identify: Identify | undefined): void {
  // Each request has its own callback, so `enterWith` is enough: nothing else runs in this context afterwards, and
  // `run` would cost twice as much.
  traceContext.enterWith(e);
  let identity: ReturnType<Identify> = null;
  try {
    if (e.response.observed.hosts !== 1 && e.response.req.httpVersion !== "1.0") throw MALFORMED_REQUEST();
    if (identify !== undefined) identity = identify(e);
  } catch (error) {
    void refuseEarly(e, error);
    return;
  }
  if (isPromiseLike<Identity | null>(identity)) {
    identity.then(
      (found) => run(e, found),
      (error) => refuseEarly(e, error),
    );
  } else run(e, identity);
}

function run(e: RequestEvent, identity: Identity | null): void {
  e.auth = e.response.observed.identity = identity;
  try {
    const result = e.route.functions[0]!(e);
    if (!(e.response instanceof ObservedResponse)) observeReplaced(e.response);
    if (result !== alreadyDone && isPromiseLike<unknown>(result))
      result.then(
        () => finishLater(e),
        (error) => respondWithError(e, error),
      );
    else finish(e);
  } catch (error) {
    respondWithError(e, error);
  }
}

/** The middleware has not run, but some of its headers belong to every response. */
async function refuseEarly(e: RequestEvent, error: unknown): Promise<void> {
  // If a function fails here, the first error is still the relevant one.
  await addEarlyHeaders(e).catch(() => {});
  respondWithError(e, error);
}

function finishLater(e: RequestEvent): void {
  try {
    finish(e);
  } catch (error) {
    respondWithError(e, error);
  }
}

function finish(e: RequestEvent): void {
  if (!(e.response instanceof ObservedResponse)) observeReplaced(e.response);
  if (e.hasResponded) return;
  const error = e.isContinuing ? NEXT_NOT_AWAITED : RESPONSE_MISSING;
  throw error(e.method, e.route.pattern.text);
}
