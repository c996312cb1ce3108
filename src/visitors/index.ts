/**
 * Anonymous statistics of page views, visitors and sessions, with referrers, browsers and bots. Counted in the
 * background thread, without cookies and without storing addresses or user agents.
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
