import type { RouteNotes } from "../lib/route-notes.ts";
import type { RequestEvent } from "./event.ts";

/**
 * Handles a request. Sends a response with a method of the event, or throws. Middleware calls `e.next()` to continue.
 *
 * ```ts
 * const hello: Handler<"name"> = (e) => e.json(200, { hello: e.pathValue("name") });
 * ```
 */
export type Handler<Params extends string = string> = (e: RequestEvent<Params>) => unknown;

/** Middleware with an ID, a priority or documentation. */
export interface MiddlewareHandler<Params extends string = string> {
  /** Name of the middleware. Binding the same ID again on a route or router replaces the earlier one. */
  id?: string;
  /**
   * Lower priorities run first, equal ones in the order of binding, those of the router before the route's. Default 0.
   */
  priority?: number;
  /**
   * Whether it also runs for requests below the router's prefix that match no route: `404`, `405` and `OPTIONS`.
   * `router.use` sets it. Default `false`.
   */
  unmatched?: boolean;
  /** Documentation for the routes that use this middleware. */
  documents?: RouteNotes;
  /** The function to run. */
  func: Handler<Params>;
}

/** A function, or an object with a function and its options. */
export type Middleware<Params extends string = string> = Handler<Params> | MiddlewareHandler<Params>;
