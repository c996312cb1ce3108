import { defineFeature } from "../../feature/index.ts";
import { visitorsOptions } from "./options.ts";
import { visitorStore } from "./tables.ts";
import { createVisitors, visitorsService } from "./visitors.ts";

/**
 * Anonymous statistics of page views, visitors and sessions, with referrers, browsers and bots. Counted in the
 * background thread, without cookies and without storing addresses or user agents.
 *
 * ```ts
 * const background = createBackground({ database, services: { visitors: visitorsService } });
 * const visitors = createVisitors({ service: background.service("visitors"), clock: systemClock, options });
 * visitors.observe(createEvents(listener.observer));
 * visitors.mount(listener.routes.router("Annex"));
 * ```
 */
export const visitors = defineFeature({
  name: "visitors",
  stores: [visitorStore],
  conditions: [
    { id: "lost page_views", condition: "Page views were lost in the last five minutes", degraded: "yes" },
  ],
  options: [visitorsOptions],
  create({ background, clock, events, options, redactor, reports }) {
    const service = background.register("visitors", visitorsService);
    const visitors = createVisitors({ service, clock, options, redactor });
    visitors.observe(events);
    reports.jobs.add(...visitors.jobs);
    reports.storeStates.add(async () => ({
      store: visitorStore.name,
      ...(await service.call("limitState")),
    }));
    reports.dropped.add({
      name: "page_views",
      title: "Page views",
      about: "Too many arrived in one second to count each one, so the visitor numbers are too low.",
      loss: "page views",
      count: () => visitors.status().dropped,
    });
    return visitors;
  },
});
