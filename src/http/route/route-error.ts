/** Thrown when a route cannot be registered. The stack points to the registration. */
export class RouteError extends Error {
  /** Always `"RouteError"`. */
  override readonly name = "RouteError";
}
