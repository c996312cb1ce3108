import FindMyWay, { type HTTPMethod } from "find-my-way";
import { METHOD_NOT_ALLOWED, NOT_FOUND } from "./errors.ts";
import type { RequestEvent } from "./event.ts";
import type { Handler } from "./handler.ts";
import { parsePattern } from "./pattern.ts";
import type { Route } from "./route.ts";
import type { RouteTable } from "./router.ts";

/**
 * Handles requests without a matching route: OPTIONS for an existing path, a method that the path does not support, and
 * unknown paths. The first such request creates a second index of the routes, because the server's index only shows
 * whether a method matched. The server's index also lets `{name}` match an empty value, which this index does not, so
 * this one can find a route that was hidden.
 */
export function createUnmatched(table: RouteTable): (method: string, path: string) => Match {
  let index: ReturnType<typeof indexRoutes> | undefined;
  return (method, path) => {
    index ??= indexRoutes(table);
    const found = index(path);
    const served = found.get(method);
    if (served !== undefined) return served;
    const [first] = found.values();
    if (first === undefined) return { route: noRoute, params: {} };
    const allow = [...[...found.keys()].sort(), "OPTIONS"].join(", ");
    if (method !== "OPTIONS") return { route: pseudoRoute(methodNotAllowed(allow)), params: {} };
    // The middleware of the routers runs, so that it can handle preflight requests.
    const { sharedFunctions, pattern } = first.route;
    return { route: pseudoRoute(answerOptions(allow), sharedFunctions, pattern), params: first.params };
  };
}

/** A route and its path values. */
interface Match {
  route: Route<RequestEvent>;
  params: Record<string, string>;
}

function indexRoutes(table: RouteTable): (path: string) => Map<string, Match> {
  const index = FindMyWay({ maxParamLength: 65_536 });
  const methods = new Set<string>();
  for (const route of table.routes) {
    for (const method of route.method === "GET" ? ["GET", "HEAD"] : [route.method]) {
      methods.add(method);
      const url = route.pattern.url.replace(/\/:[A-Za-z_][A-Za-z0-9_]*/g, "$&([^]+)");
      index.on(method as HTTPMethod, url, () => {}, route);
    }
  }
  return (path) => {
    const found = new Map<string, Match>();
    for (const method of methods) {
      const match = index.find(method as HTTPMethod, path);
      if (match === null) continue;
      const route = match.store as Route<RequestEvent>;
      const owner = table.ownerOf(decodeURI(path));
      if (owner === undefined || owner === route.owner) {
        found.set(method, { route, params: match.params as Record<string, string> });
      }
    }
    return found;
  };
}

/** The method of routes that were not registered. */
export const anyMethod = "*";
const anywhere = parsePattern("/{rest...}");

function pseudoRoute(
  handler: Handler,
  before: readonly Handler[] = [],
  pattern = anywhere,
): Route<RequestEvent> {
  return {
    index: 0,
    method: anyMethod,
    pattern,
    owner: "Annex",
    uncounted: false,
    functions: [...before, handler],
    sharedFunctions: before,
  };
}

function notFound(e: RequestEvent): never {
  throw NOT_FOUND(e.method, e.path);
}

/** Handles requests that match no route. */
export const noRoute: Route<RequestEvent> = pseudoRoute(notFound);

const methodNotAllowed =
  (allow: string): Handler =>
  (e) => {
    throw METHOD_NOT_ALLOWED.with({ headers: { Allow: allow } }, e.method, allow);
  };

const answerOptions =
  (allow: string): Handler =>
  (e) => {
    e.setHeader("Allow", allow);
    return e.noContent();
  };
