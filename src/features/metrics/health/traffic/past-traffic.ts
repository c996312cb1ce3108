import type { PastIssue } from "../../../../feature/index.ts";
import { RequestStats } from "../../requests/request-stats.ts";
import { type Period, type ReadRoutes, ReferenceTable } from "./reference-table.ts";
import type { References } from "./references.ts";
import { type LimitOptions, limitsFrom } from "./route-limits.ts";
import { type TimedFinding, toIssues } from "./traffic-issues.ts";
import {
  isEvaluated,
  partCount,
  type TrafficFinding,
  type TrafficLimits,
  type TrafficRule,
  trafficRules,
} from "./traffic-rules.ts";

/** The requests of each route, by step. */
export interface RecordedTraffic extends Period {
  /** In seconds. */
  readonly step: number;
  /** By route. A step without requests is undefined. */
  readonly routes: ReadonlyMap<string, readonly (RequestStats | undefined)[]>;
}

export interface PastTrafficOptions {
  readonly period: Period;
  readonly limits: LimitOptions;
  readRoutes: ReadRoutes;
  /** Reads the requests of each route in so many steps. */
  readSteps(period: Period, points: number): Promise<RecordedTraffic>;
}

/** The window moves over the period in this many steps. */
const steps = 60;

/**
 * Finds error rates and latencies that were too high in a period, with the rules of the present. The past of the period
 * is the hour before it, and the same hour of the day before.
 */
export async function findPastTraffic(options: PastTrafficOptions): Promise<PastIssue[]> {
  const { period, limits, readRoutes, readSteps } = options;
  const limitsOf = limitsFrom(limits);
  const references = new ReferenceTable(readRoutes);
  await references.refresh(period.from, 0);
  const recorded = await readSteps(period, steps);
  const total = sumOf(recorded, (route) => isEvaluated(limitsOf(route)));
  const all = [[undefined, total] as const, ...recorded.routes];
  return trafficRules.flatMap((rule) => {
    const found = new Map<string | undefined, TimedFinding>();
    for (const [route, stats] of all) {
      const finding = findSpan(rule, stats, references.of(route), limitsOf(route));
      if (finding) found.set(route, toTimed(finding, recorded));
    }
    const ends = new Map([...found].map(([route, { until }]) => [route, until!]));
    return toIssues(found).map((issue) => {
      const { route } = issue.link?.params ?? {};
      const until = ends.get(route);
      return { ...issue, ...(until !== undefined && { until: until * 1_000 }) };
    });
  });
}

interface Span {
  readonly first: number;
  /** The step after the last one. */
  readonly end: number;
  readonly finding: TrafficFinding;
}

/** Moves a window over the steps, and joins the times at which the rule applies. */
function findSpan(
  rule: TrafficRule,
  stats: readonly (RequestStats | undefined)[],
  references: References,
  limits: TrafficLimits,
): Span | undefined {
  const parts = stats.map((each) => (each ? [each] : []));
  const found: Span[] = [];
  for (let first = 0; first + partCount <= Math.max(parts.length, partCount); first++) {
    const finding = rule(parts.slice(first, first + partCount), references, limits);
    if (finding) found.push({ first: first + finding.firstBad, end: first + partCount, finding });
  }
  if (found.length === 0) return undefined;
  const worst = found.reduce((one, other) => (other.finding.bad > one.finding.bad ? other : one));
  return { first: found[0]!.first, end: found.at(-1)!.end, finding: worst.finding };
}

function toTimed({ first, end, finding }: Span, { from, to, step }: RecordedTraffic): TimedFinding {
  return { since: from + first * step, until: Math.min(to, from + end * step), finding };
}

function sumOf(
  { routes, from, to, step }: RecordedTraffic,
  counts: (route: string) => boolean,
): (RequestStats | undefined)[] {
  const counted = [...routes].filter(([route]) => counts(route)).map(([, stats]) => stats);
  return Array.from({ length: Math.round((to - from) / step) }, (_, index) => {
    const parts = counted.flatMap((stats) => stats[index] ?? []);
    if (parts.length === 0) return undefined;
    const sum = new RequestStats();
    for (const part of parts) sum.merge(part);
    return sum;
  });
}
