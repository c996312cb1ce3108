/** The name under which the server counts requests without a route. It is also used in queries. */
export const unmatchedRoute = "(no route)";

/** A route as it is shown. */
export function formatRoute(route: string): string {
  return route.replace(unmatchedRoute, "Unmatched (404)");
}
