import { VarintReader } from "../../lib/varints.ts";
import { RequestStats } from "../requests/request-stats.ts";
import { Slowest, type SlowRequest } from "../requests/slowest.ts";
import type { LevelSeconds } from "./levels.ts";

/** What a process saw in one second. */
export interface SecondRecord {
  /** Seconds since the epoch. */
  readonly time: number;
  /** The routes that had requests, as `GET /todos/{id}`. */
  readonly routes: readonly string[];
  /** What they came to, one after the other. */
  readonly requests: Uint8Array;
  /** Figures of the machine and the process, by name; absent from a part of a second that another one tells of. */
  readonly system?: Readonly<Record<string, number>>;
  readonly slowest: readonly SlowRequest[];
}

/** A figure over some seconds. */
export class Gauge {
  mean = 0;
  max = Number.NEGATIVE_INFINITY;
  private weight = 0;

  /** Adds a mean of that many samples and the largest of them. */
  add(mean: number, max: number, samples: number): void {
    this.weight += samples;
    this.mean += ((mean - this.mean) * samples) / this.weight;
    if (max > this.max) this.max = max;
  }
}

/** What happened in a stretch of time on one instance. */
export class Slot {
  readonly level: LevelSeconds;
  /** When it begins, in seconds since the epoch. */
  readonly time: number;
  /** Who puts it together; whoever does writes the whole slot again when it has grown. */
  readonly writer: string;
  /** How many seconds of it have been seen. */
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
