import { defineFeature } from "../../feature/index.ts";
import { createAccess } from "./access.ts";
import { accessOptions } from "./options.ts";
import { accessStore } from "./tables.ts";

/**
 * The access log: sign-ins, failed sign-ins, refused requests and changes to superusers. Events are merged, limited and
 * stored off the request path, logged, counted for Prometheus, and shown on the dashboard.
 *
 * ```ts
 * const access = createAccess({ database, clock: systemClock, instance: "web-1", log, options });
 * const auth = createAuth({ ...options, onAccess: access.record });
 * access.observe(createEvents(listener.observer));
 * access.mount(router);
 * ```
 */
export const access = defineFeature({
  name: "access",
  stores: [accessStore],
  options: [accessOptions],
  observeAccounts({ clock, database, detail, instance, options, warn }) {
    const access = createAccess({
      database,
      clock,
      instance,
      options,
      log: (level, message) => void (level === "warn" && warn(message)),
    });
    return { onAccess: (event) => access.record({ detail, ...event }), close: access.close };
  },
  create({ storage, clock, instance, logger, options, events, reports }) {
    const access = createAccess({
      database: storage.database,
      clock,
      instance,
      log: logger.write,
      options,
    });
    events.on("access.recorded", access.record);
    access.observe(events);
    reports.jobs.add(...access.jobs);
    reports.storeStates.add(async () => access.limitState());
    reports.counters.add(() => ({
      name: "access_events",
      help: "Sign-ins, failed sign-ins, refusals and account changes, by kind.",
      label: "kind",
      values: access.counts,
    }));
    return access;
  },
});
