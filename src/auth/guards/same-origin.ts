import type { RequestEvent } from "../../http/index.ts";

/**
 * Whether a page of the same origin sent the request. Browsers set `Sec-Fetch-Site`, which pages cannot change. Over
 * plain HTTP to another machine, they omit it, and `Origin` is used instead.
 */
export function isSameOrigin(e: RequestEvent): boolean {
  const site = e.header("sec-fetch-site");
  return site === undefined ? e.header("origin") === e.url.origin : site === "same-origin";
}

/** Whether the request is safe: it changes nothing. A WebSocket can, although its handshake has the method GET. */
export function isSafe(e: RequestEvent): boolean {
  const { method } = e;
  if (method === "GET") return e.header("upgrade")?.toLowerCase() !== "websocket";
  return method === "HEAD" || method === "OPTIONS";
}

const crossSite = new WeakSet<RequestEvent>();

/** Marks a request whose session was ignored because it is cross-site, so that a guard can report the reason. */
export function markCrossSite(e: RequestEvent): void {
  crossSite.add(e);
}

export function isCrossSite(e: RequestEvent): boolean {
  return crossSite.has(e);
}
