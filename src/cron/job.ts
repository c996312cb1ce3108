import { ApiError } from "../lib/errors.ts";
import { INVALID_JOB, JOB_ID_RESERVED } from "./errors.ts";
import { parseSchedule, type Schedule } from "./schedule/schedule.ts";
import { parseTimezone, type Timezone } from "./schedule/timezone.ts";

/** What the function of a job is given: it writes the run's output, and tells what run this is. */
export interface ExecutionLogger {
  /** Writes an entry of the level "start". */
  start(message: string): void;
  /** Writes an entry of the level "info". */
  info(message: string): void;
  /** How far the run is, from 0 to 1, or a sentence about it. Each whole per cent is an entry too. */
  progress(fractionOrMessage: number | string): void;
  /** Writes an entry of the level "success". It does not end the run. */
  success(message: string): void;
  /** Writes an entry of the level "complete". It does not end the run. */
  complete(message?: string): void;
  /** Writes an entry of the level "warn". */
  warn(message: string): void;
  /** Writes an entry of the level "error". The run has not failed by that: see `fail`. */
  error(message: string): void;
  /** Makes the run a failed one, whatever the function does afterwards. */
  fail(error: unknown): void;
  /** Aborted when the run is cancelled, takes too long, or the application stops. Pass it on to what waits. */
  readonly signal: AbortSignal;
  readonly runId: string;
  /** The moment the schedule named; for a run by hand, the moment it was asked for. */
  readonly scheduledAt: Date;
}

export type JobFunction = (log: ExecutionLogger) => unknown;

/** What happens to a run that is due while the one before is still going. */
export type Overlap = "skip" | "queue" | "allow";

/** What happens to runs that were due while no instance was up. */
export type CatchUp = "skip" | "once";

export interface RetryOptions {
  /** How many times a failed run is tried again, at most 100. */
  readonly count: number;
  /** How long to wait before the first retry. Default 1000. */
  readonly delayMs?: number;
  /** By how much the wait grows each time. Default 2. */
  readonly factor?: number;
  /** The longest wait. Default 900000, a quarter of an hour. */
  readonly maxDelayMs?: number;
}

export interface JobOptions {
  /** How long a run may take before it is aborted. Default: as long as it likes. */
  timeoutMs?: number | undefined;
  /**
   * What happens to a tick while the run before is in progress: "skip" leaves it out, "queue" runs it afterwards,
   * "allow" runs both. Default "skip".
   */
  overlap?: Overlap | undefined;
  /** How many times a failed run is tried again, or that with the waits between. Default 0. */
  retries?: number | RetryOptions | undefined;
  /** What happens to ticks while no instance was up: "skip" forgets them, "once" runs the last at the next start. Default "skip". */
  catchUp?: CatchUp | undefined;
  /** The zone of this job's schedule, by its IANA name. Default: the scheduler's. */
  timezone?: string | undefined;
  /** Brings the job back if somebody removed it. Default false. */
  restore?: boolean | undefined;
}

/** A job as it was registered, checked and complete. */
export interface JobDefinition {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly schedule: Schedule;
  readonly run: JobFunction;
  readonly isSystem: boolean;
  readonly timeoutMs: number | undefined;
  readonly overlap: Overlap;
  readonly retries: Required<RetryOptions>;
  readonly catchUp: CatchUp;
  readonly timezone: Timezone | undefined;
  readonly restore: boolean;
}

/** What stands before the ids of the jobs that Annex brings itself. */
export const systemPrefix = "__svc";

const defaults = {
  overlap: "skip",
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
  "catchUp",
  "timezone",
  "restore",
] as const satisfies (keyof JobOptions)[];

export interface JobParts {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly schedule: string;
  readonly run: JobFunction;
  readonly options?: JobOptions | undefined;
}

/** Checks a registration; the error says what is wrong with which job. */
export function parseJob(
  { id, name, description, schedule, run, options = {} }: JobParts,
  isSystem = false,
): JobDefinition {
  refuseId(id, isSystem);
  const check = (is: boolean, problem: string) => {
    if (!is) throw INVALID_JOB(`Job "${id}": ${problem}.`);
  };
  check(isText(name, 200) && name.trim() !== "", "its name must be a text of 1 to 200 characters");
  check(isText(description, 2_000), "its description must be a text of at most 2000 characters");
  check(typeof run === "function", "what it runs must be a function");
  check(
    typeof options === "object" && options !== null && !Array.isArray(options),
    "its options must be an object",
  );
  for (const key of Object.keys(options)) {
    check(
      (optionNames as readonly string[]).includes(key),
      `there is no option "${key}"; the options are ${optionNames.join(", ")}`,
    );
  }
  const {
    timeoutMs,
    overlap = defaults.overlap,
    catchUp = defaults.catchUp,
    timezone,
    restore = defaults.restore,
  } = options;
  check(
    timeoutMs === undefined || isDelay(timeoutMs, 1),
    "timeoutMs must be a number of milliseconds from 1 to 2147483647",
  );
  check(["skip", "queue", "allow"].includes(overlap), 'overlap must be "skip", "queue" or "allow"');
  check(["skip", "once"].includes(catchUp), 'catchUp must be "skip" or "once"');
  check(typeof restore === "boolean", "restore must be true or false");
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
    catchUp,
    timezone: timezone === undefined ? undefined : ofJob(id, () => parseTimezone(timezone)),
    restore,
  });
}

/** The same error, with the job it is about. */
function ofJob<T>(id: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, message, data, code } = error;
    throw new ApiError(status, `Job "${id}": ${message}`, { data, ...(code !== undefined && { code }) });
  }
}

function refuseId(id: unknown, isSystem: boolean): void {
  // An id is a piece of a path: what a browser or a proxy would rewrite there cannot be one.
  if (typeof id !== "string" || !/^[^\s/\\\p{C}]{1,128}$/u.test(id) || /^\.{1,2}$/.test(id)) {
    const given =
      typeof id === "string" ? JSON.stringify(id.slice(0, 140)) : `a value that is no text (${typeof id})`;
    throw INVALID_JOB(
      `A job's id is 1 to 128 characters without spaces, slashes and invisible ones, not ${given}.`,
    );
  }
  const isReserved = id === "analytics" || id.startsWith(systemPrefix);
  if (isReserved && !isSystem) throw JOB_ID_RESERVED(id);
}

const retryNames: string[] = Object.keys(retryDefaults);

// A job without retries shares this, as most do.
const noRetries: Required<RetryOptions> = Object.freeze({ ...retryDefaults });

function parseRetries(
  given: JobOptions["retries"] = 0,
  check: (is: boolean, problem: string) => void,
): Required<RetryOptions> {
  if (given === 0) return noRetries;
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  check(isObject || typeof given === "number", `retries must be a number or { ${retryNames.join(", ")} }`);
  const { ...asked } = typeof given === "number" ? { count: given } : given;
  const unknown = Object.keys(asked).find((name) => !retryNames.includes(name));
  check(
    unknown === undefined,
    `retries has no option "${unknown}"; its options are ${retryNames.join(", ")}`,
  );
  const retries = { ...retryDefaults, ...asked, count: asked.count ?? Number.NaN };
  const { count, delayMs, factor, maxDelayMs } = retries;
  check(
    Number.isInteger(count) && count >= 0 && count <= 100,
    "the count of its retries must be a whole number from 0 to 100",
  );
  check(
    isDelay(delayMs) && isDelay(maxDelayMs),
    "the delays of its retries must be numbers of milliseconds from 0 to 2147483647",
  );
  check(Number.isFinite(factor) && factor >= 1, "the factor of its retries must be a number from 1 upwards");
  return Object.freeze(retries);
}

/** How long to wait before the attempt of that number; the first run is attempt 1. */
export function retryDelay({ delayMs, factor, maxDelayMs }: Required<RetryOptions>, attempt: number): number {
  return Math.min(delayMs * factor ** (attempt - 2), maxDelayMs);
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === "string" && value.length <= maxLength && !value.includes("\0");
}

/** Node's timers count no further than 2³¹ milliseconds. */
function isDelay(value: unknown, least = 0): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= 2_147_483_647;
}
