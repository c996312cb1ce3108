import type { Run, RunPage } from "../../../src/features/cron/wire.ts";
import type { LogRecord, Recording } from "../../../src/features/logging/wire.ts";
import type { Stall } from "../../../src/features/metrics/wire/stalls.ts";
import type { RequestDetail } from "../../../src/features/metrics/wire.ts";
import { fromRecent, fromRecord, type RequestRow } from "../data/request-rows.ts";
import { type Query, type QueryOptions, useQuery } from "../state/query.ts";

/** All available data about one trace, from memory and from the log. */

export interface Trace {
  /** The request as it is in the memory of the instance. */
  readonly detail: RequestDetail | undefined;
  /** The request, from memory or from its record; undefined if neither has it. */
  readonly request: RequestRow | undefined;
  /** In the order in which they were written. */
  readonly records: readonly LogRecord[];
  readonly recording: Recording | undefined;
  readonly runs: readonly Run[];
  /** Blocks of the event loop by the request or its runs. */
  readonly stalls: readonly Stall[];
  readonly isLoading: boolean;
  readonly error: Error | undefined;
  reload(): void;
}

/** The last records of a recent request may not be stored yet, and it may not be included in all metrics. */
const freshMs = 30_000;
const mostRecords = 500;

/** Reloads while more data about a request or record of this time may arrive. */
export function whileFresh(time: number): QueryOptions {
  return Date.now() - time < freshMs ? { every: 2_000, evenPaused: true } : {};
}

export function useTrace(trace: string): Trace {
  // The list route returns an empty list for an unknown trace; the detail route would return an error.
  const ring = useQuery("/_/_/data/recent", { trace, limit: 1 });
  const isKnown = ring.data !== undefined && ring.data.requests.length > 0;
  const detail = useQuery(isKnown ? "/_/_/data/requests/{trace_id}" : null, { trace_id: trace });
  const again = whileFresh(detail.data?.time ?? 0);
  const logs = useQuery("/_/_/data/logs", { trace, limit: mostRecords }, again);
  const runs = useRuns(trace);
  const stalls = useQuery("/_/_/data/stalls", { trace, from: 0 }, again);
  const records = [...(logs.data?.items ?? [])].reverse();
  const recorded = records.find(({ event }) => event === "http_request");
  const isHalf = isKnown && detail.data === undefined && detail.error === undefined;
  return {
    detail: detail.data,
    request: detail.data ? fromRecent(detail.data) : recorded && fromRecord(recorded),
    records,
    recording: logs.data?.recording,
    runs: runs.data?.items ?? [],
    stalls: stalls.data?.stalls ?? [],
    isLoading: isHalf || [ring, logs].some(({ data, error }) => data === undefined && error === undefined),
    error: ring.error ?? logs.error ?? runs.error,
    reload() {
      for (const query of [ring, logs, runs]) query.reload();
    },
  };
}

/** Runs that the request started. Reloads while one of them is in progress. */
function useRuns(trace: string): Query<RunPage> {
  const params = { trace_id: trace, perPage: 20 };
  const first = useQuery("/_/_/data/cron/logs?view=full", params, { key: trace });
  const isRunning = first.data?.items.some(({ status }) => status === "running") ?? false;
  const later = useQuery(isRunning ? "/_/_/data/cron/logs?view=full" : null, params, {
    key: trace,
    every: 3_000,
    evenPaused: true,
  });
  return later.data ? { ...first, data: later.data } : first;
}
