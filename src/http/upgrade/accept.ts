import type { WebSocket } from "ws";
import { ApiError } from "../../lib/errors/errors.ts";
import { isPromiseLike } from "../../lib/promise-like.ts";
import { type Traced, traceContext } from "../../lib/trace-context.ts";
import { ORIGIN_NOT_ALLOWED, UPGRADE_REQUIRED } from "../errors/errors.ts";
import type { RequestEvent } from "../event.ts";
import type { ObservedResponse } from "../observation/observed-response.ts";
import { isAbort } from "../streams/shutdown.ts";

/**
 * Handles an open WebSocket. Add its listeners before the first `await`, because messages are not stored for later. A
 * thrown error closes the connection.
 */
export type UpgradeHandler<Params extends string = string> = (
  e: RequestEvent<Params>,
  socket: WebSocket,
) => unknown;

/** Options of `router.upgrade`. */
export interface UpgradeOptions {
  /** Origins whose pages can connect, besides the server's own: `["https://example.com"]`, or `"*"` for all. */
  origins?: readonly string[] | "*";
  /** Maximum size of a message. Default: `limits.bodyBytes`. */
  maxMessageBytes?: number;
}

/** A handshake that waits for the functions of its route. */
export interface PendingUpgrade {
  /** Completes the handshake. Throws if the request is not a valid one. */
  accept(options: UpgradeOptions): WebSocket;
}

const pending = new WeakMap<ObservedResponse, PendingUpgrade>();

export function setPending(response: ObservedResponse, upgrade: PendingUpgrade): void {
  pending.set(response, upgrade);
}

/** The last function of a WebSocket route: opens the WebSocket and runs the handler. */
export function acceptUpgrade(e: RequestEvent, handler: UpgradeHandler, options: UpgradeOptions): void {
  const upgrade = pending.get(e.response);
  if (upgrade === undefined) throw UPGRADE_REQUIRED();
  const origin = e.header("origin");
  if (!isAllowedOrigin(origin, e, options)) throw ORIGIN_NOT_ALLOWED(origin!);
  const { signal } = e;
  const socket = upgrade.accept(options);
  // The response has been sent as far as the request event is concerned.
  e.isComplete = true;
  const fail = (error: unknown) => {
    if (!isAbort(error, signal)) closeWithError(e, socket, error);
  };
  runInTrace(socket, { traceId: e.traceId, onUnhandled: fail }, () => {
    const result = handler(e, socket);
    if (isPromiseLike(result)) result.then(undefined, fail);
  });
}

/**
 * Browsers let every page connect to every server and send its cookies along. Other clients send no origin. Only hosts
 * are compared, because a proxy may handle TLS without being trusted.
 */
function isAllowedOrigin(
  origin: string | undefined,
  e: RequestEvent,
  { origins = [] }: UpgradeOptions,
): boolean {
  if (origin === undefined || origins === "*") return true;
  return URL.parse(origin)?.host === e.url.host || origins.includes(origin);
}

/** Runs the handler and later all listeners of the socket in the trace context of the request. */
function runInTrace(socket: WebSocket, trace: Required<Omit<Traced, "run">>, run: () => void): void {
  const guarded = (work: () => unknown) =>
    traceContext.run(trace, () => {
      try {
        work();
      } catch (error) {
        trace.onUnhandled(error);
      }
    });
  const emit = socket.emit.bind(socket) as (...args: unknown[]) => boolean;
  socket.emit = (...args: unknown[]) => {
    let hasListeners = false;
    guarded(() => {
      hasListeners = emit(...args);
    });
    return hasListeners;
  };
  guarded(run);
}

/** Errors for the client close the connection with their message, other errors are reported. */
function closeWithError({ response }: RequestEvent, socket: WebSocket, error: unknown): void {
  if (error instanceof ApiError && error.status < 500) {
    socket.close(closeCodes.policy, cutReason(error.message));
    return;
  }
  response.observed.fail(error, "Failed to handle a WebSocket");
  socket.close(closeCodes.internal, "Internal server error");
}

/** Status codes of RFC 6455, section 7.4. */
export const closeCodes = { goingAway: 1001, policy: 1008, internal: 1011, tryAgainLater: 1013 } as const;

/** A close frame has room for 123 bytes. */
function cutReason(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= 123) return text;
  return new TextDecoder().decode(bytes.subarray(0, 120), { stream: true });
}
