import type { LongRequests } from "../../../http/index.ts";
import type { SystemSample } from "../system/sampler.ts";
import type { StoreProblem } from "./health.ts";

/** Inputs of the health status. */
export interface Circumstances {
  readonly isDraining: boolean;
  /** Data that cannot be stored. */
  readonly storeProblems: readonly StoreProblem[];
  /** Requests of the last minute, or of five minutes if there were too few; `failed` is the number of 5xx responses. */
  readonly requests: { readonly count: number; readonly failed: number; readonly minutes: number };
  /** System metrics of the last minute, per second. */
  readonly seconds: readonly SystemSample[];
  /** Requests in flight that are older than `longRequestMs` and have no response yet. */
  readonly longRequests: LongRequests;
  readonly longRequestMs: number;
  readonly diskForecast?: { readonly growthPerDay?: number; readonly daysToFull?: number };
}

export type VerdictStatus = "healthy" | "degraded" | "failing" | "draining";

/** The health status and its reasons. */
export interface HealthStatus {
  readonly status: VerdictStatus;
  /** One sentence each. */
  readonly reasons: string[];
}

/** Thresholds for "degraded" and "failing". */
export const thresholds = {
  failedRatio: { degraded: 0.05, failing: 0.25 },
  loopDelayMs: { degraded: 200, failing: 1_000 },
  diskFreeRatio: { degraded: 0.05, failing: 0.01 },
  daysToFull: 1,
  memoryRatio: { degraded: 0.9, failing: 0.97 },
} as const;

/** Minimum samples: ratios of fewer requests, or means over fewer seconds, are not meaningful. */
export const leastRequests = 20;
const leastSeconds = 10;

type HealthIssue = StoreProblem;

export function evaluateHealth(circumstances: Circumstances): HealthStatus {
  const complaints = [
    ...circumstances.storeProblems,
    evaluateRequests(circumstances),
    evaluateLongRequests(circumstances),
    evaluateLoop(circumstances),
    evaluateDisk(circumstances),
    evaluateDiskGrowth(circumstances),
    evaluateContainer(circumstances),
    evaluateHeap(circumstances),
  ].filter((complaint) => complaint !== undefined);
  const reasons = complaints.map(({ reason }) => reason);
  if (circumstances.isDraining) return { status: "draining", reasons: [stopping, ...reasons] };
  const isFailing = complaints.some(({ status }) => status === "failing");
  const isBad = complaints.length > 0;
  return { status: isFailing ? "failing" : isBad ? "degraded" : "healthy", reasons };
}

const stopping = "The server is shutting down and accepts no new requests.";

function evaluateRequests({ requests }: Circumstances): HealthIssue | undefined {
  const { count, failed, minutes } = requests;
  const status = count < leastRequests ? undefined : rate(failed / count, thresholds.failedRatio);
  const time = minutes === 1 ? "the last minute" : `the last ${minutes} minutes`;
  const of = `${count.toLocaleString("en")} requests in ${time}`;
  return status && { status, reason: `${percent(failed / count)} of the ${of} failed with a 5xx status.` };
}

/** Counts only requests that have arrived completely, so that slow clients cannot change the status. */
function evaluateLongRequests({ longRequests, longRequestMs }: Circumstances): HealthIssue | undefined {
  const { handling, listed } = longRequests;
  const [first] = listed;
  if (handling === 0 || !first) return undefined;
  const subject = handling === 1 ? "1 request has" : `${handling.toLocaleString("en")} requests have`;
  const limit = `${longRequestMs / 1_000} s`;
  const route = `${first.method} ${first.route ?? "(no route)"}`;
  const age = `${Math.floor(first.ageMs / 1_000).toLocaleString("en")} s`;
  return {
    status: "degraded",
    reason: `${subject} had no response for more than ${limit}. The oldest is ${route}, after ${age}.`,
  };
}

/** A single long pause is not a problem when it is reported; a loop that is late in every second is. */
function evaluateLoop({ seconds }: Circumstances): HealthIssue | undefined {
  const delay = meanOf(seconds, "loop.delay_p99_ms");
  const status = delay === undefined ? undefined : rate(delay, thresholds.loopDelayMs);
  const reason = `The event loop delay was ${Math.round(delay ?? 0).toLocaleString("en")} ms in the last minute (p99): the main thread is blocked.`;
  return status && { status, reason };
}

function evaluateDisk({ seconds }: Circumstances): HealthIssue | undefined {
  const { "disk.available_bytes": free, "disk.used_bytes": used } = seconds.at(-1) ?? {};
  if (free === undefined || used === undefined || free + used === 0) return undefined;
  const { degraded, failing } = thresholds.diskFreeRatio;
  // Like df: space reserved for root or beyond a quota is not counted.
  const ratio = free / (free + used);
  if (ratio >= degraded) return undefined;
  const reason = `The disk of the data folder has ${percent(ratio)} free: ${size(free)} of ${size(free + used)}.`;
  return { status: ratio < failing ? "failing" : "degraded", reason };
}

function evaluateDiskGrowth({ diskForecast = {} }: Circumstances): HealthIssue | undefined {
  const { daysToFull, growthPerDay } = diskForecast;
  if (daysToFull === undefined || growthPerDay === undefined) return undefined;
  if (daysToFull >= thresholds.daysToFull) return undefined;
  const hours = Math.max(1, Math.round(daysToFull * 24));
  const time = hours === 1 ? "an hour" : `${hours} hours`;
  const reason = `The disk of the data folder will be full in about ${time}: usage grows by ${size(growthPerDay)} per day.`;
  return { status: "degraded", reason };
}

function evaluateContainer({ seconds }: Circumstances): HealthIssue | undefined {
  const used = meanOf(seconds, "container.memory_used_bytes");
  const limit = seconds.at(-1)?.["container.memory_limit_bytes"];
  const status = used === undefined || !limit ? undefined : rate(used / limit, thresholds.memoryRatio);
  return (
    status && {
      status,
      reason: `The container uses ${percent(used! / limit!)} of its memory limit: ${size(used!)} of ${size(limit!)}.`,
    }
  );
}

/** A full heap ends the process, regardless of the available memory. */
function evaluateHeap({ seconds }: Circumstances): HealthIssue | undefined {
  const used = meanOf(seconds, "process.heap_used_bytes");
  const limit = seconds.at(-1)?.["process.heap_limit_bytes"];
  const status = used === undefined || !limit ? undefined : rate(used / limit, thresholds.memoryRatio);
  return (
    status && {
      status,
      reason: `The heap is ${percent(used! / limit!)} full: ${size(used!)} of ${size(limit!)}.`,
    }
  );
}

function rate(value: number, { degraded, failing }: { degraded: number; failing: number }) {
  if (value >= failing) return "failing";
  return value >= degraded ? "degraded" : undefined;
}

/** Undefined if there are too few samples. */
function meanOf(seconds: readonly SystemSample[], name: string): number | undefined {
  const values = seconds.map((second) => second[name]).filter((value) => value !== undefined);
  if (values.length < leastSeconds) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const percent = (ratio: number) => `${Number((ratio * 100).toFixed(1))} %`;

/** Decimal units. */
function size(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB", "PB"];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${Number((bytes / 1_000 ** power).toPrecision(3))} ${units[power]}`;
}
