import type { MiddlewareHandler } from "./handler.ts";

/** Middleware for responses that must not be cached, such as the audit log. */
export const neverCached: MiddlewareHandler = {
  id: "neverCached",
  // Runs before guards, so that their error responses are not cached either.
  priority: -1,
  func(e) {
    e.setHeader("Cache-Control", "no-store");
    return e.next();
  },
};
