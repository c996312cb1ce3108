import type { HealthIssue } from "../../../feature/index.ts";
import type { LongRequests } from "../../../http/index.ts";
import type { SystemSample } from "../system/sampler.ts";
import type { Stall } from "../wire/stalls.ts";
import { nameMainCause } from "./main-cause.ts";
import { percent, size } from "./words.ts";

/** The state of the process and the machine. */
export interface SystemState {
  /** System metrics of the last minute, per second. */
  readonly seconds: readonly SystemSample[];
  /** Requests in flight that are older than `longRequestMs` and have no response yet. */
  readonly longRequests: LongRequests;
  readonly longRequestMs: number;
  /** The stalls of the last minute. Default: none. */
  readonly stalls?: readonly Stall[];
  readonly diskForecast?: { readonly growthPerDay?: number; readonly daysToFull?: number };
}

/** Thresholds for "degraded" and "failing". */
export const thresholds = {
  loopDelayMs: { degraded: 200, failing: 1_000 },
  diskFreeRatio: { degraded: 0.05, failing: 0.01 },
  daysToFull: 1,
  memoryRatio: { degraded: 0.9, failing: 0.97 },
} as const;

/** Means over fewer seconds are not meaningful. */
const leastSeconds = 10;

/** Issues of the event loop, the memory, the disk, and requests without a response. */
export function findSystemIssues(state: SystemState): HealthIssue[] {
  return [
    evaluateLongRequests(state),
    evaluateLoop(state),
    evaluateDisk(state),
    evaluateDiskGrowth(state),
    evaluateContainer(state),
    evaluateHeap(state),
  ].filter((issue) => issue !== undefined);
}

const overview = { page: "overview" };
const storage = { page: "config", params: { tab: "storage" } };

/** Counts only requests that have arrived completely, so that slow clients cannot change the status. */
function evaluateLongRequests({ longRequests, longRequestMs }: SystemState): HealthIssue | undefined {
  const { handling, listed } = longRequests;
  const [first] = listed;
  if (handling === 0 || !first) return undefined;
  const subject = handling === 1 ? "1 request has" : `${handling.toLocaleString("en")} requests have`;
  const limit = `${longRequestMs / 1_000} s`;
  const route = `${first.method} ${first.route ?? "(unmatched)"}`;
  const age = `${Math.floor(first.ageMs / 1_000).toLocaleString("en")} s`;
  return {
    id: "long requests",
    status: "degraded",
    message: `${subject} had no response for more than ${limit}. The oldest is ${route}, after ${age}.`,
    link: { page: "requests" },
  };
}

/** A single long pause is not a problem when it is reported; a loop that is late in every second is. */
function evaluateLoop({ seconds, stalls = [] }: SystemState): HealthIssue | undefined {
  const delay = meanOf(seconds, "loop.delay_p99_ms");
  const status = delay === undefined ? undefined : rate(delay, thresholds.loopDelayMs);
  const message = `The p99 of the event loop delay is ${Math.round(delay ?? 0).toLocaleString("en")} ms: the main thread is blocked.`;
  return status && { id: "event loop", status, message: message + nameMainCause(stalls), link: overview };
}

function evaluateDisk({ seconds }: SystemState): HealthIssue | undefined {
  const { "disk.available_bytes": free, "disk.used_bytes": used } = seconds.at(-1) ?? {};
  if (free === undefined || used === undefined || free + used === 0) return undefined;
  const { degraded, failing } = thresholds.diskFreeRatio;
  // Like df: space reserved for root or beyond a quota is not counted.
  const ratio = free / (free + used);
  if (ratio >= degraded) return undefined;
  const message = `The disk of the data folder has ${percent(ratio)} free: ${size(free)} of ${size(free + used)}.`;
  return { id: "disk", status: ratio < failing ? "failing" : "degraded", message, link: storage };
}

function evaluateDiskGrowth({ diskForecast = {} }: SystemState): HealthIssue | undefined {
  const { daysToFull, growthPerDay } = diskForecast;
  if (daysToFull === undefined || growthPerDay === undefined) return undefined;
  if (daysToFull >= thresholds.daysToFull) return undefined;
  const hours = Math.max(1, Math.round(daysToFull * 24));
  const time = hours === 1 ? "an hour" : `${hours} hours`;
  const message = `The disk of the data folder will be full in about ${time}: usage grows by ${size(growthPerDay)} per day.`;
  return { id: "disk growth", status: "degraded", message, link: storage };
}

function evaluateContainer({ seconds }: SystemState): HealthIssue | undefined {
  const used = meanOf(seconds, "container.memory_used_bytes");
  const limit = seconds.at(-1)?.["container.memory_limit_bytes"];
  const status = used === undefined || !limit ? undefined : rate(used / limit, thresholds.memoryRatio);
  if (!status) return undefined;
  const message = `The container uses ${percent(used! / limit!)} of its memory limit: ${size(used!)} of ${size(limit!)}.`;
  return { id: "container memory", status, message, link: overview };
}

/** A full heap ends the process, regardless of the available memory. */
function evaluateHeap({ seconds }: SystemState): HealthIssue | undefined {
  const used = meanOf(seconds, "process.heap_used_bytes");
  const limit = seconds.at(-1)?.["process.heap_limit_bytes"];
  const status = used === undefined || !limit ? undefined : rate(used / limit, thresholds.memoryRatio);
  if (!status) return undefined;
  const message = `The heap is ${percent(used! / limit!)} full: ${size(used!)} of ${size(limit!)}.`;
  return { id: "heap", status, message, link: overview };
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
