import { BAD_PATH, METHOD_NOT_ALLOWED, NOT_FOUND, UPGRADE_REQUIRED } from "../errors/errors.ts";
import type { RequestEvent } from "../event.ts";
import type { Handler } from "../handler.ts";
import { parsePattern } from "../route/pattern.ts";
import type { Route } from "../route/route.ts";
import { methods } from "./registered-route.ts";
import type { FindRoute, Match } from "./route-index.ts";

/** The part of a request that decides which route a preflight request is for. */
export interface Preflight {
  requestHeader(name: string): string | undefined;
}

export interface UnhandledContext {
  readonly findRoute: FindRoute;
  /** The middleware that runs first. */
  readonly before: readonly Handler[];
  readonly request: Preflight | undefined;
}

/**
 * Handles requests without a matching route: OPTIONS for an existing path, a method that the path does not support, and
 * unknown paths.
 */
export function matchUnhandled(
  method: string,
  path: string,
  { findRoute, before, request }: UnhandledContext,
): Match {
  const found = methods.flatMap((other) => findRoute(other, path) ?? []);
  if (found.length === 0) {
    return before.length === 0 ? noRoute : { route: builtInRoute(notFound, before), params: {} };
  }
  const allow = listMethods(found);
  if (method !== "OPTIONS") return { route: builtInRoute(methodNotAllowed(allow), before), params: {} };
  // Only the middleware around the route runs, because it decides whether other origins may send the actual request.
  const { route, params } = findRequested(found, request);
  return { route: builtInRoute(sendAllow(allow), route.sharedFunctions, route.pattern), params };
}

/** The route that a preflight request is for. The routes of one path can belong to different routers. */
function findRequested(found: readonly Match[], request: Preflight | undefined): Match {
  const wanted = request?.requestHeader("access-control-request-method");
  const method = wanted === "HEAD" ? "GET" : wanted;
  return found.find(({ route }) => route.method === method) ?? found[0]!;
}

/** The value of an `Allow` header. */
function listMethods(found: readonly Match[]): string {
  const names = found.map(({ route }) => route.method);
  if (names.includes("GET")) names.push("HEAD");
  return [...names.sort(), "OPTIONS"].join(", ");
}

const anywhere = parsePattern("/{rest...}");

/** A route that was not registered. Its index is 0. */
function builtInRoute(
  handler: Handler,
  before: readonly Handler[] = [],
  pattern = anywhere,
): Route<RequestEvent> {
  return {
    index: 0,
    method: "*",
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

function requireUpgrade({ response }: RequestEvent): never {
  // Node does not add "close" to a header that is set.
  const isLast = !response.shouldKeepAlive || response.observed.isDraining;
  const Connection = isLast ? "Upgrade, close" : "Upgrade";
  throw UPGRADE_REQUIRED.with({ headers: { Upgrade: "websocket", Connection } });
}

function rejectPath(): never {
  throw BAD_PATH();
}

/** For paths without a route. */
export const noRoute: Match = { route: builtInRoute(notFound), params: {} };

/** For requests without an upgrade to a path for WebSockets. */
export function matchUpgradeRequired(before: readonly Handler[]): Match {
  return { route: builtInRoute(requireUpgrade, before), params: {} };
}

/** For paths that are rejected before any route is tried. */
export function matchBadPath(before: readonly Handler[]): Match {
  return { route: builtInRoute(rejectPath, before), params: {} };
}

const methodNotAllowed =
  (allow: string): Handler =>
  (e) => {
    throw METHOD_NOT_ALLOWED.with({ headers: { Allow: allow } }, e.method, allow);
  };

const sendAllow =
  (allow: string): Handler =>
  (e) => {
    e.setHeader("Allow", allow);
    return e.noContent();
  };
