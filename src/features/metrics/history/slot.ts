import { VarintReader } from "../../../lib/varints.ts";
import { RequestStats } from "../requests/request-stats.ts";
import { Slowest, type SlowRequest } from "../requests/slowest.ts";
import type { LevelSeconds } from "./levels.ts";

/** Metrics of a process for one second. */
export interface SecondRecord {
  /** Seconds since the epoch. */
  readonly time: number;
  /** Routes with requests, as `GET /todos/{id}`. */
  readonly routes: readonly string[];
  /** Metrics of these routes, concatenated. */
  readonly requests: Uint8Array;
  /** System and process metrics by name; absent if another record of the same second contains them. */
  readonly system?: Readonly<Record<string, number>>;
  readonly slowest: readonly SlowRequest[];
  /** Number of seconds with the same system metrics, if there is more than one: while a process rests. */
  readonly seconds?: number;
}

/** A metric over several seconds. */
export class Gauge {
  mean = 0;
  max = Number.NEGATIVE_INFINITY;
  private weight = 0;

  /** Adds a mean of `samples` samples, and their maximum. */
  add(mean: number, max: number, samples: number): void {
    this.weight += samples;
    this.mean += ((mean - this.mean) * samples) / this.weight;
    if (max > this.max) this.max = max;
  }
}

/** Metrics of a period on one instance. */
export class Slot {
  readonly level: LevelSeconds;
  /** Start in seconds since the epoch. */
  readonly time: number;
  /** The process that creates the slot; it rewrites the whole slot when it grows. */
  readonly writer: string;
  /** Number of recorded seconds. */
  samples = 0;
  readonly requests = new Map<string, RequestStats>();
  readonly system = new Map<string, Gauge>();
  readonly slowest = new Slowest();

  constructor(level: LevelSeconds, time: number, writer: string) {
    this.level = level;
    this.time = time;
    this.writer = writer;
  }

  add({ routes, requests, system, slowest }: SecondRecord): void {
    if (system) this.samples++;
    const reader = new VarintReader(requests);
    for (const route of routes) this.statsOf(route).read(reader);
    for (const name in system) this.gaugeOf(name).add(system[name]!, system[name]!, 1);
    this.slowest.merge(slowest);
  }

  statsOf(route: string): RequestStats {
    return getOrMake(this.requests, route, () => new RequestStats());
  }

  gaugeOf(name: string): Gauge {
    return getOrMake(this.system, name, () => new Gauge());
  }
}

export function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
