/** What the data routes answer, as far as several pages use it. Times are milliseconds since the epoch. */

/** What some requests came to. Latencies are absent where nothing happened. */
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
  /** The window of the same length before, where it was asked for. */
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

/** One second, as those see it who watch. */
export interface LiveSecond {
  readonly time: number;
  readonly requests: RequestFigures;
  readonly connections: number;
  readonly in_flight: number;
  readonly errors: number;
  readonly system: Readonly<Record<string, number>>;
  /** How it was judged when the second was over; those of the snapshot are without. */
  readonly verdict?: Verdict;
}

export interface Verdict {
  readonly status: string;
  readonly reasons: readonly string[];
  readonly long_requests?: readonly LongRequest[];
}

/** A request that has been in flight for long without a response. */
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

/** Something that somebody did, or that happened to the server, and that may explain what comes after it. */
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
