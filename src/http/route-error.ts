/** A route that cannot be registered as written. Thrown where the route is registered, so that the stack points there. */
export class RouteError extends Error {
  override readonly name = "RouteError";
}
