import type { PastIssue } from "../../../feature/index.ts";
import type { Caller } from "../../../lib/worker/contract.ts";
import { bySeverity, statusOf } from "../health/health-status.ts";
import { evaluatedMetrics, findPastSystem } from "../health/past-system.ts";
import type { LimitOptions } from "../health/traffic/route-limits.ts";
import type { HistoryCalls } from "../history/calls.ts";
import type { PastHealth } from "../wire.ts";

/** In seconds since the epoch. */
export interface PastPeriod {
  readonly from: number;
  readonly to: number;
  /** Default: all instances. */
  readonly instance?: string | undefined;
}

export interface PastHealthSources {
  /** Its issues are not prefixed with its name. */
  readonly instance: string;
  readonly callHistory: Caller<HistoryCalls>["call"];
  readonly limits: LimitOptions;
  /** Issues of a period that other features report. */
  pastIssues?(from: number, to: number): Promise<readonly PastIssue[]>;
}

const maxSteps = 60;
/** Enough to name their main cause. */
const maxStalls = 1_000;

/** Finds what was wrong in a period. Jobs belong to all instances. */
export async function findPastHealth(period: PastPeriod, sources: PastHealthSources): Promise<PastHealth> {
  const { from, to, instance: only } = period;
  const { instance: own, callHistory, limits, pastIssues } = sources;
  const points = Math.min(maxSteps, Math.max(1, Math.floor((to - from) / 60)));
  const inPeriod = { from: from * 1_000, to: to * 1_000, instance: only, limit: maxStalls };
  const [traffic, system, { stalls }, others = []] = await Promise.all([
    callHistory("trafficIssues", { from, to, instance: only }, limits),
    callHistory("system", { from, to, points, instance: only, names: evaluatedMetrics }),
    callHistory("stalls", inPeriod),
    pastIssues?.(from * 1_000, to * 1_000),
  ]);
  const ofSystems = Object.entries(system.instances).flatMap(([instance, series]) =>
    findPastSystem({
      series,
      from: system.from * 1_000,
      stepMs: system.step * 1_000,
      stalls: stalls.filter((stall) => stall.instance === instance),
    }).map((issue) => ({
      ...issue,
      id: `${instance} ${issue.id}`,
      message: instance === own ? issue.message : `${instance}: ${issue.message}`,
    })),
  );
  const issues = [...traffic, ...others, ...ofSystems].sort(bySeverity);
  const reasons = issues.map((issue) => ({ ...issue, since: issue.since ?? from * 1_000 }));
  return { from: from * 1_000, to: to * 1_000, status: statusOf(issues), reasons };
}
