/** Responses of data routes that several pages use. Times are milliseconds since the epoch. */

/** Aggregated metrics of requests. Latencies are absent if there were no requests. */
export interface RequestFigures {
  readonly count: number;
  readonly status_1xx: number;
  readonly status_2xx: number;
  readonly status_3xx: number;
  readonly status_4xx: number;
  readonly status_5xx: number;
  readonly aborted: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
  readonly total_ms: number;
  readonly mean_ms?: number;
  readonly p50_ms?: number;
  readonly p95_ms?: number;
  readonly p99_ms?: number;
  readonly max_ms?: number;
}

export interface RequestSeries {
  readonly from: number;
  readonly to: number;
  readonly step_ms: number;
  readonly totals: RequestFigures;
  /** The preceding window of the same length, if requested. */
  readonly previous?: RequestFigures;
  readonly points: readonly RequestFigures[];
}

export type RouteFigures = RequestFigures & {
  readonly route: string;
  readonly previous_p95_ms?: number;
  readonly previous_count?: number;
};

export interface RouteTable {
  readonly from: number;
  readonly to: number;
  readonly totals: RequestFigures;
  readonly routes: readonly RouteFigures[];
}

export interface Line {
  readonly mean: readonly (number | null)[];
  readonly max: readonly (number | null)[];
}

export interface SystemSeries {
  readonly from: number;
  readonly to: number;
  readonly step_ms: number;
  readonly instances: Readonly<Record<string, Readonly<Record<string, Line>>>>;
}

/** The metrics of one second, as streamed to clients. */
export interface LiveSecond {
  readonly time: number;
  readonly requests: RequestFigures;
  readonly connections: number;
  readonly in_flight: number;
  readonly errors: number;
  readonly system: Readonly<Record<string, number>>;
  /** The health status at the end of the second; seconds of the snapshot do not have it. */
  readonly verdict?: Verdict;
}

export interface Verdict {
  readonly status: string;
  readonly reasons: readonly string[];
  readonly long_requests?: readonly LongRequest[];
}

/** A request that has been in flight for a long time without a response. */
export interface LongRequest {
  readonly trace_id: string;
  readonly method: string;
  readonly path: string;
  readonly route?: string;
  readonly started_at: number;
  readonly age_ms: number;
  readonly phase: "receiving" | "handling";
}

export interface Snapshot {
  readonly now: number;
  readonly instance: string;
  readonly system: Readonly<Record<string, string | number>>;
  readonly health: {
    readonly status: string;
    readonly uptime_seconds: number;
    readonly total_requests: number;
    readonly active_connections: number;
  };
  readonly verdict?: Verdict;
  readonly cost: {
    readonly collecting_ms: number;
    readonly watchers: number;
    readonly dropped: Readonly<Record<string, number>>;
    readonly problem?: string;
  };
  readonly seconds: readonly LiveSecond[];
}

/** A user action or a server event that may explain later changes in the metrics. */
export interface Change {
  readonly id: number;
  readonly at: number;
  readonly actor?: string | null;
  readonly instance?: string | null;
  readonly kind: string;
  readonly subject?: string | null;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly detail?: unknown;
}
