import { createPathPattern } from "../../../lib/path-pattern.ts";
import type { RecentRequest } from "./recent-requests.ts";
import { unmatchedName } from "./shared-names.ts";

/** Filter for recent requests. All given conditions must match. */
export interface RecentFilter {
  /** A code such as 404, or a class such as 4xx. */
  readonly status?: string | undefined;
  /** In upper case. */
  readonly method?: string | undefined;
  /** A path or a path pattern. */
  readonly path?: string | undefined;
  /** As `GET /todos/{id}`, or the pattern alone; `(no route)` for requests without a route. */
  readonly route?: string | undefined;
  readonly minDurationMs?: number | undefined;
  readonly maxDurationMs?: number | undefined;
  readonly traceId?: string | undefined;
}

export function createRecentFilter(filter: RecentFilter): (request: RecentRequest) => boolean {
  const { status, method, route, traceId, minDurationMs = 0, maxDurationMs = Infinity } = filter;
  const pattern = filter.path === undefined ? undefined : createPathPattern(filter.path);
  return (request) =>
    (status === undefined || hasStatus(request, status)) &&
    (method === undefined || request.method === method) &&
    (route === undefined || isOfRoute(request, route)) &&
    (traceId === undefined || request.traceId === traceId) &&
    request.durationMs >= minDurationMs &&
    request.durationMs <= maxDurationMs &&
    (pattern === undefined || pattern.matches(request.path));
}

function hasStatus({ statusCode }: RecentRequest, status: string): boolean {
  return status.endsWith("xx") ? String(statusCode)[0] === status[0] : String(statusCode) === status;
}

function isOfRoute({ method, route }: RecentRequest, wanted: string): boolean {
  return route === undefined ? wanted === unmatchedName : wanted === route || wanted === `${method} ${route}`;
}
