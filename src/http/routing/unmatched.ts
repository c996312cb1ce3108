import { BAD_PATH, METHOD_NOT_ALLOWED, NOT_FOUND, UPGRADE_REQUIRED } from "../errors/errors.ts";
import type { RequestEvent } from "../event.ts";
import type { Handler } from "../handler.ts";
import { parsePattern } from "../route/pattern.ts";
import type { Route } from "../route/route.ts";
import { methods } from "./registered-route.ts";
import type { FindRoute, Match } from "./route-index.ts";

/**
 * Handles requests without a matching route: OPTIONS for an existing path, a method that the path does not support, and
 * unknown paths. The functions in `before` run first.
 */
export function matchUnhandled(
  method: string,
  path: string,
  findRoute: FindRoute,
  before: readonly Handler[],
): Match {
  const found = methods.flatMap((other) => findRoute(other, path) ?? []);
  const [first] = found;
  if (first === undefined) {
    return before.length === 0 ? noRoute : { route: builtInRoute(notFound, before), params: {} };
  }
  const allow = listMethods(found);
  if (method !== "OPTIONS") return { route: builtInRoute(methodNotAllowed(allow), before), params: {} };
  // The middleware of the routers runs, so that it can handle preflight requests.
  const { sharedFunctions, pattern } = first.route;
  return {
    route: builtInRoute(sendAllow(allow), [...before, ...sharedFunctions], pattern),
    params: first.params,
  };
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

function requireUpgrade(): never {
  throw UPGRADE_REQUIRED.with({ headers: { Upgrade: "websocket", Connection: "Upgrade" } });
}

function rejectPath(): never {
  throw BAD_PATH();
}

/** For paths without a route. */
export const noRoute: Match = { route: builtInRoute(notFound), params: {} };

/** For requests without an upgrade to a path for WebSockets. */
export const upgradeRequired: Match = { route: builtInRoute(requireUpgrade), params: {} };

/** For paths that are rejected before any route is tried. */
export const badPath: Match = { route: builtInRoute(rejectPath), params: {} };

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
