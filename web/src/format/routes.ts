/** The name under which the server counts requests without a route. It is also used in queries. */
export const unmatchedRoute = "(no route)";

/** The pattern under which the server counts requests whose route another framework does not say. */
export const unknownPattern = "(unknown route)";

/**
 * Whether paths can be searched by the route's pattern. On another framework, the pattern may be unknown, begin with an
 * unknown part as in `/…/users`, or be a regular expression.
 */
export function hasPathPattern(route: string): boolean {
  return /^([A-Z-]+ )?\/(?![…(])/.test(route);
}

/** A route as it is shown. */
export function formatRoute(route: string): string {
  return route.replace(unmatchedRoute, "Unmatched (404)").replace(unknownPattern, "Unknown route");
}
