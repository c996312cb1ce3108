import type { PastIssue } from "../../../feature/index.ts";
import type { ErrorGroup } from "../failures/error-log.ts";
import type { FleetRequestQuery, FoundRequests } from "../fleet/fleet-requests.ts";
import type { InstanceRecord } from "../fleet/instance-store.ts";
import type { LimitOptions } from "../health/traffic/route-limits.ts";
import type { RecentRequest } from "../requests/recent-requests.ts";
import type { FoundStall } from "../stalls/stall.ts";
import type { StallWatch } from "../stalls/watch-contract.ts";
import type { Stall } from "../wire/stalls.ts";
import type { HistorySize, InstanceStatus } from "../wire.ts";
import type { ErrorFilter } from "./error-store.ts";
import type { ErrorResult, ErrorTable, HistoryOptions, Upkeep } from "./history.ts";
import type { PastQuery, RequestSeries, RouteTable, SlowestRequests, SystemSeries } from "./queries/query.ts";
import type { SecondRecord } from "./slot.ts";
import type { StallPage, StallQuery } from "./stall-store.ts";

/** The calls of the history in the background thread. */
export interface HistoryCalls {
  /** Adds the counts and errors of a second, and requests that other instances show as well. */
  record(second: SecondRecord, errors: readonly ErrorGroup[], recent: readonly RecentRequest[]): void;
  /** Sets what is written about this instance with its metrics. */
  beat(status: InstanceStatus): void;
  /** Sets that this instance stops. */
  leave(): void;
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
  /** The recent requests that other processes handled. */
  fleetRequests(query: FleetRequestQuery): FoundRequests;
  size(): HistorySize;
  /** Changes the maximum size. */
  limit(maxBytes: number): void;
  /** `undefined` if it takes long: call it again to wait for it. */
  maintain(): Upkeep | undefined;
}

export interface HistoryData extends Pick<HistoryOptions, "instance" | "description" | "epoch"> {
  /** Can change; a thread that starts later uses the current value. */
  maxBytes: number;
  /** How the thread watches the main thread. Absent if it does not. */
  readonly stallWatch?: StallWatch | undefined;
}

export interface HistoryContract {
  readonly data: HistoryData;
  readonly calls: HistoryCalls;
}
