import type { AlarmClock } from "../../../lib/time/clock.ts";
import type { QueuedRow } from "../queue/queue-store.ts";
import { planForInterruption } from "../queue/retry-plan.ts";
import type { Trigger } from "../tables.ts";
import { tickName } from "../tick-name.ts";
import type { RunnableJob } from "./runnable-job.ts";
import type { NewRun } from "./store/begin-runs.ts";

/** A request to run a job for a scheduled time. */
export interface RunRequest {
  readonly job: RunnableJob;
  readonly scheduledAt: number;
  readonly trigger: Trigger;
  /** Whether the run belongs to a tick, which may run only once across all instances. */
  readonly isTick: boolean;
  /** Whether it has waited for room: see `WaitingTick`. */
  readonly hasWaited?: boolean;
  readonly actor?: string | undefined;
  readonly traceId?: string | undefined;
  /** JSON of the parameters. */
  readonly parameters?: string | undefined;
  /** The row of the queue that becomes the run. */
  readonly queued?: QueuedRow;
}

/** A request with its row. A repeated attempt to store it uses the same row. */
export interface PreparedRequest extends RunRequest {
  readonly row: NewRun;
  readonly isAgain: boolean;
}

export interface RowOptions {
  readonly clock: AlarmClock;
  /** ID of this instance; each process has its own. */
  readonly instance: string;
  /** The name of the instance, for people. */
  readonly instanceName: string;
  createRunId(): string;
  createTraceId(): string;
}

export function prepare(request: RunRequest | PreparedRequest, options: RowOptions): PreparedRequest {
  // The run starts with this attempt to store it, not with the first one.
  return "row" in request
    ? { ...request, row: { ...request.row, started_at: options.clock.now() }, isAgain: true }
    : { ...request, row: createRow(request, options), isAgain: false };
}

function createRow(request: RunRequest, options: RowOptions): NewRun {
  const { job, scheduledAt, trigger, actor, traceId, parameters, queued } = request;
  const { clock, instance, instanceName, createRunId, createTraceId } = options;
  const plan = planForInterruption(job);
  return {
    id: queued?.id ?? createRunId(),
    job_id: job.id,
    job_name: job.name,
    trigger,
    actor: actor ?? null,
    trace_id: traceId ?? createTraceId(),
    scheduled_at: scheduledAt,
    attempt: queued?.attempt ?? 1,
    started_at: clock.now(),
    instance,
    instance_name: instanceName,
    tick: tickOf(request),
    exclusive: job.overlap === "allow" ? null : job.id,
    parameters: parameters ?? null,
    first_run_id: queued?.first_run_id ?? null,
    retry_plan: plan ? JSON.stringify(plan) : null,
    job_group: job.group ?? null,
  };
}

/** Tick name of a run; `null` for manual runs. Each retry has its own name. */
export function tickOf({ job, scheduledAt, isTick, queued }: RunRequest): string | null {
  if (queued) return queued.tick;
  return isTick ? tickName(job.id, scheduledAt) : null;
}
