/** JSON of the metrics routes that the dashboard reads. Times are milliseconds since the epoch. */
import type { Removal } from "../../lib/time/removal.ts";
import type { Stall } from "./wire/stalls.ts";

/** The actual window of a response, aligned to the available resolution. */
interface CoveredPeriod {
  readonly from: number;
  readonly to: number;
}

interface Stepped extends CoveredPeriod {
  readonly step_ms: number;
}

/** Aggregated metrics of requests. Latencies are absent without requests. */
export interface RequestStats {
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
  readonly mean_ms?: number | undefined;
  readonly p50_ms?: number | undefined;
  readonly p95_ms?: number | undefined;
  readonly p99_ms?: number | undefined;
  readonly max_ms?: number | undefined;
}

/** A series of which older points may be omitted. */
interface Tail {
  /** The number of points before the first one in the response. */
  readonly first_point: number;
}

export interface RequestSeries extends Stepped, Tail {
  readonly totals: RequestStats;
  /** Metrics of the preceding window, if requested; absent if it is not covered from its start. */
  readonly previous?: RequestStats | undefined;
  /** The period up to each point that percentiles are of: one step, or several if the steps have few requests. */
  readonly latency_step_ms: number;
  /** One point per step. Without omitted points, the first one starts at `from`. */
  readonly points: readonly RequestStats[];
}

export interface RouteStats extends RequestStats {
  readonly route: string;
  /** Count in the preceding window; absent if it is not covered from its start. */
  readonly previous_count?: number | undefined;
  readonly previous_p95_ms?: number | undefined;
  readonly previous_status_5xx?: number | undefined;
}

export interface RouteTable extends CoveredPeriod {
  readonly totals: RequestStats;
  readonly previous?: RequestStats | undefined;
  readonly routes: readonly RouteStats[];
}

/** Mean and maximum per step; null for steps without data. */
export interface SystemLine {
  readonly mean: readonly (number | null)[];
  readonly max: readonly (number | null)[];
}

/** A metric over a whole window; `last` is the value of the last step with data. */
export interface SystemSummary {
  readonly mean: number;
  readonly max: number;
  readonly last: number;
}

type ByInstanceAndName<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

export interface SystemSeries extends Stepped, Tail {
  readonly instances: ByInstanceAndName<SystemLine>;
  readonly summary: ByInstanceAndName<SystemSummary>;
  readonly previous?: ByInstanceAndName<SystemSummary> | undefined;
}

/** One second. */
export interface LiveSecond {
  readonly time: number;
  readonly requests: RequestStats;
  readonly connections: number;
  readonly in_flight: number;
  /** Failures in this second. */
  readonly errors: number;
  readonly system: Readonly<Record<string, number>>;
  /** The health at the end of the second; seconds of a snapshot do not have it. */
  readonly verdict?: HealthReport | undefined;
}

/** A second as sent to live clients. `system` has only the metrics that changed since the second before. */
export type SecondUpdate = Omit<LiveSecond, "system"> & {
  /** Null for a metric that no longer exists. */
  readonly system: Readonly<Record<string, number | null>>;
};

/** The health of an instance, with the metrics of the last minute. */
export interface HealthReport {
  readonly status: "healthy" | "degraded" | "failing" | "draining";
  /** The most severe first. */
  readonly reasons: readonly HealthReason[];
  readonly uptime_seconds: number;
  readonly requests_per_second: number;
  /** Absent without requests. */
  readonly p95_ms?: number | undefined;
  /** Share of responses with a 5xx status. */
  readonly error_ratio?: number | undefined;
  /** From this share on, the errors are a reason. */
  readonly error_limit: number;
  /** At most 20. */
  readonly long_requests: readonly LongRequest[];
}

/** A reason why an instance is not healthy. */
export interface HealthReason {
  /** Identifies the reason while it lasts. */
  readonly id: string;
  readonly status: "degraded" | "failing";
  readonly message: string;
  readonly since: number;
  /** Absent while it lasts. */
  readonly until?: number | undefined;
  /** The page that shows the cause. */
  readonly link?: { readonly page: string; readonly params?: Readonly<Record<string, string>> } | undefined;
}

/** What was wrong in a period, on all instances. */
export interface PastHealth {
  readonly from: number;
  readonly to: number;
  readonly status: "healthy" | "degraded" | "failing";
  readonly reasons: readonly HealthReason[];
}

/** A request that has been in flight for a long time without a response. */
export interface LongRequest {
  readonly trace_id: string;
  readonly method: string;
  readonly path: string;
  readonly route?: string | undefined;
  readonly started_at: number;
  readonly age_ms: number;
  readonly phase: "receiving" | "handling";
}

/** The machine and the versions of an instance. */
export interface SystemDescription {
  readonly platform: string;
  readonly arch: string;
  readonly release: string;
  readonly hostname: string;
  readonly cpu_count: number;
  readonly cpu_model?: string | undefined;
  readonly node_version: string;
  readonly v8_version: string;
  readonly annex_version?: string | undefined;
  /** The release of the application. */
  readonly app_release?: string | undefined;
  readonly pid: number;
  readonly container?: string | undefined;
}

/** The cost of the collection, and the records it dropped. */
export interface CollectionCost {
  readonly collecting_ms: number;
  readonly watchers: number;
  readonly dropped: Readonly<Record<string, number>>;
  readonly problem?: string | undefined;
}

export interface Snapshot {
  readonly now: number;
  readonly instance: string;
  readonly system: SystemDescription;
  readonly health: {
    readonly status: "healthy" | "degraded" | "draining";
    readonly uptime_seconds: number;
    readonly total_requests: number;
    readonly active_connections: number;
  };
  readonly verdict: HealthReport;
  readonly cost: CollectionCost;
  /** Only the last one has system metrics. */
  readonly seconds: readonly LiveSecond[];
}

/** What the page of the dashboard contains when it is loaded. */
export interface InitialData {
  /** With the last seconds only. */
  readonly snapshot: Snapshot;
  /** The prefix of the event IDs of the live stream, which differs after a restart. */
  readonly epoch: string;
}

/** The stored metrics of one resolution. */
export interface LevelSize {
  /** The length of a slot in seconds. */
  readonly level: number;
  readonly rows: number;
  readonly bytes: number;
  readonly kept_seconds: number;
  /** What fits, if the size limit deletes data before its retention ends. */
  readonly fits_seconds?: number | undefined;
}

export interface Crowded {
  readonly of: "errors" | "stalls";
  readonly kept_seconds: number;
  readonly fits_seconds: number;
}

/** The size of the metrics history. */
export interface HistorySize {
  /** The store that its limit applies to. */
  readonly name: string;
  readonly bytes: number;
  readonly max_bytes: number;
  readonly levels: readonly LevelSize[];
  /** A deletion in progress. */
  readonly removing?: Removal | undefined;
  /** Other data of which the oldest was deleted early, because there was too much. */
  readonly crowded: readonly Crowded[];
  /** Slots that could not be stored for too long. */
  readonly dropped: number;
  /** Errors beyond the limit of kinds, or that could not be stored for too long. */
  readonly dropped_errors: number;
}

/** The current snapshot, with the size of the history unless the store fails. */
export interface CurrentState extends Snapshot {
  readonly store?: HistorySize | undefined;
}

/** The disk of the data folder. Unknown values are absent. */
export interface DiskUsage {
  readonly instance: string;
  readonly free_bytes?: number | undefined;
  readonly total_bytes?: number | undefined;
  readonly used_ratio?: number | undefined;
  readonly growth_bytes_per_day?: number | undefined;
  readonly days_to_full?: number | undefined;
}

/** A job run in progress. */
export interface ActiveRun {
  readonly job_id: string;
  readonly run_id: string;
  readonly started_at: number;
}

/** What an instance reports about itself every few seconds. */
export interface InstanceStatus {
  readonly verdict: HealthReport;
  /** Over the last ten seconds. */
  readonly requests_per_second: number;
  readonly connections: number;
  readonly in_flight: number;
  readonly system: Readonly<Record<string, number>>;
  readonly run_count: number;
  /** The oldest first, at most 20. */
  readonly runs: readonly ActiveRun[];
  /** Whether it runs no jobs, because it lost its lease. */
  readonly is_fenced: boolean;
}

export interface Instance {
  readonly instance: string;
  readonly started_at: number;
  /** Time of the last heartbeat. */
  readonly seen_at: number;
  /** `lost`: it has neither written a heartbeat for a while nor stopped. */
  readonly state: "running" | "stopped" | "lost";
  /** Of running instances that share a database. For the instance that responds, it is current. */
  readonly status?: InstanceStatus | undefined;
  /** As stored by that instance, which may run another version of Annex. */
  readonly description: Readonly<Partial<SystemDescription>>;
}

export interface InstanceList {
  readonly now: number;
  /** Whether the instances share a database server. */
  readonly is_shared: boolean;
  /** The most recently seen first. */
  readonly instances: readonly Instance[];
}

/** How many recent requests an instance remembers, and shares with the others. */
export interface RecentLimits {
  readonly kept: 1_000;
  readonly perSecond: 200;
  readonly sharedPerSecond: 50;
}

/** A recent request. */
export interface RecentRequest {
  readonly instance: string;
  /** Its number among the requests of this process. */
  readonly number: number;
  readonly started_at: number;
  readonly time: number;
  readonly trace_id: string;
  readonly method: string;
  readonly path: string;
  readonly route?: string | undefined;
  readonly status: number;
  readonly duration_ms: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
  readonly ip: string;
  readonly user_agent: string;
}

export interface RecentRequests {
  /** The instance that responds. */
  readonly instance: string;
  /** Number of its last request. */
  readonly newest: number;
  /** For the next query, which any instance can respond to. */
  readonly cursor: string;
  readonly requests: readonly RecentRequest[];
}

/** Another request in flight at the same time. */
export type ConcurrentRequest = Pick<
  RecentRequest,
  "trace_id" | "method" | "path" | "route" | "status" | "started_at" | "duration_ms"
>;

export interface RequestDetail extends RecentRequest {
  /** Absent if another instance handled the request: headers remain in its memory. */
  readonly headers?: readonly { readonly name: string; readonly value: string }[] | undefined;
  readonly in_flight: readonly ConcurrentRequest[];
}

export interface SlowRequest {
  readonly instance: string;
  readonly time: number;
  readonly trace_id: string;
  readonly method: string;
  readonly path: string;
  /** Empty if no route matched. */
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
}

export interface SlowestRequests extends CoveredPeriod {
  readonly requests: readonly SlowRequest[];
}

/** Errors of one kind within a window. */
export interface ErrorSummary {
  readonly fingerprint: string;
  readonly type: string;
  readonly message: string;
  /** The route or job. */
  readonly origin: string;
  /** The origin, as a list of routes or jobs. */
  readonly routes: readonly string[];
  readonly jobs: readonly string[];
  /** Over all time. */
  readonly first_seen: number;
  readonly last_seen: number;
  readonly total: number;
  /** Whether the error first occurred within the window. */
  readonly is_new: boolean;
  /** In the preceding window of the same length; absent if it is not covered from its start. */
  readonly previous_count?: number | undefined;
  /** Within the window, in total and per step. */
  readonly count: number;
  readonly series: readonly number[];
  /** Where they occurred within the window, the most frequent first. */
  readonly instances: readonly { readonly instance: string; readonly count: number }[];
}

export interface ErrorTable extends Stepped {
  /** Total number of kinds; only the most frequent ones are listed. */
  readonly kinds: number;
  /** Whether there is data from before the window. Without it, every error is new. */
  readonly has_earlier: boolean;
  readonly errors: readonly ErrorSummary[];
}

export interface ErrorSample {
  readonly time: number;
  readonly trace_id: string;
  readonly instance: string;
  readonly message: string;
}

/** A cause: the error's `cause`, the cause of that, and the errors of an `AggregateError`. */
export interface ErrorCause {
  readonly relation: "cause" | "error";
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}

export interface ErrorDetail extends ErrorSummary, Stepped {
  /** As in the table. */
  readonly has_earlier: boolean;
  readonly stack: string;
  /** Nearest first. */
  readonly causes: readonly ErrorCause[];
  readonly samples: readonly ErrorSample[];
}

export interface StallList extends CoveredPeriod {
  /** Number and total duration of all stalls in the period. */
  readonly count: number;
  readonly total_ms: number;
  /** Newest first. */
  readonly stalls: readonly Stall[];
}

/** The events of the live stream, by name. */
export interface LiveEvents {
  snapshot: Snapshot;
  second: SecondUpdate;
}

/** The responses of GET routes, by path. */
export interface MetricsRoutes {
  "/_/_/data/requests": RequestSeries;
  "/_/_/data/requests/{trace_id}": RequestDetail;
  "/_/_/data/routes": RouteTable;
  "/_/_/data/slowest": SlowestRequests;
  "/_/_/data/system": SystemSeries;
  "/_/_/data/disk": DiskUsage;
  "/_/_/data/health": PastHealth;
  "/_/_/data/errors": ErrorTable;
  "/_/_/data/errors/{fingerprint}": ErrorDetail;
  "/_/_/data/stalls": StallList;
  "/_/_/data/recent": RecentRequests;
  "/_/_/data/instances": InstanceList;
  "/_/_/data/now": CurrentState;
}
