import type { CheckResult } from "./checks/index.ts";
import { type FencedPeriod, fencedPeriods } from "./checks/interruptions.ts";
import type { Evidence } from "./evidence.ts";
import { table } from "./markdown.ts";
import { describeFault, type Fault } from "./plan.ts";
import type { StoredRun } from "./records.ts";

/** The report of a run, in Markdown. */
export function writeFleetReport(
  evidence: Evidence,
  checks: readonly CheckResult[],
  plan: readonly Fault[],
): string {
  return [
    "### Checks\n",
    table(["Check", "Result"], checks.map(describeCheck)),
    ...checks.flatMap(listViolations),
    "\n### Measurements\n",
    table(["What", "Value"], measure(evidence)),
    "\n### Faults\n",
    table(
      ["Second", "Fault"],
      plan.map((fault) => [fault.at.toFixed(1), describeFault(fault)]),
    ),
  ].join("\n");
}

function describeCheck({ name, violations }: CheckResult): [string, string] {
  return [name, violations.length === 0 ? "passed" : `**${violations.length} violations**`];
}

function listViolations({ name, violations }: CheckResult): string[] {
  if (violations.length === 0) return [];
  return [`\nViolations of "${name}":\n`, ...violations.slice(0, 20).map((violation) => `- ${violation}`)];
}

function measure(evidence: Evidence): [string, string][] {
  const { runs, calls, incidents, jobs, window } = evidence;
  const own = new Set(jobs.map(({ id }) => id));
  const ofJobs = runs.filter(({ job_id }) => own.has(job_id));
  const first = ofJobs.filter(({ attempt }) => attempt === 1);
  const delays = first.map(({ started_at, scheduled_at }) => started_at - scheduled_at);
  const fences = fencedPeriods(evidence.records);
  const rejoins = fences.flatMap(({ from, to }) => (Number.isFinite(to) ? [to - from] : []));
  const perInstance = [...Map.groupBy(calls, ({ instance }) => instance)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([instance, list]) => `${instance}: ${list.length}`);
  return [
    ["Duration", seconds(window.to - window.from)],
    ["Ticks that began", `${first.length}`],
    ["Runs, including retries", `${ofJobs.length}`],
    ["Calls of functions", `${calls.length} (${perInstance.join(", ")})`],
    ["Runs by status", countText(ofJobs, ({ status }) => status)],
    ["Retries", `${ofJobs.length - first.length}`],
    ["Highest attempt", `${Math.max(1, ...ofJobs.map(({ attempt }) => attempt))}`],
    ["Kills", `${incidents.filter(({ kind }) => kind === "kill").length}`],
    ["Interrupted runs by reason", countText(interrupted(ofJobs), reasonOf)],
    ["Delay of a tick: median, p99, worst", spread(delays)],
    ["From a kill until its runs are interrupted: median, p99, worst", spread(giveUpTimes(evidence))],
    ["From a kill until its run is retried: median, p99, worst", spread(retryTimes(evidence))],
    ["Instances that fenced themselves", `${fences.length}`],
    ["Time until a fenced instance rejoined: median, p99, worst", spread(rejoins)],
    [
      "From the return of the database until the last fenced instance is back, for each outage",
      recoveryTimes(evidence),
    ],
  ];
}

const interrupted = (runs: readonly StoredRun[]) => runs.filter(({ status }) => status === "interrupted");

function reasonOf({ output }: StoredRun): string {
  return /Interrupted: ([^"]*)/.exec(output)?.[1] ?? "no reason";
}

/** The runs that a kill ended. */
function killedRuns({ calls, incidents }: Evidence): { run: string; at: number }[] {
  const kills = new Map(incidents.flatMap(({ kind, pid, from }) => (kind === "kill" ? [[pid, from]] : [])));
  return calls.flatMap(({ run, pid, end }) => {
    const at = kills.get(pid);
    return end === undefined && at !== undefined ? [{ run, at }] : [];
  });
}

function giveUpTimes(evidence: Evidence): number[] {
  return killedRuns(evidence).flatMap(({ run, at }) => {
    const seen = evidence.lastSeenRunning(run);
    return seen === undefined ? [] : [Math.max(0, seen - at)];
  });
}

function retryTimes(evidence: Evidence): number[] {
  const { runs, wallShiftMs } = evidence;
  const byId = new Map(runs.map((run) => [run.id, run]));
  return killedRuns(evidence).flatMap(({ run, at }) => {
    const killed = byId.get(run);
    const next = runs.find(
      ({ job_id, scheduled_at, attempt }) =>
        job_id === killed?.job_id && scheduled_at === killed.scheduled_at && attempt === killed.attempt + 1,
    );
    return next === undefined ? [] : [next.started_at - wallShiftMs - at];
  });
}

/** The time until the last instance that was fenced by an outage is back. */
function recoveryTimes({ incidents, records }: Evidence): string {
  const fences = fencedPeriods(records);
  const times = incidents.flatMap(({ kind, from, to }) => {
    const isLost = (fence: FencedPeriod) => fence.from > from && fence.from < to;
    // An instance that was killed while it was fenced does not come back.
    const back =
      kind === "outage" ? fences.filter((fence) => isLost(fence) && Number.isFinite(fence.to)) : [];
    return back.length === 0 ? [] : [Math.max(...back.map((fence) => fence.to - to))];
  });
  return times.map(seconds).join(", ") || "none";
}

function countText<T>(items: readonly T[], keyOf: (item: T) => string): string {
  const groups = [...Map.groupBy(items, keyOf)].map(([key, list]) => `${key}: ${list.length}`);
  return groups.sort().join("; ") || "none";
}

function spread(values: readonly number[]): string {
  if (values.length === 0) return "none";
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  return [at(0.5), at(0.99), sorted.at(-1)!].map(seconds).join(", ");
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
