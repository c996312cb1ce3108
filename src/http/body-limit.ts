import type { MiddlewareHandler } from "./handler.ts";

/**
 * Middleware that overrides the maximum size of the request body for a route.
 *
 * ```ts
 * router.post("/uploads", upload).bind(bodyLimit(50_000_000));
 * ```
 */
export function bodyLimit(bytes: number): MiddlewareHandler {
  if (!Number.isSafeInteger(bytes) || bytes < 0) {
    throw new TypeError(`bodyLimit expects a number of bytes, got ${String(bytes)}.`);
  }
  return {
    id: "bodyLimit",
    // Runs before any middleware that reads the body.
    priority: -1000,
    func(e) {
      e.limitBody(bytes);
      return e.next();
    },
  };
}
