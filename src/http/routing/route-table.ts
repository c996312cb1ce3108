import { showLocation } from "../../lib/source/source-location.ts";
import type { Handler } from "../handler.ts";
import { isHostilePath } from "../route/pattern.ts";
import { RouteError } from "../route/route-error.ts";
import { createHeadTest, type PathTest } from "./path-heads.ts";
import {
  inOrder,
  type MiddlewareScope,
  methods,
  type RegisteredRoute,
  type RouteRegistry,
} from "./registered-route.ts";
import { createPrefixTest, findHolder, type ReservedPrefix } from "./reserved-prefixes.ts";
import { createRouteIndex, type FindRoute, type Match } from "./route-index.ts";
import { createRouter, type RootRouter } from "./router.ts";
import { matchBadPath, matchUnhandled, matchUpgradeRequired, noRoute, type Preflight } from "./unmatched.ts";

/** A middleware function, and what it is bound to: the prefix of a router, or a route. */
export interface BoundFunction {
  readonly place: string;
  readonly func: Handler;
}

/** A router with middleware for requests that match no route. */
interface UnmatchedScope extends MiddlewareScope {
  contains(path: string): boolean;
}

/** The routes of one server, with their owners and the reserved prefixes. */
export class RouteTable implements RouteRegistry {
  readonly routes: RegisteredRoute[] = [];
  /** The path before the paths of Annex. */
  private readonly basePath: string;
  private readonly byShape = new Map<string, RegisteredRoute>();
  private readonly reserved: ReservedPrefix[] = [];
  private readonly scopes: MiddlewareScope[] = [];
  /** These are created when the registration ends. */
  private findRoute: FindRoute | undefined;
  /** Finds the routes for WebSockets. Absent if there are none. */
  private findUpgrade: FindRoute | undefined;
  private unmatched: readonly UnmatchedScope[] = [];
  /** Whether a path may have a route or be reserved. */
  private mayOwn: PathTest = () => false;

  constructor(basePath = "") {
    this.basePath = basePath;
  }

  /** Reserves a prefix and all paths below it for one owner. */
  reserve(prefix: string, owner: string): void {
    this.reserved.push({ prefix: this.baseOf(owner) + prefix, owner });
  }

  router(owner: string): RootRouter {
    return createRouter(this, owner, { prefix: this.baseOf(owner) });
  }

  /** Routes of the application are not moved. */
  private baseOf(owner: string): string {
    return owner === "Annex" ? this.basePath : "";
  }

  /** Ends the registration. Routes added later would never run, so they are rejected. */
  fix(): void {
    if (this.findRoute) return;
    const { upgrades = [], requests = [] } = Object.groupBy(this.routes, ({ isUpgrade }) =>
      isUpgrade ? "upgrades" : "requests",
    );
    this.findRoute = createRouteIndex(requests, this.reserved);
    if (upgrades.length > 0) this.findUpgrade = createRouteIndex(upgrades, this.reserved);
    this.mayOwn = createHeadTest([
      ...this.routes.map(({ pattern }) => pattern.text),
      ...this.reserved.map(({ prefix }) => prefix),
    ]);
    this.unmatched = this.scopes
      .filter(({ middleware }) => middleware.hasUnmatched)
      .map((scope) => ({ ...scope, contains: createPrefixTest(scope.prefix) }));
  }

  get hasUpgrades(): boolean {
    return this.findUpgrade !== undefined;
  }

  /** Finds the route for a WebSocket. */
  matchUpgrade(path: string): Match | undefined {
    return isHostilePath(path) ? undefined : this.findUpgrade?.("GET", path);
  }

  /** Finds the route for a request, given its path without the query. Requests without a route get a built-in one. */
  match(method: string, path: string, request?: Preflight): Match {
    if (this.findRoute === undefined) return noRoute;
    if (isHostilePath(path)) return matchBadPath(this.unmatchedFunctions(path));
    const match = this.findRoute(method, path);
    if (match !== undefined) return match;
    const before = this.unmatchedFunctions(decodeURI(path));
    if (method === "GET" && this.matchUpgrade(path)) return matchUpgradeRequired(before);
    return matchUnhandled(method, path, { findRoute: this.findRoute, before, request });
  }

  /**
   * Finds the route for a request to another server. Absent if the request is for the application there: its path has no
   * route here and is not below a reserved prefix.
   */
  matchOwn(method: string, path: string, request?: Preflight): Match | undefined {
    if (this.findRoute === undefined || !this.mayOwn(path) || isHostilePath(path)) return undefined;
    const match = this.findRoute(method, path);
    if (match !== undefined) return match;
    const isReserved = findHolder(this.reserved, decodeURI(path)) !== undefined;
    const isPreflight = method === "OPTIONS" && methods.some((other) => this.findRoute!(other, path));
    return isReserved || isPreflight ? this.match(method, path, request) : undefined;
  }

  /** The reserved prefix that contains the path. */
  findReserved(path: string): string | undefined {
    return findHolder(this.reserved, path)?.prefix;
  }

  /** All middleware, in the order of registration: that of the routers, then that of the routes. */
  listMiddleware(): BoundFunction[] {
    const shared = this.scopes.flatMap(({ prefix, middleware }) =>
      inOrder([middleware]).map((func) => ({ place: prefix || "/", func })),
    );
    const own = this.routes.flatMap(({ method, pattern, ownFunctions }) =>
      ownFunctions.map((func) => ({ place: `${method} ${pattern.text}`, func })),
    );
    return [...shared, ...own];
  }

  /** The middleware for a request without a route. That of another owner does not run below a reserved prefix. */
  private unmatchedFunctions(path: string): readonly Handler[] {
    if (this.unmatched.length === 0) return [];
    const holder = findHolder(this.reserved, path);
    const around = this.unmatched.filter(
      ({ owner, contains }) => contains(path) && (holder === undefined || holder.owner === owner),
    );
    return inOrder(
      around.map(({ middleware }) => middleware),
      ({ unmatched }) => unmatched,
    );
  }

  assertOpen(what: string): void {
    if (this.findRoute) throw new RouteError(`Cannot add ${what}: the server is ready. Use app.onServe.`);
  }

  addScope(scope: MiddlewareScope): void {
    this.scopes.push(scope);
  }

  add(route: RegisteredRoute): void {
    const { method, pattern, owner } = route;
    this.assertOpen(`route ${method} ${pattern.text}`);
    const holder = findHolder(this.reserved, pattern.text);
    if (holder && holder.owner !== owner) {
      throw new RouteError(
        `The route ${method} ${pattern.text} cannot be registered${placeOf(route)}: the prefix ${holder.prefix} is reserved for ${holder.owner}.`,
      );
    }
    const key = `${route.isUpgrade ? "UPGRADE" : method} ${pattern.shape}`;
    const other = this.byShape.get(key);
    if (other) {
      throw new RouteError(
        `The route ${method} ${pattern.text} cannot be registered${placeOf(route)}: ${other.owner} has already registered ${method} ${other.pattern.text}${placeOf(other)}.`,
      );
    }
    this.byShape.set(key, route);
    this.routes.push(route);
  }
}

/** The location of the registration, as the end of a sentence. */
function placeOf({ source }: RegisteredRoute): string {
  return source ? ` at ${showLocation(source)}` : "";
}
