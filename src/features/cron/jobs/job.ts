import type { StandardSchemaV1 } from "@standard-schema/spec";
import { defined } from "../../../lib/defined.ts";
import { ApiError } from "../../../lib/errors/errors.ts";
import { hourMs } from "../../../lib/time/units.ts";
import { INVALID_JOB, JOB_ID_RESERVED } from "../errors.ts";
import { parseSchedule, type Schedule } from "../planning/schedule.ts";
import { parseTimezone, type Timezone } from "../planning/timezone.ts";
import type { OnInterrupt, RetryOptions, RetryPlan } from "../queue/retry-plan.ts";
import type { JobFunction, Overlap, RunnableJob } from "../runs/runnable-job.ts";

/** What to do with ticks that were missed while no instance was running. */
export type CatchUp = "skip" | "once";

/** Options of a job, such as `{ timeoutMs: 60_000, overlap: "queue", retries: 3 }`. */
export interface JobOptions<Parameters = unknown> {
  /** Time limit in milliseconds, after which the run is aborted. Default: no limit. */
  timeoutMs?: number | undefined;
  /**
   * What to do with a tick while the previous run is in progress: "skip" drops it, "queue" runs it afterwards, "allow"
   * runs both in parallel. Default "skip".
   */
  overlap?: Overlap | undefined;
  /** Number of retries of a failed run, or an object that also sets the delays. Default 0. */
  retries?: number | RetryOptions | undefined;
  /**
   * What to do with a run whose process stopped or crashed: "ignore" leaves it, "retry" runs it again, up to `retries`
   * times, or three times if `retries` is not set. Default "ignore", because the run may have done its work.
   */
  onInterrupt?: OnInterrupt | undefined;
  /** Schema of the parameters that runs can be started with, such as a Zod schema. Default: any JSON value is valid. */
  parameters?: StandardSchemaV1<unknown, Parameters> | undefined;
  /**
   * What to do with ticks missed while no instance was running: "skip" drops them, "once" runs the last one at the next
   * start. Default "skip".
   */
  catchUp?: CatchUp | undefined;
  /** Group of the job. The option `cron.groups` limits the number of concurrent runs of a group. Default: none. */
  group?: string | undefined;
  /** IANA time zone of the job's schedule. Default: the scheduler's time zone. */
  timezone?: string | undefined;
  /** How long the runs of this job are stored, in hours. Default: `cron.logRetentionHours`. */
  logRetentionHours?: number | undefined;
  /** Restores the job at registration if it was removed at run time. Default false. */
  restore?: boolean | undefined;
}

/** A validated job registration with all defaults applied. */
export interface JobDefinition extends RunnableJob {
  readonly description: string;
  readonly schedule: Schedule;
  readonly isSystem: boolean;
  readonly catchUp: CatchUp;
  readonly timezone: Timezone | undefined;
  readonly restore: boolean;
  /** How long runs are stored; `undefined` for as long as those of other jobs. */
  readonly retentionMs: number | undefined;
}

/** Prefix of the IDs of system jobs. */
export const systemPrefix = "__svc";

const defaults = {
  overlap: "skip",
  onInterrupt: "ignore",
  catchUp: "skip",
  restore: false,
} as const satisfies JobOptions;

const retryDefaults = {
  count: 0,
  delayMs: 1_000,
  factor: 2,
  maxDelayMs: 900_000,
} as const satisfies RetryOptions;

const optionNames = [
  "timeoutMs",
  "overlap",
  "retries",
  "onInterrupt",
  "parameters",
  "catchUp",
  "group",
  "timezone",
  "restore",
  "logRetentionHours",
] as const satisfies (keyof JobOptions)[];

export interface JobParts {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly schedule: string;
  readonly run: JobFunction;
  readonly options?: JobOptions | undefined;
}

/** Validates a registration. Errors name the job and the problem. */
export function parseJob(
  { id, name, description, schedule, run, options = {} }: JobParts,
  isSystem = false,
): JobDefinition {
  refuseId(id, isSystem);
  const check = (is: boolean, problem: string) => {
    if (!is) throw INVALID_JOB(`Job "${id}": ${problem}.`);
  };
  check(isText(name, 200) && name.trim() !== "", "name must be a string of 1 to 200 characters");
  check(
    !/\p{Cc}/u.test(name),
    "name must be a single line, without tabs; put longer texts into the description",
  );
  check(isText(description, 2_000), "description must be a string of at most 2000 characters");
  check(typeof run === "function", "run must be a function");
  check(
    typeof options === "object" && options !== null && !Array.isArray(options),
    "options must be an object",
  );
  for (const key of Object.keys(options)) {
    check(
      (optionNames as readonly string[]).includes(key),
      `unknown option "${key}"; the options are ${optionNames.join(", ")}`,
    );
  }
  const {
    timeoutMs,
    overlap = defaults.overlap,
    onInterrupt = defaults.onInterrupt,
    parameters,
    catchUp = defaults.catchUp,
    group,
    timezone,
    restore = defaults.restore,
    logRetentionHours,
  } = options;
  check(
    timeoutMs === undefined || isDelay(timeoutMs, 1),
    "timeoutMs must be an integer from 1 to 2147483647",
  );
  check(["skip", "queue", "allow"].includes(overlap), 'overlap must be "skip", "queue" or "allow"');
  check(["ignore", "retry"].includes(onInterrupt), 'onInterrupt must be "ignore" or "retry"');
  check(
    parameters === undefined || typeof parameters?.["~standard"]?.validate === "function",
    "parameters must be a schema of a library that supports Standard Schema, such as Zod, Valibot or ArkType",
  );
  check(["skip", "once"].includes(catchUp), 'catchUp must be "skip" or "once"');
  check(group === undefined || isText(group, 128), "group must be a string of at most 128 characters");
  check(typeof restore === "boolean", "restore must be true or false");
  check(
    logRetentionHours === undefined || isRetention(logRetentionHours),
    "logRetentionHours must be a number from 1 to 87600",
  );
  return Object.freeze({
    id,
    name,
    description,
    schedule: ofJob(id, () => parseSchedule(schedule)),
    run,
    isSystem,
    timeoutMs,
    overlap,
    retries: parseRetries(options.retries, check),
    onInterrupt,
    parameters,
    catchUp,
    group,
    timezone: timezone === undefined ? undefined : ofJob(id, () => parseTimezone(timezone)),
    restore,
    retentionMs: logRetentionHours === undefined ? undefined : Math.ceil(logRetentionHours * hourMs),
  });
}

/** Adds the job ID to errors thrown by `parse`. */
function ofJob<T>(id: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, message, data, code } = error;
    throw new ApiError(status, `Job "${id}": ${message}`, defined({ data, code }));
  }
}

function refuseId(id: unknown, isSystem: boolean): void {
  // IDs are path segments, so they must not contain anything that browsers or proxies rewrite.
  if (typeof id !== "string" || !/^[^\s/\\\p{C}]{1,128}$/u.test(id) || /^\.{1,2}$/.test(id)) {
    const given = typeof id === "string" ? JSON.stringify(id.slice(0, 140)) : `a value of type ${typeof id}`;
    throw INVALID_JOB(
      `Job IDs have 1 to 128 characters, without spaces, slashes or invisible characters; got ${given}.`,
    );
  }
  const isReserved = id === "analytics" || id.startsWith(systemPrefix);
  if (isReserved && !isSystem) throw JOB_ID_RESERVED(id);
}

const retryNames: string[] = Object.keys(retryDefaults);

// Shared by all jobs without retries.
const noRetries: RetryPlan = Object.freeze({ ...retryDefaults });

function parseRetries(
  given: JobOptions["retries"] = 0,
  check: (is: boolean, problem: string) => void,
): RetryPlan {
  if (given === 0) return noRetries;
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  check(isObject || typeof given === "number", `retries must be a number or { ${retryNames.join(", ")} }`);
  const { ...asked } = typeof given === "number" ? { count: given } : given;
  const unknown = Object.keys(asked).find((name) => !retryNames.includes(name));
  check(
    unknown === undefined,
    `unknown option "${unknown}" in retries; the options are ${retryNames.join(", ")}`,
  );
  const retries = { ...retryDefaults, ...asked, count: asked.count ?? Number.NaN };
  const { count, delayMs, factor, maxDelayMs } = retries;
  check(
    Number.isInteger(count) && count >= 0 && count <= 100,
    "retries: the count must be an integer from 0 to 100",
  );
  check(
    isDelay(delayMs) && isDelay(maxDelayMs),
    "retries: delays must be integers from 0 to 2147483647, in milliseconds",
  );
  check(Number.isFinite(factor) && factor >= 1, "retries: the factor must be a number of at least 1");
  return Object.freeze(retries);
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === "string" && value.length <= maxLength && !value.includes("\0");
}

/** At most ten years, as for `cron.logRetentionHours`. */
function isRetention(value: unknown): boolean {
  return typeof value === "number" && value >= 1 && value <= 87_600;
}

/** Node timers are limited to 2³¹ − 1 milliseconds. */
function isDelay(value: unknown, least = 0): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= 2_147_483_647;
}
