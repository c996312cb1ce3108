import type { Database } from "../../../storage/index.ts";
import type { RecordedTraffic } from "../health/traffic/past-traffic.ts";
import { RequestStats } from "../requests/request-stats.ts";
import { Slowest, type SlowRequest } from "../requests/slowest.ts";
import type * as wire from "../wire.ts";
import { chooseStep, coverWindow, type Extents, finestLevel, levelForStep, type Segment } from "./levels.ts";
import type { Names } from "./names.ts";
import { Gauge, getOrMake } from "./slot.ts";
import { readRoutes, readSlowest, readSystem, readTotals } from "./slot-codec.ts";
import { createSlotStore } from "./slot-store.ts";

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

  async function plan({ from, to, points = 240 }: PastQuery) {
    const extents = await store.extents(now());
    const step = chooseStep(from, to, points, extents);
    const start = from - (from % step);
    const segments = coverWindow(start, Math.ceil(to / step) * step, extents, levelForStep(step));
    return { step, start, count: Math.ceil((to - start) / step), segments };
  }

  /** The slots of the preceding period; undefined if not requested or not covered from its start. */
  async function coverBefore({ from, to }: CoveredPeriod, { compare, instance }: PastQuery) {
    if (!compare) return undefined;
    const [start, end] = windowBefore(from, to);
    const extents = await store.extents(now());
    const level = finestLevel(start, extents);
    const soon = start + Math.max(1, (end - start) * unseenShare);
    const beginning = { level, from: start - (start % level), to: soon };
    const rows = await store.read([beginning], ["time"], { instance, partOf: 0 });
    return rows.length > 0 ? coverWindow(start, end, extents) : undefined;
  }

  /** The preceding period has the length of the elapsed part of the period. */
  function windowBefore(from: number, to: number): [from: number, to: number] {
    const length = from < now() ? Math.min(to, now()) - from : to - from;
    return [Math.max(0, from - length), from];
  }

  async function requests(query: PastQuery): Promise<RequestSeries> {
    const { step, start, count, segments } = await plan(query);
    const points = Array.from({ length: count }, () => new RequestStats());
    const totals = new RequestStats();
    await visitRequests(query, segments, (time) => points[Math.floor((time - start) / step)]);
    for (const point of points) totals.merge(point);
    const before = await coverBefore({ from: start, to: query.to }, query);
    const previous = new RequestStats();
    if (before) await visitRequests(query, before, () => previous);
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
  async function visitRequests(
    { route, instance }: PastQuery,
    segments: readonly Segment[],
    statsAt: (time: number) => RequestStats | undefined,
  ): Promise<void> {
    const wanted = route === undefined ? undefined : await numberOf(names, route);
    const column = route === undefined ? "totals" : "routes";
    const rows = await store.read(segments, ["time", column], { instance, partOf: wanted ?? 0 });
    for (const row of rows) {
      const stats = statsAt(row.time);
      if (!stats) continue;
      if (column === "totals") readTotals(row.totals, stats);
      else readRoutes(row.routes, (number) => (number === wanted ? stats : undefined));
    }
  }

  async function routes(query: PastQuery): Promise<RouteTable> {
    const segments = await coverOf(query);
    const stats = await readByRoute(segments, query);
    const ends = endsOf(segments);
    const segmentsBefore = await coverBefore(ends, query);
    const before = segmentsBefore && (await readByRoute(segmentsBefore, query));
    const known = await names.all();
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

  async function routeSteps(query: PastQuery): Promise<RecordedTraffic> {
    const { step, start, count, segments } = await plan(query);
    const known = await names.all();
    const routes = new Map<string, (RequestStats | undefined)[]>();
    for (const row of await store.read(segments, ["time", "routes"], { instance: query.instance })) {
      const index = Math.floor((row.time - start) / step);
      if (index >= count) continue;
      readRoutes(row.routes, (number) => {
        const steps = getOrMake(routes, known.get(number) ?? "", () =>
          Array.from<RequestStats | undefined>({ length: count }),
        );
        steps[index] ??= new RequestStats();
        return steps[index];
      });
    }
    return { from: start, to: start + count * step, step, routes };
  }

  async function readByRoute(segments: readonly Segment[], { instance }: PastQuery) {
    const stats = new Map<number, RequestStats>();
    const statsFor = (number: number) => getOrMake(stats, number, () => new RequestStats());
    for (const row of await store.read(segments, ["routes"], { instance })) readRoutes(row.routes, statsFor);
    return stats;
  }

  async function slowest(query: PastQuery) {
    const segments = await coverOf(query);
    const longest = new Slowest();
    const { from, to, instance } = query;
    for (const row of await store.read(segments, ["slowest", "routes", "instance"], {
      instance,
      partOf: 0,
    })) {
      const some = readSlowest(row).filter(({ time }) => time >= from * 1_000 && time < to * 1_000);
      longest.merge(some.map((request) => ({ ...request, instance: row.instance })));
    }
    return { ...endsOf(segments), requests: [...longest.list()] };
  }

  async function system(query: PastQuery): Promise<SystemSeries> {
    const { step, start, count, segments } = await plan(query);
    const stepAt = (time: number) => Math.floor((time - start) / step);
    const values = await readMetrics(query, segments, { count, stepAt });
    const before = await coverBefore({ from: start, to: query.to }, query);
    const previous = before && (await readMetrics(query, before, { count: 1, stepAt: () => 0 }));
    const first = firstPoint(query, { start, step, count });
    return {
      from: start,
      to: start + count * step,
      step,
      first_point: first,
      instances: mapMetrics(values, ({ steps }) => toLines(steps.slice(first))),
      summary: mapMetrics(values, toSummary),
      previous: previous?.size ? mapMetrics(previous, toSummary) : undefined,
    };
  }

  async function readMetrics(
    query: PastQuery,
    segments: readonly Segment[],
    { count, stepAt }: { count: number; stepAt(time: number): number },
  ): Promise<ValuesOfInstances> {
    const known = await names.all();
    const isWanted = createNameFilter(query.names);
    const wanted = new Map([...known].filter(([, name]) => isWanted(name)));
    const values: ValuesOfInstances = new Map();
    const choice = { instance: query.instance, partOf: 0 };
    for (const row of await store.read(segments, ["time", "instance", "samples", "system"], choice)) {
      const index = stepAt(row.time);
      if (index >= count) continue;
      const byName = getOrMake(values, row.instance, () => new Map<string, MetricOverTime>());
      readSystem(row.system, (number, mean, max) => {
        const name = wanted.get(number);
        if (name === undefined) return;
        const { whole, steps } = getOrMake(byName, name, () => createMetric(count));
        whole.add(mean, max, row.samples);
        steps[index]!.add(mean, max, row.samples);
      });
    }
    return values;
  }

  async function coverOf({ from, to }: PastQuery): Promise<Segment[]> {
    const extents: Extents = await store.extents(now());
    return coverWindow(from, to, extents);
  }

  return { requests, routes, slowest, system, routeSteps };
}

/** The index of the first point that is wanted. */
function firstPoint(
  { after }: PastQuery,
  { start, step, count }: { start: number; step: number; count: number },
): number {
  if (after === undefined) return 0;
  return Math.min(count, Math.max(0, Math.floor((after - start) / step)));
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

/** Share of the preceding period that may be missing at its start. An hour must not be compared with half an hour. */
export const unseenShare = 0.05;

/** A system metric, per step and over the whole period. */
interface MetricOverTime {
  readonly whole: Gauge;
  readonly steps: readonly Gauge[];
}

type ValuesOfInstances = Map<string, Map<string, MetricOverTime>>;

const createMetric = (count: number): MetricOverTime => ({
  whole: new Gauge(),
  steps: Array.from({ length: count }, () => new Gauge()),
});

function mapMetrics<Value>(
  metrics: ValuesOfInstances,
  toValue: (metric: MetricOverTime) => Value,
): Record<string, Record<string, Value>> {
  const instances = [...metrics].map(([instance, byName]) => {
    const values = [...byName].map(([name, metric]) => [name, toValue(metric)]);
    return [instance, Object.fromEntries(values)];
  });
  return Object.fromEntries(instances);
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

const endsOf = (segments: readonly Segment[]): CoveredPeriod => ({
  from: segments[0]?.from ?? 0,
  to: segments.at(-1)?.to ?? 0,
});

export function toRequestMetrics(stats: RequestStats): wire.RequestStats {
  const { count, classes, aborted, bytesIn, bytesOut, totalUs, longestUs, durations } = stats;
  const latencies = durations.percentiles([0.5, 0.95, 0.99]);
  const [, status_1xx, status_2xx, status_3xx, status_4xx, status_5xx] = [...classes] as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const values = {
    count,
    status_1xx,
    status_2xx,
    status_3xx,
    status_4xx,
    status_5xx,
    aborted,
    bytes_in: bytesIn,
    bytes_out: bytesOut,
    total_ms: toMs(totalUs),
  };
  if (!latencies) return values;
  // The middle of a bucket may exceed the maximum.
  const [p50_ms, p95_ms, p99_ms] = latencies.map((value) => toMs(Math.min(value, Math.max(longestUs, 1))));
  return {
    ...values,
    mean_ms: toMs(totalUs / count),
    p50_ms: p50_ms!,
    p95_ms: p95_ms!,
    p99_ms: p99_ms!,
    max_ms: toMs(longestUs),
  };
}

const toMs = (microseconds: number) => Math.round(microseconds) / 1_000;

/** Matches names, or prefixes that end in `.*`. */
function createNameFilter(wanted: readonly string[] | undefined): (name: string) => boolean {
  if (!wanted || wanted.length === 0) return () => true;
  const exact = new Set(wanted);
  const prefixes = wanted.filter((name) => name.endsWith(".*")).map((name) => name.slice(0, -1));
  return (name) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

const isSeen = ({ max }: Gauge) => max !== Number.NEGATIVE_INFINITY;
/** Values are stored with seven digits. */
const round = (value: number) => Number(value.toPrecision(6));

function toLines(gauges: readonly Gauge[]): wire.SystemLine {
  return {
    mean: gauges.map((gauge) => (isSeen(gauge) ? round(gauge.mean) : null)),
    max: gauges.map((gauge) => (isSeen(gauge) ? round(gauge.max) : null)),
  };
}

function toSummary({ whole, steps }: MetricOverTime): wire.SystemSummary {
  const last = steps.findLast(isSeen) ?? whole;
  return { mean: round(whole.mean), max: round(whole.max), last: round(last.mean) };
}
