import type { Identity } from "../identity.ts";
import type { Route } from "../route/route.ts";
import type { Client } from "./client.ts";

/** A finished request. */
export interface FinishedRequest {
  readonly traceId: string;
  /** The W3C trace context of the caller, if sent. */
  readonly traceparent: string | undefined;
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  /** The route that handled the request. Absent if no route matched. */
  readonly route: Route | undefined;
  /** 499 if the client disconnected before the response. */
  readonly statusCode: number;
  /** Milliseconds on the clock of `performance.now()`. */
  readonly startedAt: number;
  /** Until the response has ended. For event streams and WebSockets, until their head has been sent. */
  readonly durationMs: number;
  readonly client: Client;
  /** The requested host: `X-Forwarded-Host` from a trusted proxy, otherwise `Host`. */
  readonly host: string;
  /** The declared length of the request body. 0 without a body or a declared length. */
  readonly contentLength: number;
  /** Size of the response body in bytes. */
  readonly bytesSent: number;
  readonly aborted: boolean;
  /** The content type of the response. */
  readonly contentType: string | undefined;
  /** A request header, by its lower-case name. */
  requestHeader(name: string): string | undefined;
  /** The request headers as sent, names and values alternating. The only value here that may be stored. */
  readonly rawHeaders: readonly string[];
}

/** A request that ended with 401 or 403. */
export interface RefusedRequest extends FinishedRequest {
  /** The authenticated identity, or `null`. */
  readonly identity: Identity | null;
  /** The code of the thrown error. Undefined if the handler sent the response itself. */
  readonly errorCode: string | undefined;
}

export interface FailedRequest {
  readonly error: unknown;
  readonly traceId: string;
  readonly method: string;
  readonly path: string;
  /** The matched route. Absent if no route matched. */
  readonly route: Route | undefined;
  /** The message of the log record. */
  readonly message: string;
}

/** A forwarded header that was ignored, because the peer is not a trusted proxy. */
export interface UntrustedForwarding {
  /** The address at the other end of the connection. */
  readonly peer: string;
  readonly header: string;
}
