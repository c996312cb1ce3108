import type { MiddlewareHandler, RequestEvent } from "../../http/index.ts";
import { CROSS_SITE_REQUEST } from "../errors.ts";

/**
 * Middleware that rejects requests from pages of other origins, before they are counted. API clients send neither
 * `Sec-Fetch-Site` nor `Origin` and are accepted.
 */
export function refuseForeignOrigin(): MiddlewareHandler {
  return {
    id: "refuseForeignOrigin",
    func(e) {
      if (isForeign(e)) throw CROSS_SITE_REQUEST();
      return e.next();
    },
  };
}

/** Over plain HTTP to another machine, browsers omit `Sec-Fetch-Site` and send only `Origin`. */
function isForeign(e: RequestEvent): boolean {
  const site = e.header("sec-fetch-site");
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const origin = e.header("origin");
  return origin !== undefined && origin !== e.url.origin;
}
