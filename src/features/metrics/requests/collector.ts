import type { FinishedRequest, Route } from "../../../http/index.ts";
import { defaultRedactor, type Redactor } from "../../../lib/redaction/redactor.ts";
import { VarintWriter } from "../../../lib/varints.ts";
import { cutText } from "./cut-text.ts";
import { RecentRequests } from "./recent-requests.ts";
import { RequestStats } from "./request-stats.ts";
import { otherName, unmatchedName } from "./shared-names.ts";
import { Slowest, type SlowRequest } from "./slowest.ts";

/** Metrics of one route and method. */
export interface CountedRoute {
  /** Method and pattern, as `GET /todos/{id}`. */
  readonly name: string;
  /** Since the process started, without the current second. */
  readonly sofar: RequestStats;
}

/** Metrics between two turns of the collector. */
export interface Interval {
  /** Names of the routes with requests. */
  readonly routes: readonly string[];
  /** Metrics of these routes, concatenated, as encoded by `RequestStats`. */
  readonly requests: Uint8Array<ArrayBuffer>;
  readonly totals: RequestStats;
  readonly slowest: readonly SlowRequest[];
}

/** Further routes are counted together. Limits the memory of applications that create thousands of routes. */
const maxRoutes = 4_000;

/**
 * Counts finished requests by route and method. Per request, this costs one lookup by a small number, a few additions
 * and one slot in the ring of recent requests. Everything else happens once per second.
 */
export class RequestCollector {
  readonly recent: RecentRequests;
  readonly routes: CountedRoute[] = [];
  private readonly redactor: Redactor;
  private readonly current: RequestStats[] = [];
  /** Index in `current` by route index. HEAD requests are counted separately from the GET route that serves them. */
  private readonly placeOfRoute: number[] = [];
  private readonly placeOfHead: number[] = [];
  private readonly active: number[] = [];
  private readonly slowest = new Slowest();
  private readonly writer = new VarintWriter(16_384);
  /** Routes that are counted as `(other routes)`. */
  overflowed = 0;

  constructor(redactor: Redactor = defaultRedactor) {
    this.recent = new RecentRequests(undefined, redactor);
    this.redactor = redactor;
    this.open(unmatchedName);
  }

  add(request: FinishedRequest): void {
    const { route, method, durationMs } = request;
    const place = this.placeOf(route, method);
    const stats = this.current[place]!;
    if (stats.count === 0) this.active.push(place);
    stats.add(request);
    if (this.slowest.wants(durationMs, method, route?.pattern.text ?? ""))
      this.slowest.add(describeSlow(request, this.redactor));
    this.recent.add(request);
  }

  /** Returns the metrics since the last turn and resets them. `visit` must not keep the stats. */
  turn(visit?: (route: string, stats: RequestStats) => void): Interval {
    const totals = new RequestStats();
    const routes = this.active.map((place) => this.routes[place]!.name);
    for (const place of this.active) {
      const stats = this.current[place]!;
      stats.write(this.writer);
      visit?.(this.routes[place]!.name, stats);
      totals.merge(stats);
      this.routes[place]!.sofar.merge(stats);
      stats.clear();
    }
    this.active.length = 0;
    this.recent.turn();
    const slowest = this.slowest.list();
    this.slowest.clear();
    return { routes, requests: this.writer.take(), totals, slowest };
  }

  private placeOf(route: Route | undefined, method: string): number {
    if (route === undefined) return 0;
    const places = method === route.method ? this.placeOfRoute : this.placeOfHead;
    return places[route.index] ?? this.meet(places, route, method);
  }

  private meet(places: number[], route: Route, method: string): number {
    const place =
      this.routes.length < maxRoutes ? this.open(`${method} ${route.pattern.text}`) : this.other();
    places[route.index] = place;
    return place;
  }

  private other(): number {
    this.overflowed++;
    const known = this.routes.findIndex(({ name }) => name === otherName);
    return known === -1 ? this.open(otherName) : known;
  }

  private open(name: string): number {
    this.current.push(new RequestStats());
    return this.routes.push({ name, sofar: new RequestStats() }) - 1;
  }
}

function describeSlow(request: FinishedRequest, redactor: Redactor): SlowRequest {
  const { traceId, method, path, route, statusCode, startedAt, durationMs } = request;
  return {
    time: Math.round(performance.timeOrigin + startedAt + durationMs),
    // Copied, because a trace ID is a slice that would retain the longer string it belongs to.
    traceId: Buffer.from(traceId, "latin1").toString("latin1"),
    method,
    path: redactor.path(cutText(path, 256), route?.pattern.text),
    route: route?.pattern.text ?? "",
    statusCode,
    durationMs: Math.round(durationMs * 1_000) / 1_000,
  };
}
