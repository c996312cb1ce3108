import type { ObservedRequest } from "../observation/observed-request.ts";
import type { Route } from "../route/route.ts";

/** Further patterns are counted as unknown ones. Applications may create routes all the time. */
const maxPatterns = 2_000;

const unknownPattern = "(unknown route)";

/**
 * The routes of an application on another server, by method and pattern. Metrics are stored by route, so requests whose
 * pattern is not known share one route per method.
 */
export class HostRoutes {
  private readonly byMethod = new Map<string, Map<string, Route>>();
  private nextIndex: number;
  private patterns = 0;

  /** `firstIndex`: the first number that is not the index of one of Annex's own routes. */
  constructor(firstIndex: number) {
    this.nextIndex = firstIndex;
  }

  /** The route with this pattern. Without one, the shared route of unknown patterns, or none if nothing was found. */
  find(observed: ObservedRequest, pattern: string | undefined): Route | undefined {
    // HEAD requests are handled by the routes for GET.
    const method = observed.method === "HEAD" ? "GET" : observed.method;
    if (pattern !== undefined) return this.get(method, pattern);
    return observed.statusCode === 404 ? undefined : this.get(method, unknownPattern);
  }

  private get(method: string, pattern: string): Route {
    let routes = this.byMethod.get(method);
    if (routes === undefined) {
      routes = new Map();
      this.byMethod.set(method, routes);
    }
    const known = routes.get(pattern);
    if (known !== undefined) return known;
    if (pattern !== unknownPattern && this.patterns >= maxPatterns) return this.get(method, unknownPattern);
    const route = createRoute(this.nextIndex++, method, pattern);
    this.patterns++;
    routes.set(pattern, route);
    return route;
  }
}

function createRoute(index: number, method: string, text: string): Route {
  return {
    index,
    method,
    pattern: { text, names: [], rest: undefined, url: text, shape: text },
    owner: "the application",
    uncounted: false,
    functions: [],
    sharedFunctions: [],
  };
}
