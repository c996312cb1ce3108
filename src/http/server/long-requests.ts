import type { Socket } from "node:net";
import { type ObservedResponse, openResponses } from "../observer.ts";

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
  const found: ObservedResponse[] = [];
  for (const socket of sockets) {
    for (const response of openResponses(socket)) {
      const isOld = now - response.startedAt > olderThanMs;
      if (isOld && !response.headersSent && !response.destroyed) found.push(response);
    }
  }
  found.sort(
    (one, other) => Number(other.req.complete) - Number(one.req.complete) || one.startedAt - other.startedAt,
  );
  return {
    count: found.length,
    handling: found.filter(({ req }) => req.complete).length,
    listed: found.slice(0, maxListed).map((response) => describe(response, now)),
  };
}

function describe(response: ObservedResponse, now: number): LongRequest {
  const { traceId, method, path, route, startedAt, req } = response;
  return {
    traceId,
    method,
    path,
    ...(route && { route: route.pattern.text }),
    startedAt: Math.round(performance.timeOrigin + startedAt),
    ageMs: Math.round(now - startedAt),
    phase: req.complete ? "handling" : "receiving",
  };
}
