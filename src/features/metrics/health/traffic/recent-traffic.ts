import { RequestStats } from "../../requests/request-stats.ts";

/** Requests of ten seconds. */
interface Slice {
  readonly total: RequestStats;
  readonly routes: Map<string, RequestStats>;
}

export const sliceSeconds = 10;
/** Five minutes. */
export const keptSlices = 30;
/** Limits the memory of applications with very many routes. Further routes count in the total only. */
const maxRoutes = 500;

/** The requests of the last five minutes, in total and by route, in slices of ten seconds. */
export class RecentTraffic {
  private readonly slices = new Map<number, Slice>();
  private current = -1;

  /** The end of the last complete slice, in seconds since the epoch. */
  get end(): number {
    return this.current * sliceSeconds;
  }

  /** Begins a second, given as seconds since the epoch. Returns whether it begins a new slice. */
  advance(time: number): boolean {
    const number = Math.floor(time / sliceSeconds);
    if (number === this.current) return false;
    this.current = number;
    this.slices.set(number, { total: new RequestStats(), routes: new Map() });
    for (const each of this.slices.keys()) {
      // After the clock was set back, later slices are of no use.
      if (each < number - keptSlices || each > number) this.slices.delete(each);
    }
    return true;
  }

  /** Adds requests of a route in the current second. */
  add(route: string, stats: RequestStats, countsInTotal = true): void {
    const { total, routes } = this.slices.get(this.current)!;
    if (countsInTotal) total.merge(stats);
    const known = routes.get(route);
    if (known) known.merge(stats);
    else if (routes.size < maxRoutes) routes.set(route, copyOf(stats));
  }

  /** The routes with requests in the last five minutes. */
  routes(): Set<string> {
    return new Set([...this.slices.values()].flatMap(({ routes }) => [...routes.keys()]));
  }

  /** The last complete slices, the oldest first. `undefined`: no requests. */
  slicesOf(route: string | undefined, count: number): (RequestStats | undefined)[] {
    return Array.from({ length: count }, (_, index) => {
      const slice = this.slices.get(this.current - count + index);
      return route === undefined ? slice?.total : slice?.routes.get(route);
    });
  }
}

function copyOf(stats: RequestStats): RequestStats {
  const copy = new RequestStats();
  copy.merge(stats);
  return copy;
}
