import type { PastIssue } from "../../../feature/index.ts";
import type { ErrorGroup } from "../failures/error-log.ts";
import type { LimitOptions } from "../health/traffic/route-limits.ts";
import type { FoundStall } from "../stalls/stall.ts";
import type { StallWatch } from "../stalls/watch-contract.ts";
import type { HistorySize, Stall } from "../wire.ts";
import type { ErrorFilter } from "./error-store.ts";
import type { ErrorResult, ErrorTable, HistoryOptions, InstanceRecord, Upkeep } from "./history.ts";
import type { PastQuery, RequestSeries, RouteTable, SlowestRequests, SystemSeries } from "./queries.ts";
import type { SecondRecord } from "./slot.ts";
import type { StallPage, StallQuery } from "./stall-store.ts";

/** The calls of the history in the background thread. */
export interface HistoryCalls {
  /** Adds the counts and errors of a second. */
  record(second: SecondRecord, errors: readonly ErrorGroup[]): void;
  /** Adds a stall. Returns it in the format of the API, with locations in the source. */
  addStall(stall: FoundStall): Stall;
  stalls(query: StallQuery): StallPage;
  requests(query: PastQuery): RequestSeries;
  routes(query: PastQuery): RouteTable;
  slowest(query: PastQuery): SlowestRequests;
  system(query: PastQuery): SystemSeries;
  /** Error rates and latencies that were too high in a period. */
  trafficIssues(query: PastQuery, limits: LimitOptions): PastIssue[];
  errors(query: PastQuery, filter: ErrorFilter): ErrorTable;
  error(fingerprint: string, query: PastQuery): ErrorResult | undefined;
  instances(): InstanceRecord[];
  size(): HistorySize;
  /** Changes the maximum size. */
  limit(maxBytes: number): void;
  maintain(): Upkeep;
}

export interface HistoryData extends Pick<HistoryOptions, "instance" | "description"> {
  /** Can change; a thread that starts later uses the current value. */
  maxBytes: number;
  /** How the thread watches the main thread. Absent if it does not. */
  readonly stallWatch?: StallWatch | undefined;
}

export interface HistoryContract {
  readonly data: HistoryData;
  readonly calls: HistoryCalls;
}
