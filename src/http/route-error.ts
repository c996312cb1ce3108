/** Thrown when a route cannot be registered. The stack points to the registration. */
export class RouteError extends Error {
  override readonly name = "RouteError";
}
