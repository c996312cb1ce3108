import type { RequestStats, RouteTable } from "../../wire.ts";
import type { Reference, References } from "./references.ts";

const hour = 3_600;
/** The last minutes may belong to the problem. */
const recent = 300;
/** The day before changes slowly: another minute of an hour. */
const yesterdayEvery = 300;

/** A period, in seconds since the epoch. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

export type ReadRoutes = (period: Period) => Promise<Pick<RouteTable, "totals" | "routes">>;

type ByRoute = ReadonlyMap<string | undefined, Reference>;

/** The past of each route and of all requests, read from the history of all instances. */
export class ReferenceTable {
  private readonly read: ReadRoutes;
  private hour: ByRoute = new Map();
  private yesterday: ByRoute = new Map();
  private yesterdayReadAt = Number.NEGATIVE_INFINITY;

  constructor(read: ReadRoutes) {
    this.read = read;
  }

  of(route: string | undefined): References {
    return { hour: this.hour.get(route), yesterday: this.yesterday.get(route) };
  }

  /** Reads the past again. `now` in seconds since the epoch; the seconds before it are left out. */
  async refresh(now: number, leftOut = recent): Promise<void> {
    this.hour = toReferences(await this.read({ from: now - leftOut - hour, to: now - leftOut }));
    if (now - this.yesterdayReadAt < yesterdayEvery) return;
    const middle = now - 24 * hour;
    this.yesterday = toReferences(await this.read({ from: middle - hour / 2, to: middle + hour / 2 }));
    this.yesterdayReadAt = now;
  }
}

function toReferences({ totals, routes }: Awaited<ReturnType<ReadRoutes>>): ByRoute {
  return new Map<string | undefined, Reference>([
    [undefined, toReference(totals)],
    ...routes.map((each) => [each.route, toReference(each)] as const),
  ]);
}

function toReference({ count, status_5xx, p95_ms = 0 }: RequestStats): Reference {
  return { count, failedShare: count === 0 ? 0 : status_5xx / count, p95Ms: p95_ms };
}
