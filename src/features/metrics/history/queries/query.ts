import type { SlowRequest } from "../../requests/slowest.ts";
import type * as wire from "../../wire.ts";

/** A history query. Times are seconds since the epoch. */
export interface PastQuery {
  readonly from: number;
  readonly to: number;
  /** Maximum number of points. */
  readonly points?: number;
  /** Default: all instances. */
  readonly instance?: string | undefined;
  /** As `GET /todos/{id}`. Default: all routes. */
  readonly route?: string | undefined;
  /** System metrics: names, or prefixes such as `network.*`. Default: all. */
  readonly names?: readonly string[] | undefined;
  /** Points before this time are omitted. */
  readonly after?: number | undefined;
  /** Whether to include the preceding period. */
  readonly compare?: boolean | undefined;
  /** Whether percentiles are computed over several points if a point has few requests. */
  readonly smooth?: boolean | undefined;
}

/** The actual period, aligned to the available resolution. */
export interface CoveredPeriod {
  readonly from: number;
  readonly to: number;
}

export interface Stepped {
  readonly step: number;
}

/** A response of the API before its times are converted to milliseconds. */
export type InSeconds<Body> = Omit<Body, "step_ms"> & Stepped;

export type RequestSeries = InSeconds<wire.RequestSeries>;
export type RouteTable = wire.RouteTable;
export type SystemSeries = InSeconds<wire.SystemSeries>;

export interface SlowestRequests extends CoveredPeriod {
  readonly requests: SlowRequest[];
}
