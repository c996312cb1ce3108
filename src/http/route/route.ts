import type { RoutePattern } from "./pattern.ts";
import type { RouteCheck } from "./route-check.ts";

/** A registered route. Code that does not call its functions can ignore the type parameter. */
export interface Route<Event = never> {
  /** Position among the routes of the server, from 1; 0 for unregistered routes. Used for metrics by route. */
  readonly index: number;
  readonly method: string;
  readonly pattern: RoutePattern;
  /** The owner of the route, for messages: "the application" or "Annex". */
  readonly owner: string;
  /** Whether accepted requests are excluded from logs and metrics, as those for the data of the dashboard. */
  readonly uncounted: boolean;
  /** Whether the handler expects an object as the body. Other bodies are rejected. */
  readonly takesObject?: boolean;
  /** Whether the handler expects a form with files as the body. Bodies of other types are rejected. */
  readonly takesFiles?: boolean;
  /** Checks requests to a route with `checked()`. A function while the check is not known yet. */
  readonly check?: RouteCheck | (() => Promise<RouteCheck>) | undefined;
  /** Middleware and handler, in the order of execution. Fixed once the server is ready. */
  readonly functions: readonly ((e: Event) => unknown)[];
  /** The middleware of its routers, which also runs for OPTIONS requests. */
  readonly sharedFunctions: readonly ((e: Event) => unknown)[];
}
