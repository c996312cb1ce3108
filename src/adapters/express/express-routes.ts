import type { IncomingMessage } from "node:http";
import type { HostRoute } from "../adapter.ts";
import { createPatternTest, describePath, joinPatterns } from "../patterns.ts";
import {
  type ExpressApplication,
  type ExpressRoute,
  noteRouter,
  type Router,
  routerOf,
} from "./application.ts";
import { innerRouter, mountPatterns } from "./layers.ts";

/** A request that Express has handled. */
interface ExpressRequest extends IncomingMessage {
  /** The last route that was tried. */
  readonly route?: ExpressRoute | null;
}

/** How often the routes are read again, at most. An application that creates routes per request must not slow down. */
const minIntervalMs = 1_000;

/**
 * The patterns of the routes in an Express application.
 *
 * A request has its route, but not the path to it: `req.baseUrl` has the values of the request. So all routers are read
 * when Annex is attached, and again when a request has a route that is not known yet.
 */
export class ExpressRoutes {
  private readonly app: ExpressApplication;
  private readonly onRoutes: (routes: HostRoute[]) => void;
  private patterns = new WeakMap<ExpressRoute, readonly string[]>();
  private readAt = Number.NEGATIVE_INFINITY;
  /** The number of layers in the router of the application, when it was read. */
  private layers = 0;

  constructor(app: ExpressApplication, onRoutes: (routes: HostRoute[]) => void) {
    this.app = app;
    this.onRoutes = onRoutes;
    this.read();
  }

  patternOf({ route }: ExpressRequest, path: string): string | undefined {
    if (route === undefined || route === null) return undefined;
    const patterns = this.patterns.get(route) ?? this.readAgain(route);
    if (patterns.length <= 1) return patterns[0];
    return patterns.find((pattern) => createPatternTest(pattern)(path)) ?? patterns[0];
  }

  private readAgain(route: ExpressRoute): readonly string[] {
    noteRouter(this.app);
    const hasGrown = countLayers(this.app) !== this.layers;
    if (hasGrown || performance.now() - this.readAt >= minIntervalMs) this.read();
    // Otherwise, the route is in a router that only a function of the application knows.
    return this.patterns.get(route) ?? describePath(route.path).map((pattern) => `/…${pattern}`);
  }

  read(): void {
    const found = new Map<ExpressRoute, string[]>();
    const routes: HostRoute[] = [];
    eachRoute(routerOf(this.app), [""], [], (route, prefixes) => {
      const patterns = joinPatterns(prefixes, describePath(route.path));
      found.set(route, [...(found.get(route) ?? []), ...patterns]);
      routes.push(...patterns.flatMap((pattern) => methodsOf(route).map((method) => ({ method, pattern }))));
    });
    this.patterns = new WeakMap(found);
    this.readAt = performance.now();
    this.layers = countLayers(this.app);
    this.onRoutes(routes);
  }
}

function countLayers(app: ExpressApplication): number {
  return routerOf(app)?.stack.length ?? 0;
}

function methodsOf({ methods = {} }: ExpressRoute): (string | undefined)[] {
  return methods._all ? [undefined] : Object.keys(methods).map((method) => method.toUpperCase());
}

function eachRoute(
  router: Router | undefined,
  prefixes: readonly string[],
  above: readonly Router[],
  visit: (route: ExpressRoute, prefixes: readonly string[]) => void,
): void {
  // A router can contain itself.
  if (router === undefined || above.includes(router)) return;
  for (const layer of router.stack) {
    if (layer.route) visit(layer.route, prefixes);
    const inner = innerRouter(layer);
    if (inner) eachRoute(inner, joinPatterns(prefixes, mountPatterns(layer)), [...above, router], visit);
  }
}
