import type { PathValues } from "../route/pattern.ts";
import type { Method, RegisteredRoute } from "./registered-route.ts";

export type SegmentSearch = (
  method: Method,
  path: string,
) => { readonly route: RegisteredRoute; readonly params: PathValues } | undefined;

/**
 * Finds a route by comparing its segments with those of the path. The index cannot find routes for all paths with an
 * empty segment: it takes `/todos/` for `/todos/{id}` and hides `/todos/{rest...}`. Such requests are rare, so all
 * routes are tried, in the order in which the index prefers them.
 */
export function createSegmentSearch(
  routes: readonly RegisteredRoute[],
  isOpen: (route: RegisteredRoute, path: string) => boolean,
): SegmentSearch {
  const candidates = routes
    .map((route) => ({ route, segments: route.pattern.text.split("/") }))
    .map((candidate) => ({ ...candidate, rank: rankOf(candidate.segments) }))
    .sort((one, other) => Number(one.rank > other.rank) - Number(one.rank < other.rank));

  return (method, path) => {
    const sent = path.split("/");
    for (const { route, segments } of candidates) {
      if (route.method !== method) continue;
      const params = matchSegments(segments, sent);
      if (params !== undefined && isOpen(route, path)) return { route, params };
    }
    return undefined;
  };
}

const isValue = (segment: string) => segment.startsWith("{");
const isRest = (segment: string) => segment.endsWith("...}");

/** Sorts static segments before values, and values before the rest of a path. */
function rankOf(segments: readonly string[]): string {
  return segments.map((segment) => (isRest(segment) ? "c" : isValue(segment) ? "b" : "a")).join("");
}

/** The values of a path, or `undefined` if it does not match. A value is never empty, but the rest may be. */
function matchSegments(segments: readonly string[], sent: readonly string[]): PathValues | undefined {
  const params: Record<string, string> = Object.create(null);
  for (const [at, segment] of segments.entries()) {
    const given = sent[at];
    if (given === undefined) return undefined;
    if (isRest(segment)) {
      params["*"] = decodeURIComponent(sent.slice(at).join("/"));
      return params;
    }
    if (!isValue(segment)) {
      if (decodeURI(given) !== segment) return undefined;
    } else if (given === "") {
      return undefined;
    } else {
      params[segment.slice(1, -1)] = decodeURIComponent(given);
    }
  }
  return segments.length === sent.length ? params : undefined;
}
