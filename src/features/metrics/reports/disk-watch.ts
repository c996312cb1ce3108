import type { AlarmClock } from "../../../lib/time/clock.ts";
import type { Caller } from "../../../lib/worker/contract.ts";
import { type DiskForecast, forecastDisk } from "../health/disk-forecast.ts";
import type { HistoryCalls } from "../history/calls.ts";
import type { SystemSample } from "../system/sampler.ts";
import type { DiskUsage } from "../wire.ts";
import { toThousandths } from "./rates.ts";

export interface DiskWatchOptions {
  readonly instance: string;
  readonly clock: AlarmClock;
  readonly callHistory: Caller<HistoryCalls>["call"];
  lastSample(): SystemSample;
}

const pastHours = 7 * 24;
const everyMs = 600_000;
/** Delayed, because startup has more important work. */
const firstMs = 60_000;
const names = ["disk.available_bytes", "disk.total_bytes", "disk.used_bytes"];

/** Usage and forecast of the disk of the data folder. */
export class DiskWatch {
  forecast: DiskForecast = {};
  private readonly options: DiskWatchOptions;
  private dueAt = Number.POSITIVE_INFINITY;

  constructor(options: DiskWatchOptions) {
    this.options = options;
  }

  start(): void {
    this.dueAt = this.options.clock.elapsed() + firstMs;
  }

  /** Updates the forecast if it is due, so that the health status does not query the history. */
  refresh(): void {
    const elapsed = this.options.clock.elapsed();
    if (elapsed < this.dueAt) return;
    this.dueAt = elapsed + everyMs;
    // History failures are reported elsewhere; the previous forecast remains in use.
    this.read().catch(() => {});
  }

  async read(): Promise<DiskUsage> {
    const { instance, clock, callHistory, lastSample } = this.options;
    const to = Math.floor(clock.now() / 1_000);
    const query = { from: to - pastHours * 3_600, to, points: pastHours, instance, names };
    const { instances, summary } = await callHistory("system", query);
    const [available, total] = names.map((name) => instances[instance]?.[name]?.mean ?? []);
    this.forecast = forecastDisk({ available: available!, total: total! });
    const sample = lastSample();
    const [free, size, used] = names.map((name) => sample[name] ?? summary[instance]?.[name]?.last);
    return toResponse({ instance, free, size, used, forecast: this.forecast });
  }
}

interface DiskFacts {
  readonly instance: string;
  readonly free: number | undefined;
  readonly size: number | undefined;
  readonly used: number | undefined;
  readonly forecast: DiskForecast;
}

function toResponse({ instance, free, size, used, forecast }: DiskFacts): DiskUsage {
  const { growthPerDay, daysToFull } = forecast;
  return {
    instance,
    free_bytes: free,
    total_bytes: size,
    // Like df: space reserved for root or beyond a quota is not counted.
    used_ratio: free !== undefined && used ? toThousandths(used / (used + free)) : undefined,
    growth_bytes_per_day: growthPerDay,
    days_to_full: daysToFull === undefined ? undefined : toThousandths(daysToFull),
  };
}
