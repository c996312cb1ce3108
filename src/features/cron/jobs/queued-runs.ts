import type { JobChange } from "../../../feature/index.ts";
import { invalid, refuseInvalid } from "../../../lib/fields.ts";
import { createId, createTraceId } from "../../../lib/ids.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import { RUN_NOT_QUEUED } from "../errors.ts";
import type { QueueStore } from "../queue/queue-store.ts";
import { type QueuedRun, toQueuedRun } from "../queue/queued-run.ts";
import { writeParameters } from "../runs/parameters.ts";
import type { RunnableJob } from "../runs/runnable-job.ts";
import type { ActorOptions, StartOptions } from "./job-manager.ts";

export interface QueuedRunsOptions {
  readonly clock: Clock;
  readonly queue: QueueStore;
  /** Called with the time of each run that was added. */
  onAdded(runAt: number): void;
  onChange?(change: JobChange): void;
}

const maxListed = 1_000;

/** Adds runs to the queue, lists them and removes them. */
export class QueuedRuns {
  private readonly options: QueuedRunsOptions;

  constructor(options: QueuedRunsOptions) {
    this.options = options;
  }

  async add(
    job: RunnableJob,
    time: Date,
    { actor, traceId, parameters }: StartOptions = {},
  ): Promise<QueuedRun> {
    const { clock, queue, onAdded, onChange } = this.options;
    const runAt = checkTime(time);
    const row = {
      id: createId(),
      job_id: job.id,
      run_at: runAt,
      created_at: clock.now(),
      trigger: "manual" as const,
      actor: actor ?? null,
      trace_id: traceId ?? createTraceId(),
      scheduled_at: runAt,
      attempt: 1,
      parameters: (await writeParameters(parameters, job.parameters)) ?? null,
      tick: null,
      retry_of: null,
      first_run_id: null,
      reason: null,
    };
    await queue.add(row);
    onAdded(runAt);
    // Runs that code adds are not audited: frequent ones would displace the actions of users.
    if (actor !== undefined) onChange?.({ kind: "run", subject: job.id, actor, runId: row.id });
    return toQueuedRun(row);
  }

  async list(jobId: string | undefined): Promise<QueuedRun[]> {
    return (await this.options.queue.list(jobId, maxListed)).map(toQueuedRun);
  }

  async find(runId: string): Promise<QueuedRun | undefined> {
    const row = await this.options.queue.find(runId);
    return row && toQueuedRun(row);
  }

  async findRetryOf(runId: string): Promise<QueuedRun | undefined> {
    const row = await this.options.queue.findRetryOf(runId);
    return row && toQueuedRun(row);
  }

  async cancel(runId: string, { actor }: ActorOptions): Promise<QueuedRun> {
    const { queue, onChange } = this.options;
    const row = await queue.find(runId);
    if (!row || (await queue.remove([runId])).length === 0) throw RUN_NOT_QUEUED(runId);
    onChange?.({ kind: "cancel", subject: row.job_id, actor, runId });
    return toQueuedRun(row);
  }
}

/** Dates that both engines and JSON can represent. */
const latestTime = Date.parse("9999-12-31T23:59:59.999Z");

function checkTime(time: Date): number {
  const at = time instanceof Date ? time.getTime() : Number.NaN;
  const isValid = at >= 0 && at <= latestTime;
  refuseInvalid({ time: isValid ? undefined : invalid("time", "a Date from 1970 to 9999") });
  return at;
}
