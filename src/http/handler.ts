import type { RouteNotes } from "../lib/route-notes.ts";
import type { RequestEvent } from "./event.ts";

/**
 * A function that serves a request: it answers through the event and may throw. In middleware it may also pass the
 * request on with `e.next()`.
 */
export type Handler<Params extends string = string> = (e: RequestEvent<Params>) => unknown;

/** Middleware that says more about itself than a plain function can. */
export interface MiddlewareHandler<Params extends string = string> {
  /** A name for messages; the same ID bound twice on one route replaces the earlier one. */
  id?: string;
  /** Lower runs earlier; default 0. Among equals: the router's before the route's, and in the order they were bound. */
  priority?: number;
  /** What the documentation says of the routes that have it. */
  documents?: RouteNotes;
  func: Handler<Params>;
}

export type Middleware<Params extends string = string> = Handler<Params> | MiddlewareHandler<Params>;
