import type { HealthIssue } from "../../../../feature/index.ts";
import type { RequestStats } from "../../requests/request-stats.ts";
import { keptSlices, RecentTraffic, sliceSeconds } from "./recent-traffic.ts";
import type { References } from "./references.ts";
import { toIssues } from "./traffic-issues.ts";
import {
  isEvaluated,
  partCount,
  type TrafficFinding,
  type TrafficLimits,
  type TrafficRule,
  trafficRules,
  type Window,
} from "./traffic-rules.ts";

export interface TrafficMonitorOptions {
  /** The limits of a route, or of all requests. */
  limitsOf(route: string | undefined): TrafficLimits;
  /** The past of a route, or of all requests. */
  referencesOf(route: string | undefined): References;
}

/** A problem that has begun and is not over. */
interface OpenFinding {
  /** In seconds since the epoch. */
  readonly since: number;
  lastBad: number;
  finding: TrafficFinding;
  /** The past at its beginning. Later, the past contains the problem itself. */
  readonly references: References;
}

/** A problem is over when it has not been found for this long, so that the status does not flicker. */
const calmSeconds = 60;
/** For the same reason, it is over only when the value is clearly below the limit. */
const stillBad = 0.8;

/**
 * Finds error rates and latencies that are too high, of all requests and of each route. Every ten seconds, it evaluates
 * the last minute and the last five minutes.
 */
export class TrafficMonitor {
  private readonly options: TrafficMonitorOptions;
  private readonly traffic = new RecentTraffic();
  private readonly open = new Map<TrafficRule, Map<string | undefined, OpenFinding>>(
    trafficRules.map((rule) => [rule, new Map()]),
  );

  constructor(options: TrafficMonitorOptions) {
    this.options = options;
  }

  /** Begins a second, given as seconds since the epoch. Call it even without requests. */
  advance(time: number): void {
    if (this.traffic.advance(time)) this.evaluate(time);
  }

  /** Adds requests of a route in the current second. */
  add(route: string, stats: RequestStats): void {
    this.traffic.add(route, stats, isEvaluated(this.options.limitsOf(route)));
  }

  issues(): HealthIssue[] {
    return [...this.open.values()].flatMap(toIssues);
  }

  private evaluate(now: number): void {
    const known = [...this.open.values()].flatMap((byRoute) => [...byRoute.keys()]);
    for (const route of new Set([undefined, ...this.traffic.routes(), ...known])) {
      const slices = this.traffic.slicesOf(route, keptSlices);
      const windows = [windowOf(slices.slice(-partCount)), windowOf(slices)];
      for (const rule of trafficRules) this.apply(rule, route, windows, now);
    }
  }

  private apply(rule: TrafficRule, route: string | undefined, windows: readonly Window[], now: number): void {
    const byRoute = this.open.get(rule)!;
    const known = byRoute.get(route);
    const references = known?.references ?? this.options.referencesOf(route);
    const limits = this.options.limitsOf(route);
    for (const window of windows) {
      const finding = rule(window, references, limits, known ? stillBad : 1);
      if (!finding) continue;
      const seconds = window === windows[0] ? sliceSeconds : (keptSlices / partCount) * sliceSeconds;
      const since = this.traffic.end - (partCount - finding.firstBad) * seconds;
      byRoute.set(route, { since: known?.since ?? since, lastBad: now, finding, references });
      return;
    }
    if (known && now - known.lastBad >= calmSeconds) byRoute.delete(route);
  }
}

/** Joins slices to the parts of a window. */
function windowOf(slices: readonly (RequestStats | undefined)[]): Window {
  const perPart = slices.length / partCount;
  return Array.from({ length: partCount }, (_, part) =>
    slices.slice(part * perPart, (part + 1) * perPart).filter((slice) => slice !== undefined),
  );
}
