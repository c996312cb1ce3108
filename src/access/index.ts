/**
 * The access log: sign-ins, failed sign-ins, refused requests and changes to superusers. Events are merged, limited and
 * stored off the request path, logged, counted for Prometheus, and shown on the dashboard.
 *
 * ```ts
 * const access = createAccess({ database, clock: systemClock, instance: "web-1", log, retentionDays: 90 });
 * const auth = createAuth({ ...options, onAccess: access.record });
 * access.observe(listener.observer);
 * access.mount(router);
 * ```
 */
export { type Access, type AccessOptions, createAccess } from "./access.ts";
export { accessMigrations } from "./tables.ts";
