import type { RequestEvent } from "../http/index.ts";

/**
 * Whether a page of this very origin sent the request. A browser says so in `Sec-Fetch-Site`, which no page can set.
 * Over plain HTTP to another machine it leaves that out, and `Origin` tells.
 */
export function isSameOrigin(e: RequestEvent): boolean {
  const site = e.header("sec-fetch-site");
  return site === undefined ? e.header("origin") === e.url.origin : site === "same-origin";
}

/** Whether the method is one that changes nothing. */
export function isSafe({ method }: RequestEvent): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

const crossSite = new WeakSet<RequestEvent>();

/** Remembers that a session was left out of account, so that whoever needs an identity can say why there is none. */
export function markCrossSite(e: RequestEvent): void {
  crossSite.add(e);
}

export function isCrossSite(e: RequestEvent): boolean {
  return crossSite.has(e);
}
