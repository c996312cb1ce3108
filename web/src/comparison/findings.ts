import type { RunBar } from "../../../src/features/cron/wire.ts";
import type { ClientCount } from "../../../src/features/logging/wire.ts";
import type {
  ErrorSummary,
  RequestStats,
  RouteStats,
  SystemSummary,
} from "../../../src/features/metrics/wire.ts";
import { formatCount, formatMs, formatPercent } from "../format/numbers.ts";
import { formatRoute } from "../format/routes.ts";
import type { PageName, Params } from "../state/address.ts";

/** Finds what differs between two periods of the same length, and ranks it by how much of the difference it explains. */

/** A value of both periods. */
export interface Sides<T> {
  readonly before: T;
  readonly after: T;
}

export interface Finding {
  readonly id: string;
  readonly kind: "route" | "error" | "job" | "client" | "instance";
  readonly title: string;
  /** What changed, with both values. */
  readonly changes: readonly string[];
  /** Its part of the whole difference, from 0 to 1, and of what. */
  readonly share: number;
  readonly of: "errors" | "time" | "requests" | "failed runs" | "CPU time";
  readonly page: PageName;
  readonly params: Params;
}

export interface Compared {
  readonly routes: Sides<readonly RouteStats[]>;
  readonly errors: Sides<readonly ErrorSummary[]>;
  readonly runs: Sides<readonly RunBar[]>;
  readonly clients: Sides<readonly ClientCount[]>;
  readonly instances: Sides<Readonly<Record<string, Readonly<Record<string, SystemSummary>>>>>;
}

/** More errors matter more than more time, and more time more than more requests. */
const weights = { errors: 3, "failed runs": 3, time: 2, "CPU time": 1, requests: 1 } as const;

/** All findings, those that explain most first. */
export function findDifferences(compared: Compared): Finding[] {
  const found = [
    ...compareRoutes(compared.routes),
    ...compareErrors(compared.errors),
    ...compareJobs(compared.runs),
    ...compareClients(compared.clients),
    ...compareInstances(compared.instances),
  ];
  const scoreOf = ({ share, of }: Finding) => share * weights[of];
  return found.sort((one, other) => scoreOf(other) - scoreOf(one));
}

/** Differences below this number of standard deviations are taken for chance. */
const certainty = 4;
/** A share of errors must change by this much, and a latency or a count by this factor. */
const leastShare = 0.005;
const leastFactor = 1.5;
const leastMs = 5;
const fewestRequests = 20;

const none: Pick<RequestStats, "count" | "status_5xx" | "total_ms" | "p95_ms"> = {
  count: 0,
  status_5xx: 0,
  total_ms: 0,
  p95_ms: undefined,
};

type Stats = typeof none;

function compareRoutes(routes: Sides<readonly RouteStats[]>): Finding[] {
  const pairs = pairUp(routes, ({ route }) => route);
  const sums = { errors: 0, time: 0, requests: 0 };
  const differences = pairs.map(({ id, before = none, after = none }) => {
    const size = {
      errors: Math.abs(after.status_5xx - before.status_5xx),
      time: Math.abs(after.total_ms - before.total_ms),
      requests: Math.abs(after.count - before.count),
    };
    for (const name of ["errors", "time", "requests"] as const) sums[name] += size[name];
    return { id, before, after, size };
  });
  return differences.flatMap(({ id, before, after, size }) => {
    const changes = describeRoute(before, after);
    const [best] = changes
      .map(({ of }) => ({ of, share: size[of] / (sums[of] || 1) }))
      .sort((one, other) => other.share * weights[other.of] - one.share * weights[one.of]);
    if (!best) return [];
    return [
      {
        id: `route ${id}`,
        kind: "route" as const,
        title: formatRoute(id),
        changes: changes.map(({ text }) => text),
        ...best,
        page: "requests" as const,
        params: { tab: "routes", route: id },
      },
    ];
  });
}

function describeRoute(before: Stats, after: Stats) {
  const changes: { readonly of: "errors" | "time" | "requests"; readonly text: string }[] = [];
  if (differInShare(before, after))
    changes.push({
      of: "errors",
      text: `${formatPercent(failed(after))} errors, ${formatPercent(failed(before))} before`,
    });
  const [slow, fast] = [after.p95_ms, before.p95_ms];
  const hasEnough = Math.min(after.count, before.count) >= fewestRequests;
  if (
    hasEnough &&
    slow !== undefined &&
    fast !== undefined &&
    isFactor(slow, fast) &&
    Math.abs(slow - fast) >= leastMs
  )
    changes.push({ of: "time", text: `p95 ${formatMs(slow)}, ${formatMs(fast)} before` });
  if (differInCount(before.count, after.count))
    changes.push({
      of: "requests",
      text: `${formatCount(after.count)} requests, ${formatCount(before.count)} before`,
    });
  return changes;
}

const failed = ({ count, status_5xx }: Stats) => (count === 0 ? 0 : status_5xx / count);

/** Compares two proportions with a pooled z-test. */
function differInShare(before: Stats, after: Stats): boolean {
  if (before.count === 0 || after.count === 0) return false;
  const distance = failed(after) - failed(before);
  if (Math.abs(distance) < leastShare) return false;
  const pooled = (before.status_5xx + after.status_5xx) / (before.count + after.count);
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / before.count + 1 / after.count));
  return Math.abs(distance) >= certainty * deviation;
}

/** Compares two counts of independent events, whose difference varies by the root of their sum. */
function differInCount(before: number, after: number): boolean {
  return isFactor(before, after) && Math.abs(after - before) >= certainty * Math.sqrt(after + before);
}

function isFactor(one: number, other: number): boolean {
  return Math.max(one, other) >= leastFactor * Math.min(one, other);
}

function compareErrors(errors: Sides<readonly ErrorSummary[]>): Finding[] {
  const pairs = pairUp(errors, ({ fingerprint }) => fingerprint).map((pair) => ({
    ...pair,
    size: Math.abs((pair.after?.count ?? 0) - (pair.before?.count ?? 0)),
  }));
  const sum = pairs.reduce((total, { size }) => total + size, 0) || 1;
  return pairs.flatMap(({ id, before, after, size }) => {
    const [was, is] = [before?.count ?? 0, after?.count ?? 0];
    // One error is enough if it is new.
    if (was > 0 && !differInCount(was, is)) return [];
    if (size === 0) return [];
    const { type, origin } = (after ?? before)!;
    return [
      {
        id: `error ${id}`,
        kind: "error" as const,
        title: `${type} in ${formatRoute(origin)}`,
        changes: [
          was === 0
            ? `new, ${formatCount(is)} ${is === 1 ? "time" : "times"}`
            : `${formatCount(is)} times, ${formatCount(was)} before`,
        ],
        share: size / sum,
        of: "errors" as const,
        page: "errors" as const,
        params: { error: id },
      },
    ];
  });
}

function compareJobs(runs: Sides<readonly RunBar[]>): Finding[] {
  const countOf = (list: readonly RunBar[]) => {
    const ended = list.filter(({ status }) => status !== "running");
    return [...Map.groupBy(ended, ({ job_id }) => job_id)].map(([id, own]) => ({
      id,
      name: own[0]!.job_name,
      count: own.length,
      failed: own.filter(({ status }) => status !== "success").length,
    }));
  };
  const pairs = pairUp({ before: countOf(runs.before), after: countOf(runs.after) }, ({ id }) => id)
    .map((pair) => ({ ...pair, size: Math.abs((pair.after?.failed ?? 0) - (pair.before?.failed ?? 0)) }))
    // A job that fails every time fails more often in a longer time, which explains nothing.
    .filter(({ size, before, after }) => size > 0 && failedRuns(before) !== failedRuns(after));
  const sum = pairs.reduce((total, { size }) => total + size, 0) || 1;
  const describe = (side: { count: number; failed: number } | undefined) =>
    side ? `${side.failed} of ${side.count} runs failed` : "no runs";
  return pairs.map(({ id, before, after, size }) => ({
    id: `job ${id}`,
    kind: "job" as const,
    title: (after ?? before)!.name,
    changes: [`${describe(after)}, before: ${describe(before)}`],
    share: size / sum,
    of: "failed runs" as const,
    page: "cron" as const,
    params: { job: id },
  }));
}

const failedRuns = (side: { count: number; failed: number } | undefined) =>
  side ? side.failed / side.count : 0;

function compareClients(clients: Sides<readonly ClientCount[]>): Finding[] {
  const pairs = pairUp(clients, ({ ip }) => ip).map((pair) => ({
    ...pair,
    size: Math.abs((pair.after?.count ?? 0) - (pair.before?.count ?? 0)),
  }));
  const sum = pairs.reduce((total, { size }) => total + size, 0) || 1;
  return pairs.flatMap(({ id, before, after, size }) => {
    const [was, is] = [before?.count ?? 0, after?.count ?? 0];
    if (!differInCount(was, is)) return [];
    return [
      {
        id: `client ${id}`,
        kind: "client" as const,
        title: id,
        changes: [`${formatCount(is)} requests, ${formatCount(was)} before`],
        share: size / sum,
        of: "requests" as const,
        page: "requests" as const,
        params: { q: `ip:${id}` },
      },
    ];
  });
}

const cpu = "process.cpu_ratio";
/** A tenth of a core. */
const leastCpu = 0.1;

function compareInstances({ before, after }: Compared["instances"]): Finding[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const pairs = names.map((id) => {
    const [was, is] = [before[id]?.[cpu]?.mean, after[id]?.[cpu]?.mean];
    return { id, was, is, size: Math.abs((is ?? 0) - (was ?? 0)) };
  });
  const sum = pairs.reduce((total, { size }) => total + size, 0) || 1;
  return pairs.flatMap(({ id, was, is, size }) => {
    const text = describeInstance(was, is);
    if (text === undefined) return [];
    return [
      {
        id: `instance ${id}`,
        kind: "instance" as const,
        title: id,
        changes: [text],
        share: size / sum,
        of: "CPU time" as const,
        page: "overview" as const,
        params: { instance: id },
      },
    ];
  });
}

function describeInstance(was: number | undefined, is: number | undefined): string | undefined {
  if (was === undefined) return is === undefined ? undefined : "not running before";
  if (is === undefined) return "not running any more";
  if (Math.abs(is - was) < leastCpu || !isFactor(is, was)) return undefined;
  return `${formatPercent(is)} of a core, ${formatPercent(was)} before`;
}

interface Pair<T> {
  readonly id: string;
  readonly before?: T;
  readonly after?: T;
}

function pairUp<T>({ before, after }: Sides<readonly T[]>, idOf: (item: T) => string): Pair<T>[] {
  const pairs = new Map<string, Pair<T>>();
  for (const item of before) pairs.set(idOf(item), { id: idOf(item), before: item });
  for (const item of after) pairs.set(idOf(item), { ...pairs.get(idOf(item)), id: idOf(item), after: item });
  return [...pairs.values()];
}
