import type { RoutePattern } from "./pattern.ts";

/** One registered route. Whoever only looks at it need not know what its functions take. */
export interface Route<Event = never> {
  /** Its place among the routes of its server, from 1; 0 for one that nobody registered. For those who count by route. */
  readonly index: number;
  readonly method: string;
  readonly pattern: RoutePattern;
  /** Who registered it, for messages: "the application" or a part of Annex. */
  readonly owner: string;
  /** True for our own feeds, which would otherwise show up in what they show. */
  readonly uncounted: boolean;
  /** Whether its handler is known to take an object as its body, so that anything else is refused. */
  readonly takesObject?: boolean;
  /** Everything that runs, in order, the handler last. Fixed once the server is ready. */
  readonly functions: readonly ((e: Event) => unknown)[];
  /** What runs of it for a request that only asks for options: the middleware of its routers. */
  readonly sharedFunctions: readonly ((e: Event) => unknown)[];
}
