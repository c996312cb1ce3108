import { systemClock } from "../../lib/time/clock.ts";
import type { Served } from "../../lib/worker/serve-worker.ts";
import type { BackgroundContext, MigrationSet } from "../../storage/index.ts";
import type { HistoryCalls, HistoryData } from "./history/calls.ts";
import { History } from "./history/history.ts";
import { metricMigrations } from "./history/tables.ts";

/** The history runs in the background thread. */
export const migrations: MigrationSet = metricMigrations;

export function serve({ database, data, report }: BackgroundContext<HistoryData>): Served<HistoryCalls> {
  const history = new History({ ...data, database, report, clock: systemClock });
  return {
    handlers: {
      record: (second, errors) => history.record(second, errors),
      requests: (query) => history.requests(query),
      routes: (query) => history.routes(query),
      slowest: (query) => history.slowest(query),
      system: (query) => history.system(query),
      trafficIssues: (query, limits) => history.trafficIssues(query, limits),
      errors: (query, filter) => history.listErrors(query, filter),
      error: (fingerprint, query) => history.findError(fingerprint, query),
      instances: () => history.instances(),
      size: () => history.size(),
      limit: (maxBytes) => history.limit(maxBytes),
      maintain: () => history.maintain(),
    },
    close: () => history.close(),
  };
}
