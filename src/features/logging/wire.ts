/** JSON of the log routes that the dashboard reads. Times are milliseconds since the epoch. */

export type LogLevel = "debug" | "info" | "warn" | "error";

/** The server's limits of a search. */
export interface SearchLimits {
  /** Conditions of each kind, in `where` and in `not`. */
  readonly conditions: 10;
  readonly pathLength: 1_024;
  /** Records in a response. */
  readonly records: 1_000;
}

/** A record as it was written, with the `instance` that wrote it; an application can add any other field. */
export type LogRecord = {
  readonly time: string;
  readonly level: string;
  readonly msg: string;
  readonly event: string;
} & Readonly<Record<string, unknown>>;

/** What is currently logged, and whether it can be searched. */
export interface Recording {
  /** The minimum level. */
  readonly level: LogLevel;
  /** Whether requests are logged. */
  readonly requests: boolean;
  /** Share of successful, fast requests that is logged: 1 for all. */
  readonly sample: number;
  /** Whether records are stored. */
  readonly stored: boolean;
}

export interface RecordPage {
  /** Newest first. */
  readonly items: readonly LogRecord[];
  /** Present if there may be more records, even if the page is empty. */
  readonly cursor?: string | undefined;
  readonly recording: Recording;
}

export type VolumePoint = { readonly time: number } & Readonly<Record<LogLevel, number>>;

/** Number of records by time and level. */
export interface LogVolume {
  readonly from: number;
  readonly to: number;
  readonly step_ms: number;
  readonly points: readonly VolumePoint[];
  readonly complete: boolean;
  /** If incomplete, only records from this time on were counted. */
  readonly reached?: number | undefined;
}

export interface ClientCount {
  readonly ip: string;
  readonly count: number;
}

/** The logged requests of each client. */
export interface ClientCounts {
  readonly from: number;
  readonly to: number;
  readonly counted: number;
  /** Whether all logged requests of the period were counted. Otherwise, only the newest were. */
  readonly complete: boolean;
  /** The most active first, at most 100. */
  readonly clients: readonly ClientCount[];
}

/** The responses of GET routes, by path. */
export interface LoggingRoutes {
  "/_/_/data/logs": RecordPage;
  "/_/_/data/logs/volume": LogVolume;
  "/_/_/data/logs/clients": ClientCounts;
}
