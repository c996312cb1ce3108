import type { MiddlewareHandler } from "./handler.ts";

/** Middleware for answers that are nothing for a cache on the way: who did what, and when. */
export const neverCached: MiddlewareHandler = {
  id: "neverCached",
  // Before a guard refuses, so that a refusal is not kept either.
  priority: -1,
  func(e) {
    e.setHeader("Cache-Control", "no-store");
    return e.next();
  },
};
