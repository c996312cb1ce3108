import type { RecordedTraffic } from "../../health/traffic/past-traffic.ts";
import { toRequestMetrics } from "../../requests/request-metrics.ts";
import { RequestStats } from "../../requests/request-stats.ts";
import { Slowest } from "../../requests/slowest.ts";
import type * as wire from "../../wire.ts";
import type { Segment } from "../levels.ts";
import type { Names } from "../names.ts";
import { getOrMake } from "../slot.ts";
import { endsOf, firstPoint, type HistoryReader, type Periods } from "./periods.ts";
import type { PastQuery, RequestSeries, RouteTable, SlowestRequests } from "./query.ts";
import type { SlotReader } from "./slot-reader.ts";

/** Reads the requests of the past: all of them over time, those of each route, and the slowest. */
export class TrafficQueries {
  private readonly slots: SlotReader;
  private readonly names: Names;
  private readonly periods: Periods;

  constructor({ slots, names, periods }: HistoryReader) {
    this.slots = slots;
    this.names = names;
    this.periods = periods;
  }

  async requests(query: PastQuery): Promise<RequestSeries> {
    const { step, start, count, segments } = await this.periods.plan(query);
    const points = Array.from({ length: count }, () => new RequestStats());
    const totals = new RequestStats();
    await this.visitRequests(query, segments, (time) => points[Math.floor((time - start) / step)]);
    for (const point of points) totals.merge(point);
    const before = await this.periods.coverBefore({ from: start, to: query.to }, query);
    const previous = new RequestStats();
    if (before) await this.visitRequests(query, before, () => previous);
    const merged = query.smooth ? pointsPerPercentile(count, totals.count) : 1;
    const first = firstPoint(query, { start, step, count });
    return {
      from: start,
      to: start + count * step,
      step,
      totals: toRequestMetrics(totals),
      previous: before && toRequestMetrics(previous),
      latency_step_ms: step * merged * 1_000,
      first_point: first,
      points: withLatenciesOf(points, merged, first),
    };
  }

  /** Adds the requests of slots, of all routes or of one. */
  private async visitRequests(
    { route, instance }: PastQuery,
    segments: readonly Segment[],
    statsAt: (time: number) => RequestStats | undefined,
  ): Promise<void> {
    if (route === undefined) {
      await this.slots.readTotals(segments, instance, statsAt);
      return;
    }
    const wanted = await numberOf(this.names, route);
    if (wanted === undefined) return;
    await this.slots.readRoutes(segments, { instance, route: wanted }, (_, time) => statsAt(time));
  }

  async routes(query: PastQuery): Promise<RouteTable> {
    const segments = await this.periods.coverOf(query);
    const stats = await this.readByRoute(segments, query);
    const ends = endsOf(segments);
    const segmentsBefore = await this.periods.coverBefore(ends, query);
    const before = segmentsBefore && (await this.readByRoute(segmentsBefore, query));
    const known = await this.names.all();
    const list = [...stats]
      .map(([number, each]): wire.RouteStats => {
        const previous = before?.get(number) ?? (before && new RequestStats());
        return { route: known.get(number) ?? "", ...toRequestMetrics(each), ...toPrevious(previous) };
      })
      .sort((one, other) => other.total_ms - one.total_ms);
    return {
      ...ends,
      totals: toRequestMetrics(sumOf(stats)),
      previous: before && toRequestMetrics(sumOf(before)),
      routes: list,
    };
  }

  async routeSteps(query: PastQuery): Promise<RecordedTraffic> {
    const { step, start, count, segments } = await this.periods.plan(query);
    const known = await this.names.all();
    const routes = new Map<string, (RequestStats | undefined)[]>();
    await this.slots.readRoutes(segments, { instance: query.instance }, (number, time) => {
      const index = Math.floor((time - start) / step);
      if (index >= count) return undefined;
      const steps = getOrMake(routes, known.get(number) ?? "", () =>
        Array.from<RequestStats | undefined>({ length: count }),
      );
      steps[index] ??= new RequestStats();
      return steps[index];
    });
    return { from: start, to: start + count * step, step, routes };
  }

  private async readByRoute(segments: readonly Segment[], { instance }: PastQuery) {
    const stats = new Map<number, RequestStats>();
    const statsFor = (number: number) => getOrMake(stats, number, () => new RequestStats());
    await this.slots.readRoutes(segments, { instance }, statsFor);
    return stats;
  }

  async slowest(query: PastQuery): Promise<SlowestRequests> {
    const segments = await this.periods.coverOf(query);
    const longest = new Slowest();
    const { from, to, instance } = query;
    for (const found of await this.slots.readSlowest(segments, instance)) {
      const some = found.requests.filter(({ time }) => time >= from * 1_000 && time < to * 1_000);
      longest.merge(some.map((request) => ({ ...request, instance: found.instance })));
    }
    return { ...endsOf(segments), requests: [...longest.list()] };
  }
}

/** With fewer requests, the 99th percentile is close to the maximum. */
const enoughRequests = 200;
/** A line needs this many different values. */
const leastValues = 20;

/** How many points have to be merged, so that percentiles are of enough requests. */
function pointsPerPercentile(points: number, requests: number): number {
  const needed = Math.ceil((enoughRequests * points) / Math.max(1, requests));
  return Math.max(1, Math.min(needed, Math.floor(points / leastValues)));
}

/**
 * The metrics of each point from `first` on, with the latencies of the `merged` points up to it. Points after it are not included: a
 * change must not appear before its cause.
 */
function withLatenciesOf(
  points: readonly RequestStats[],
  merged: number,
  first: number,
): wire.RequestStats[] {
  const wanted = points.slice(first);
  if (merged === 1) return wanted.map(toRequestMetrics);
  return wanted.map((point, offset) => {
    const end = first + offset + 1;
    const sum = new RequestStats();
    for (const each of points.slice(Math.max(0, end - merged), end)) sum.merge(each);
    const { p50_ms, p95_ms, p99_ms } = toRequestMetrics(sum);
    return { ...toRequestMetrics(point), p50_ms, p95_ms, p99_ms };
  });
}

function sumOf(stats: ReadonlyMap<number, RequestStats>): RequestStats {
  const sum = new RequestStats();
  for (const each of stats.values()) sum.merge(each);
  return sum;
}

function toPrevious(
  stats: RequestStats | undefined,
): Pick<wire.RouteStats, "previous_count" | "previous_p95_ms" | "previous_status_5xx"> {
  if (!stats) return {};
  const { count, p95_ms, status_5xx } = toRequestMetrics(stats);
  return { previous_count: count, previous_p95_ms: p95_ms, previous_status_5xx: status_5xx };
}

async function numberOf(names: Names, wanted: string): Promise<number | undefined> {
  for (const [number, name] of await names.all()) if (name === wanted) return number;
  return undefined;
}
