import { RequestStats } from "../../requests/request-stats.ts";
import { type References, type UsualLimit, usualLimit } from "./references.ts";
import { isBad, isPersistent, type Part, sum } from "./share.ts";

/** A limit, above which a value is a problem. */
export interface Limit {
  readonly value: number;
  /** Whether lower values are never a problem, even if they are unusual. */
  readonly isFixed?: boolean;
}

/** Limits of a route, or of all requests. */
export interface TrafficLimits {
  /** Of the share of 5xx responses. */
  readonly errorShare: Limit;
  readonly p95Ms: Limit;
}

/** A number of requests that is too high, in a window. */
export interface TrafficFinding {
  readonly kind: "errors" | "latency";
  /** Bad requests: those that failed, or those that were too slow. */
  readonly bad: number;
  readonly count: number;
  /** Share of failed requests, or the p95 in milliseconds. */
  readonly value: number;
  /** The absolute limit that is exceeded, or the limit that follows from the past. */
  readonly limit: number;
  /** Set if the value is unusual. */
  readonly past?: UsualLimit | undefined;
  /** Index of the first part of the window that was bad, and of those after it. */
  readonly firstBad: number;
}

/** The number of parts of a window: ten seconds each of a minute, or fifty of five minutes. */
export const partCount = 6;

/** A window in parts of equal length, the oldest first; each part is a list of stats. */
export type Window = readonly (readonly RequestStats[])[];

/** An error rate is unusual if it is three times the past, and at least one percent more. */
const errorLimit = (share: number) => Math.max(3 * share, share + 0.01);
/** A latency is unusual if it has doubled, and people can notice the difference. */
const latencyLimit = (ms: number) => Math.max(2 * ms, ms + 50);
/** At most this share of requests may be slower than the limit of the p95. */
const slowShare = 0.05;

/** Finds an error rate that is too high, or unusually high. The limit is multiplied by `margin`. */
export function findErrors(
  window: Window,
  references: References,
  { errorShare }: TrafficLimits,
  margin = 1,
): TrafficFinding | undefined {
  const parts = toParts(window, (stats) => stats.classes[5]!);
  const past = errorShare.isFixed
    ? undefined
    : usualLimit(references, ({ failedShare }) => failedShare, errorLimit);
  const limit = margin * Math.min(errorShare.value, past?.limit ?? errorShare.value);
  if (!isPersistent(parts, limit)) return undefined;
  const { count, bad } = totalOf(parts);
  const isUnusual = past !== undefined && bad / count > margin * past.limit;
  return {
    ...{ kind: "errors", count, bad, limit: limit / margin, value: bad / count },
    ...(isUnusual && { past }),
    firstBad: parts.findIndex((part) => isBad(part, limit)),
  };
}

/** Finds a p95 that is too high, or unusually high: certainly more than 5 % of the requests are slower than its limit. */
export function findSlowness(
  window: Window,
  references: References,
  { p95Ms }: TrafficLimits,
  margin = 1,
): TrafficFinding | undefined {
  const past = p95Ms.isFixed
    ? undefined
    : usualLimit(references, (reference) => reference.p95Ms, latencyLimit);
  const limit = margin * Math.min(p95Ms.value, past?.limit ?? p95Ms.value);
  const parts = toParts(window, ({ durations }) => durations.above(limit * 1_000));
  if (!isPersistent(parts, slowShare)) return undefined;
  const { count, bad } = totalOf(parts);
  const value = p95Of(window.flat());
  const isUnusual = past !== undefined && value > margin * past.limit;
  return {
    ...{ kind: "latency", count, bad, limit: limit / margin, value },
    ...(isUnusual && { past }),
    firstBad: parts.findIndex((part) => isBad(part, slowShare)),
  };
}

function toParts(window: Window, badOf: (stats: RequestStats) => number): Part[] {
  return window.map((list) => ({ count: sum(list, ({ count }) => count), bad: sum(list, badOf) }));
}

function totalOf(parts: readonly Part[]): Part {
  return { count: sum(parts, ({ count }) => count), bad: sum(parts, ({ bad }) => bad) };
}

/** In milliseconds. */
function p95Of(list: readonly RequestStats[]): number {
  const total = new RequestStats();
  for (const stats of list) total.merge(stats);
  const [p95 = 0] = total.durations.percentiles([0.95]) ?? [];
  return Math.min(p95, total.longestUs) / 1_000;
}

export type TrafficRule = typeof findErrors;

export const trafficRules: readonly TrafficRule[] = [findErrors, findSlowness];

/** Whether a route counts in the total. The latency of a stream says nothing, so it would distort the total. */
export function isEvaluated({ p95Ms }: TrafficLimits): boolean {
  return p95Ms.value !== Number.POSITIVE_INFINITY;
}
