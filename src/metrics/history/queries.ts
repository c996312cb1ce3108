import type { Database } from "../../storage/index.ts";
import { RequestStats } from "../requests/request-stats.ts";
import { Slowest, type SlowRequest } from "../requests/slowest.ts";
import { chooseStep, coverWindow, type Extents, levelForStep, type Segment } from "./levels.ts";
import type { Names } from "./names.ts";
import { Gauge, getOrMake } from "./slot.ts";
import { readRoutes, readSlowest, readSystem, readTotals } from "./slot-codec.ts";
import { createSlotStore } from "./slot-store.ts";

/** A question about the past. Times are seconds since the epoch. */
export interface PastQuery {
  readonly from: number;
  readonly to: number;
  /** How many points a chart may have. */
  readonly points?: number;
  /** Default: all instances together. */
  readonly instance?: string | undefined;
  /** As `GET /todos/{id}`. Default: all routes together. */
  readonly route?: string | undefined;
}

/** What was really looked at: the ends lie where the past is kept finely enough. */
export interface Answered {
  readonly from: number;
  readonly to: number;
}

/** What some requests came to, in the units of the API. Latencies are absent where nothing happened. */
export interface RequestFigures {
  count: number;
  status_1xx: number;
  status_2xx: number;
  status_3xx: number;
  status_4xx: number;
  status_5xx: number;
  aborted: number;
  bytes_in: number;
  bytes_out: number;
  total_ms: number;
  mean_ms?: number;
  p50_ms?: number;
  p95_ms?: number;
  p99_ms?: number;
  max_ms?: number;
}

export interface RequestSeries extends Answered {
  readonly step: number;
  readonly totals: RequestFigures;
  /** One for each step, the first beginning at `from`. */
  readonly points: RequestFigures[];
}

export interface RouteTable extends Answered {
  readonly totals: RequestFigures;
  readonly routes: ({ route: string } & RequestFigures)[];
}

export interface SystemSeries extends Answered {
  readonly step: number;
  /** By instance and name of the figure: means and largest values, one for each step, null where nothing was seen. */
  readonly instances: Record<string, Record<string, { mean: (number | null)[]; max: (number | null)[] }>>;
}

export interface Queries {
  requests(query: PastQuery): Promise<RequestSeries>;
  routes(query: PastQuery): Promise<RouteTable>;
  slowest(query: PastQuery): Promise<Answered & { requests: SlowRequest[] }>;
  system(query: PastQuery & { names?: readonly string[] }): Promise<SystemSeries>;
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

  async function requests(query: PastQuery): Promise<RequestSeries> {
    const { step, start, count, segments } = await plan(query);
    const points = Array.from({ length: count }, () => new RequestStats());
    const totals = new RequestStats();
    const wanted = query.route === undefined ? undefined : await numberOf(names, query.route);
    const column = query.route === undefined ? "totals" : "routes";
    const choice = { instance: query.instance, partOf: wanted ?? 0 };
    for (const row of await store.read(segments, ["time", column], choice)) {
      const point = points[Math.floor((row.time - start) / step)];
      if (!point) continue;
      if (column === "totals") readTotals(row.totals, point);
      else readRoutes(row.routes, (number) => (number === wanted ? point : undefined));
    }
    for (const point of points) totals.merge(point);
    return {
      from: start,
      to: start + count * step,
      step,
      totals: toFigures(totals),
      points: points.map(toFigures),
    };
  }

  async function routes(query: PastQuery): Promise<RouteTable> {
    const segments = await coverOf(query);
    const stats = new Map<number, RequestStats>();
    const statsFor = (number: number) => getOrMake(stats, number, () => new RequestStats());
    for (const row of await store.read(segments, ["routes"], { instance: query.instance }))
      readRoutes(row.routes, statsFor);
    const known = await names.all();
    const totals = new RequestStats();
    for (const each of stats.values()) totals.merge(each);
    const list = [...stats]
      .map(([number, each]) => ({ route: known.get(number) ?? "", ...toFigures(each) }))
      .sort((one, other) => other.total_ms - one.total_ms);
    return { ...endsOf(segments), totals: toFigures(totals), routes: list };
  }

  async function slowest(query: PastQuery) {
    const segments = await coverOf(query);
    const longest = new Slowest();
    const { from, to, instance } = query;
    for (const row of await store.read(segments, ["slowest"], { instance, partOf: 0 })) {
      const some = readSlowest(row.slowest).filter(({ time }) => time >= from * 1_000 && time < to * 1_000);
      longest.merge(some);
    }
    return { ...endsOf(segments), requests: [...longest.list()] };
  }

  async function system(query: PastQuery & { names?: readonly string[] }): Promise<SystemSeries> {
    const { step, start, count, segments } = await plan(query);
    const known = await names.all();
    const isWanted = createNameFilter(query.names);
    const wanted = new Set([...known].filter(([, name]) => isWanted(name)).map(([number]) => number));
    const gauges = new Map<string, Map<number, Gauge[]>>();
    const choice = { instance: query.instance, partOf: 0 };
    for (const row of await store.read(segments, ["time", "instance", "samples", "system"], choice)) {
      const index = Math.floor((row.time - start) / step);
      if (index >= count) continue;
      const byNumber = getOrMake(gauges, row.instance, () => new Map<number, Gauge[]>());
      readSystem(row.system, (number, mean, max) => {
        if (!wanted.has(number)) return;
        const series = getOrMake(byNumber, number, () => Array.from({ length: count }, () => new Gauge()));
        series[index]!.add(mean, max, row.samples);
      });
    }
    const toFiguresByName = (byNumber: Map<number, Gauge[]>) =>
      Object.fromEntries([...byNumber].map(([number, series]) => [known.get(number)!, toLines(series)]));
    const instances = [...gauges].map(([instance, byNumber]) => [instance, toFiguresByName(byNumber)]);
    return { from: start, to: start + count * step, step, instances: Object.fromEntries(instances) };
  }

  async function coverOf({ from, to }: PastQuery): Promise<Segment[]> {
    const extents: Extents = await store.extents(now());
    return coverWindow(from, to, extents);
  }

  return { requests, routes, slowest, system };
}

async function numberOf(names: Names, wanted: string): Promise<number | undefined> {
  for (const [number, name] of await names.all()) if (name === wanted) return number;
  return undefined;
}

const endsOf = (segments: readonly Segment[]): Answered => ({
  from: segments[0]?.from ?? 0,
  to: segments.at(-1)?.to ?? 0,
});

export function toFigures(stats: RequestStats): RequestFigures {
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
  const figures = {
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
  if (!latencies) return figures;
  // The middle of a bucket may lie beyond the longest that was seen.
  const [p50_ms, p95_ms, p99_ms] = latencies.map((value) => toMs(Math.min(value, Math.max(longestUs, 1))));
  return {
    ...figures,
    mean_ms: toMs(totalUs / count),
    p50_ms: p50_ms!,
    p95_ms: p95_ms!,
    p99_ms: p99_ms!,
    max_ms: toMs(longestUs),
  };
}

const toMs = (microseconds: number) => Math.round(microseconds) / 1_000;

/** Names, or the beginnings of names that end in `.*`. */
function createNameFilter(wanted: readonly string[] | undefined): (name: string) => boolean {
  if (!wanted || wanted.length === 0) return () => true;
  const exact = new Set(wanted);
  const prefixes = wanted.filter((name) => name.endsWith(".*")).map((name) => name.slice(0, -1));
  return (name) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

function toLines(gauges: readonly Gauge[]) {
  const round = (value: number) => Number(value.toPrecision(6));
  const isSeen = ({ max }: Gauge) => max !== Number.NEGATIVE_INFINITY;
  return {
    mean: gauges.map((gauge) => (isSeen(gauge) ? round(gauge.mean) : null)),
    max: gauges.map((gauge) => (isSeen(gauge) ? round(gauge.max) : null)),
  };
}
