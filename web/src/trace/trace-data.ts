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

/** Everything that is known of one trace, from wherever it is known. */

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
  /** What else was under way. */
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
  /** What the memory of the instance still has of the request. */
  readonly detail: RequestDetail | undefined;
  /** The request, from there or from its record; undefined where neither has it. */
  readonly request: RequestRow | undefined;
  /** In the order in which they were written. */
  readonly records: readonly LogRecord[];
  readonly recording: RecordPage["recording"] | undefined;
  readonly runs: readonly TriggeredRun[];
  readonly isLoading: boolean;
  readonly error: Error | undefined;
  reload(): void;
}

/** Of a request that has just ended, the last records are still on their way, and it is not yet counted everywhere. */
const freshMs = 30_000;
const mostRecords = 500;

/** Asks again for as long as more may be known of a request or a record of this time. */
export function whileFresh(time: number): QueryOptions {
  return Date.now() - time < freshMs ? { every: 2_000, evenPaused: true } : {};
}

export function useTrace(trace: string): Trace {
  // Asked as a list, because a list may be empty; one that is gone would be an error.
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

/** Runs that the request started; while one of them runs it is looked at again. */
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
