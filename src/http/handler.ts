import type { RouteNotes } from "../lib/route-notes.ts";
import type { RequestEvent } from "./event.ts";
import type { HandlerResult } from "./sent-response.ts";

/**
 * Handles a request. Sends a response with a method of the event, or throws. Middleware calls `e.next()` to continue.
 *
 * ```ts
 * const hello: Handler<"name"> = (e) => e.json(200, { hello: e.pathValue("name") });
 * ```
 */
export type Handler<Params extends string = string> = (e: RequestEvent<Params>) => unknown;

/** A handler whose result `R` is checked by the compiler. */
export type CheckedHandler<Params extends string, R> = (e: RequestEvent<Params>) => R & HandlerResult<R>;

/** Functions whose results are checked by the compiler. */
export type CheckedHandlers<Params extends string, R extends unknown[]> = {
  [K in keyof R]: CheckedHandler<Params, R[K]>;
};

/** Middleware whose results are checked by the compiler. */
export type CheckedMiddleware<Params extends string, R extends unknown[]> = {
  [K in keyof R]: CheckedHandler<Params, R[K]> | MiddlewareHandler<Params>;
};

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
