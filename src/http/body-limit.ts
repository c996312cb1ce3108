import type { MiddlewareHandler } from "./handler.ts";

/** Middleware that sets the most bytes a route's request body may have, in place of the server's limit. */
export function bodyLimit(bytes: number): MiddlewareHandler {
  if (!Number.isSafeInteger(bytes) || bytes < 0) {
    throw new TypeError(`bodyLimit takes a number of bytes, not ${String(bytes)}.`);
  }
  return {
    id: "bodyLimit",
    // Ahead of whatever may read the body.
    priority: -1000,
    func(e) {
      e.limitBody(bytes);
      return e.next();
    },
  };
}
