import type { Database } from "../../../../storage/index.ts";
import type { RecordedTraffic } from "../../health/traffic/past-traffic.ts";
import type { Names } from "../names.ts";
import { createSlotStore } from "../slot-store.ts";
import { Periods } from "./periods.ts";
import type { PastQuery, RequestSeries, RouteTable, SlowestRequests, SystemSeries } from "./query.ts";
import { SlotReader } from "./slot-reader.ts";
import { SystemQueries } from "./system-queries.ts";
import { TrafficQueries } from "./traffic-queries.ts";

export interface Queries {
  requests(query: PastQuery): Promise<RequestSeries>;
  routes(query: PastQuery): Promise<RouteTable>;
  slowest(query: PastQuery): Promise<SlowestRequests>;
  system(query: PastQuery): Promise<SystemSeries>;
  /** The requests of each route, by step. */
  routeSteps(query: PastQuery): Promise<RecordedTraffic>;
}

export function createQueries(database: Database, names: Names, now: () => number): Queries {
  const store = createSlotStore(database, names);
  const slots = new SlotReader(database);
  const reader = { slots, names, periods: new Periods(store, slots, now) };
  const traffic = new TrafficQueries(reader);
  const system = new SystemQueries(reader);
  return {
    requests: (query) => traffic.requests(query),
    routes: (query) => traffic.routes(query),
    slowest: (query) => traffic.slowest(query),
    system: (query) => system.series(query),
    routeSteps: (query) => traffic.routeSteps(query),
  };
}
