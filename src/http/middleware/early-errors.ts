import type { RequestEvent } from "../event.ts";
import type { Handler } from "../handler.ts";

const setters = new WeakMap<Handler, Handler>();

/**
 * Sets a function that adds the headers of a middleware function to responses to requests that fail before any
 * middleware runs, for example because `app.authenticate` throws.
 */
export function onEarlyError(middleware: Handler, setHeaders: Handler): void {
  setters.set(middleware, setHeaders);
}

/** Adds the headers of the route's middleware. Call it if the request failed before the middleware ran. */
export async function addEarlyHeaders(e: RequestEvent): Promise<void> {
  for (const func of e.route.functions) await setters.get(func)?.(e);
}
