import { type Query, type QueryOptions, useQuery } from "../data/query.ts";
import {
  fromRecent,
  fromRecord,
  type LogRecord,
  type RecentAnswer,
  type RecordPage,
  type RequestRow,
} from "../data/records.ts";
import type { Header } from "./curl.ts";

/** All available data about one trace, from memory and from the log. */

export interface Beside {
  readonly trace_id: string;
  readonly method: string;
  readonly path: string;
  readonly route?: string;
  readonly status: number;
  readonly started_at: number;
  readonly duration_ms: number;
}

export type RequestDetail = RecentAnswer & {
  readonly instance: string;
  readonly headers: readonly Header[];
  /** Other requests in flight at the same time. */
  readonly in_flight: readonly Beside[];
};

export interface TriggeredRun {
  readonly id: string;
  readonly job_id: string;
  readonly job_name: string;
  readonly status: string;
  readonly start_time: string;
  readonly duration_ms?: number;
  readonly trigger: string;
}

export interface Trace {
  /** The request as it is in the memory of the instance. */
  readonly detail: RequestDetail | undefined;
  /** The request, from memory or from its record; undefined if neither has it. */
  readonly request: RequestRow | undefined;
  /** In the order in which they were written. */
  readonly records: readonly LogRecord[];
  readonly recording: RecordPage["recording"] | undefined;
  readonly runs: readonly TriggeredRun[];
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
  const ring = useQuery<{ requests: readonly RecentAnswer[] }>("/_/_/data/recent", { trace, limit: 1 });
  const isKnown = ring.data !== undefined && ring.data.requests.length > 0;
  const detail = useQuery<RequestDetail>(isKnown ? `/_/_/data/requests/${trace}` : null);
  const again = whileFresh(detail.data?.time ?? 0);
  const logs = useQuery<RecordPage>("/_/_/data/logs", { trace, limit: mostRecords }, again);
  const runs = useRuns(trace);
  const records = [...(logs.data?.items ?? [])].reverse();
  const recorded = records.find(({ event }) => event === "http_request");
  const isHalf = isKnown && detail.data === undefined && detail.error === undefined;
  return {
    detail: detail.data,
    request: detail.data ? fromRecent(detail.data) : recorded && fromRecord(recorded),
    records,
    recording: logs.data?.recording,
    runs: runs.data?.items ?? [],
    isLoading: isHalf || [ring, logs].some(({ data, error }) => data === undefined && error === undefined),
    error: ring.error ?? logs.error ?? runs.error,
    reload() {
      for (const query of [ring, logs, runs]) query.reload();
    },
  };
}

/** Runs that the request started. Reloads while one of them is in progress. */
function useRuns(trace: string): Query<{ items: readonly TriggeredRun[] }> {
  const path = `/_/_/data/cron/logs?trace_id=${trace}&view=full&perPage=20`;
  const first = useQuery<{ items: readonly TriggeredRun[] }>(path);
  const isRunning = first.data?.items.some(({ status }) => status === "running") ?? false;
  const later = useQuery<{ items: readonly TriggeredRun[] }>(
    isRunning ? path : null,
    {},
    { every: 3_000, evenPaused: true },
  );
  return later.data ? { ...first, data: later.data } : first;
}
