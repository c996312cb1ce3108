import { acceptsGzip } from "./gzip.ts";
import type { MiddlewareHandler } from "./handler.ts";

/**
 * Middleware that compresses responses for clients that accept gzip. For data of the dashboard: only a superuser's own
 * pages can read it, so an attacker cannot learn secrets from the sizes of responses.
 */
export const compressed: MiddlewareHandler = {
  id: "compressed",
  priority: -1,
  func(e) {
    e.setHeader("Vary", "Accept-Encoding");
    if (acceptsGzip(e.header("accept-encoding"))) e.compress();
    return e.next();
  },
};
