import type { RequestEvent } from "../../http/index.ts";

/**
 * Whether a page of the same origin sent the request. Browsers set `Sec-Fetch-Site`, which pages cannot change. Over
 * plain HTTP to another machine, they omit it, and `Origin` is used instead.
 */
export function isSameOrigin(e: RequestEvent): boolean {
  const site = e.header("sec-fetch-site");
  return site === undefined ? e.header("origin") === e.url.origin : site === "same-origin";
}

/** Whether the method is safe: it changes nothing. */
export function isSafe({ method }: RequestEvent): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

const crossSite = new WeakSet<RequestEvent>();

/** Marks a request whose session was ignored because it is cross-site, so that a guard can report the reason. */
export function markCrossSite(e: RequestEvent): void {
  crossSite.add(e);
}

export function isCrossSite(e: RequestEvent): boolean {
  return crossSite.has(e);
}
