import type { RunBar } from "../../../src/features/cron/wire.ts";
import type { LogRecord } from "../../../src/features/logging/wire.ts";
import type { Stall } from "../../../src/features/metrics/wire/stalls.ts";
import type {
  ErrorDetail,
  PastHealth,
  RequestSeries,
  RouteTable,
  SlowRequest,
} from "../../../src/features/metrics/wire.ts";
import type { Change, SettingsLimits } from "../../../src/features/settings/wire.ts";
import { get } from "../data/api.ts";
import type { TimeWindow } from "../state/time-window.ts";

/** What happened in a period, for people without access to the dashboard. The server has redacted secrets. */
export interface Incident extends TimeWindow {
  /** The address of the dashboard with this period. */
  readonly address: string;
  readonly savedAt: number;
  readonly health: PastHealth;
  readonly requests: RequestSeries;
  readonly routes: RouteTable;
  readonly errors: readonly ErrorDetail[];
  readonly slowest: readonly SlowRequest[];
  /** Blocks of the event loop, newest first. */
  readonly stalls: readonly Stall[];
  /** Warnings and errors, newest first. */
  readonly records: readonly LogRecord[];
  readonly runs: readonly RunBar[];
  readonly changes: readonly Change[];
}

const mostErrors = 20;
const mostRecords = 500;
const mostChanges: SettingsLimits["changes"] = 500;
const points = 180;

/** Reads everything about a period. Fails if any part of it cannot be read: a file with gaps would mislead. */
export async function collectIncident(
  { from, to }: TimeWindow,
  instance: string | undefined,
): Promise<Incident> {
  const params = { from, to, instance };
  const [health, requests, routes, errors, slowest, stalls, records, timeline, changes] = await Promise.all([
    get("/_/_/data/health", params),
    get("/_/_/data/requests", { ...params, points, compare: "true", smooth: "true" }),
    get("/_/_/data/routes", { ...params, compare: "true" }),
    get("/_/_/data/errors", params).then(({ errors: found }) =>
      Promise.all(
        found
          .slice(0, mostErrors)
          .map(({ fingerprint }) => get("/_/_/data/errors/{fingerprint}", { ...params, fingerprint })),
      ),
    ),
    get("/_/_/data/slowest", params),
    get("/_/_/data/stalls", { ...params, limit: mostRecords }),
    get("/_/_/data/logs", { ...params, level: "warn", limit: mostRecords }),
    get("/_/_/data/cron/timeline", { from, to }),
    get("/_/_/data/changes", { from, to, limit: mostChanges }),
  ]);
  return {
    from,
    to,
    address: `${location.origin}/_/_?from=${from}&to=${to}`,
    savedAt: Date.now(),
    health,
    requests,
    routes,
    errors,
    slowest: slowest.requests,
    stalls: stalls.stalls,
    records: records.items,
    runs: timeline.runs,
    changes: changes.changes,
  };
}
