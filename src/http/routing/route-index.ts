import FindMyWay from "find-my-way";
import type { RequestEvent } from "../event.ts";
import type { PathValues } from "../route/pattern.ts";
import type { Route } from "../route/route.ts";
import type { Method, RegisteredRoute } from "./registered-route.ts";
import { findHolder, mayOverlap, type ReservedPrefix } from "./reserved-prefixes.ts";
import { createSegmentSearch } from "./segment-search.ts";

/** A route and the path values of a request. */
export interface Match {
  readonly route: Route<RequestEvent>;
  readonly params: PathValues;
}

/** Finds the registered route for a request, given its path without the query. */
export type FindRoute = (method: string, path: string) => Match | undefined;

/** What the index stores for a route. */
interface Entry {
  readonly route: RegisteredRoute;
  /** Whether the path of a request can be reserved for another owner. */
  readonly overlapsReserved: boolean;
}

/**
 * Indexes the routes. Static segments win over `{name}`, and `{name}` wins over `{rest...}`. A value is never empty, so
 * that `DELETE /todos/` does not match `/todos/{id}`.
 */
export function createRouteIndex(
  routes: readonly RegisteredRoute[],
  reserved: readonly ReservedPrefix[],
): FindRoute {
  const index = FindMyWay({
    // The size limit of the request headers also limits the path.
    maxParamLength: Number.MAX_SAFE_INTEGER,
    querystringParser: () => undefined,
  });
  for (const route of routes) {
    const entry: Entry = { route, overlapsReserved: mayOverlap(reserved, route) };
    index.on(route.method, route.pattern.url, () => {}, entry);
  }

  const isOpen = (route: RegisteredRoute, path: string) => {
    const holder = findHolder(reserved, decodeURI(path));
    return holder === undefined || holder.owner === route.owner;
  };
  const searchSegments = createSegmentSearch(routes, isOpen);

  return (method, path) => {
    const handled = methodOfRoutes(method);
    if (handled === undefined) return undefined;
    const found = index.find(handled, path);
    if (found === null) return undefined;
    const { params } = found;
    const { route, overlapsReserved }: Entry = found.store;
    for (const name of route.pattern.names) {
      // find-my-way accepts empty values, and then does not look for other routes.
      if (params[name] === "") return searchSegments(handled, path);
    }
    return overlapsReserved && !isOpen(route, path) ? undefined : { route, params };
  };
}

/** The method of the routes that handle a request, if they can exist. */
function methodOfRoutes(method: string): Method | undefined {
  switch (method) {
    case "HEAD":
      return "GET";
    case "GET":
    case "POST":
    case "PUT":
    case "PATCH":
    case "DELETE":
      return method;
    default:
      return undefined;
  }
}
