import { systemClock } from "../../lib/time/clock.ts";
import { createLongCall } from "../../lib/worker/long-call.ts";
import type { Served } from "../../lib/worker/serve-worker.ts";
import type { BackgroundContext, MigrationSet } from "../../storage/index.ts";
import type { HistoryCalls, HistoryData } from "./history/calls.ts";
import { History } from "./history/history.ts";
import { metricMigrations } from "./history/tables.ts";
import { watchStalls } from "./stalls/stall-watcher.ts";

/** The history runs in the background thread. */
export const migrations: MigrationSet = metricMigrations;

export function serve({ database, data, report }: BackgroundContext<HistoryData>): Served<HistoryCalls> {
  const { stallWatch, ...options } = data;
  const history = new History({ ...options, database, report, clock: systemClock });
  const watcher = stallWatch && watchStalls(stallWatch);
  return {
    handlers: {
      record: (second, errors, recent) => history.record(second, errors, recent),
      beat: (status) => history.instances.beat(status),
      leave: () => history.instances.leave(),
      addStall: (stall) => history.addStall(stall),
      stalls: (query) => history.stalls(query),
      requests: (query) => history.requests(query),
      routes: (query) => history.routes(query),
      slowest: (query) => history.slowest(query),
      system: (query) => history.system(query),
      trafficIssues: (query, limits) => history.trafficIssues(query, limits),
      errors: (query, filter) => history.listErrors(query, filter),
      error: (fingerprint, query) => history.findError(fingerprint, query),
      instances: () => history.instances.list(),
      fleetRequests: (query) => history.fleet.find(query),
      size: () => history.size(),
      limit: (maxBytes) => history.limit(maxBytes),
      maintain: createLongCall(() => history.maintain(), systemClock),
    },
    close() {
      watcher?.close();
      return history.close();
    },
  };
}
