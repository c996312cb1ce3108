import { createAccess } from "../../src/access/index.ts";
import { features } from "../../src/app/features.ts";
import { createAuth } from "../../src/auth/index.ts";
import { createCron } from "../../src/cron/index.ts";
import { Docs } from "../../src/docs/index.ts";
import { RouteTable } from "../../src/http/router.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { Metrics, type MetricsOptions } from "../../src/metrics/index.ts";
import { createSettings, type SettingsOptions } from "../../src/settings/index.ts";
import { createVisitors, visitorsDefaults } from "../../src/visitors/index.ts";

/** A route of Annex itself. */
export interface OwnRoute {
  readonly method: string;
  readonly path: string;
  readonly isForSuperusers: boolean;
}

/** All routes of Annex, as an application registers them. */
export function listOwnRoutes(): OwnRoute[] {
  const table = new RouteTable();
  const unneeded = () => Promise.reject(new Error("not needed"));
  const parts = {
    auth: createAuth({ database: unneeded, clock: systemClock }),
    access: createAccess({
      database: unneeded,
      clock: systemClock,
      instance: "web-1",
      log: () => {},
      retentionDays: 90,
    }),
    metrics: new Metrics({ clock: systemClock } as MetricsOptions),
    visitors: createVisitors({
      background: { post() {}, ask: unneeded },
      clock: systemClock,
      options: visitorsDefaults,
    }),
    searchLogs: unneeded,
    cron: createCron({
      database: unneeded,
      clock: systemClock,
      logger: console,
      timezone: "UTC",
      retentionMs: 1,
    }),
    docs: new Docs(),
    settings: createSettings({ clock: systemClock } as SettingsOptions),
  };
  for (const feature of features) feature.mount?.(table.router("Annex"), parts);
  return table.routes.map(({ method, pattern, notes }) => ({
    method,
    path: pattern.text,
    isForSuperusers: notes.some(({ auth }) => auth === "superuser"),
  }));
}
