/**
 * Who looks at the application's pages: views, visitors, sessions, where they came from, with what, and which of them
 * are programs. Counted in the background thread, without a cookie, and without keeping an address or an agent.
 *
 * ```ts
 * const background = createBackground({ database, services: { visitors: visitorsService } });
 * const visitors = createVisitors({ background, clock: systemClock, options: visitorsDefaults });
 * visitors.observe(listener.observer);
 * visitors.mount(listener.routes.router("Annex"));
 * ```
 */
export {
  createVisitors,
  type Visitors,
  type VisitorsOptions,
  type VisitorsParts,
  type VisitorsStatus,
  visitorsDefaults,
  visitorsService,
} from "./visitors.ts";
