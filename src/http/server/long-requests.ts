import type { Socket } from "node:net";
import { type OpenRequest, openRequests } from "../observation/peer.ts";

/** A request that has been in flight for a long time without a response. */
export interface LongRequest {
  readonly traceId: string;
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  /** The route pattern. Absent if no route matched. */
  readonly route?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly ageMs: number;
  /** Whether the client is still sending the request, or the server is working on it. */
  readonly phase: "receiving" | "handling";
}

export interface LongRequests {
  readonly count: number;
  /** Number of requests that were received completely. */
  readonly handling: number;
  /** At most 20 requests: first those that were received completely, each group sorted by age. */
  readonly listed: readonly LongRequest[];
}

/** A server that hangs may have thousands of them. */
const maxListed = 20;

export interface LongRequestQuery {
  readonly olderThanMs: number;
  /** Milliseconds on the clock of `performance.now()`. */
  readonly now: number;
}

/**
 * Finds requests older than `olderThanMs` without a response. A response whose head has been sent is a stream, which
 * may take long. Connections already track their open responses, so this adds no cost per request.
 */
export function findLongRequests(
  sockets: Iterable<Socket>,
  { olderThanMs, now }: LongRequestQuery,
): LongRequests {
  const found: OpenRequest[] = [];
  for (const socket of sockets) {
    for (const observed of openRequests(socket)) {
      const isOld = now - observed.startedAt > olderThanMs;
      const { headersSent, destroyed } = observed.response;
      if (isOld && !headersSent && !destroyed) found.push(observed);
    }
  }
  found.sort(
    (one, other) =>
      Number(other.request.complete) - Number(one.request.complete) || one.startedAt - other.startedAt,
  );
  return {
    count: found.length,
    handling: found.filter(({ request }) => request.complete).length,
    listed: found.slice(0, maxListed).map((observed) => describe(observed, now)),
  };
}

function describe(observed: OpenRequest, now: number): LongRequest {
  const { traceId, method, path, route, startedAt, request } = observed;
  return {
    traceId,
    method,
    path,
    ...(route && { route: route.pattern.text }),
    startedAt: Math.round(performance.timeOrigin + startedAt),
    ageMs: Math.round(now - startedAt),
    phase: request.complete ? "handling" : "receiving",
  };
}
