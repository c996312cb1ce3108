import type { AlarmClock } from "../../../lib/time/clock.ts";
import type { CronLogger } from "../logger.ts";
import type { DueRow, QueuePosition, QueueStore } from "../queue/queue-store.ts";
import type { RunRequest } from "../runs/run-request.ts";
import type { RunnableJob } from "../runs/runnable-job.ts";

export interface QueuePollerOptions {
  readonly clock: AlarmClock;
  readonly logger: CronLogger;
  readonly queue: QueueStore;
  /** Whether other instances use the same store. They announce their runs with `wake`. */
  readonly isShared: boolean;
  /** Whether this instance may run jobs. */
  mayRun(): boolean;
  /** A job that is registered and not removed, and whether its schedule is active. */
  findJob(id: string): { readonly job: RunnableJob; readonly isActive: boolean } | undefined;
  isRemoved(jobId: string): boolean;
  /** Whether this instance can start further runs. */
  hasRoom(): boolean;
  run(requests: RunRequest[]): Promise<void>;
}

/** Rows per statement. Instances that read at the same time share the work, so it is small. */
const batchSize = 20;

/** How far the poller looks ahead. */
const horizonMs = 30_000;

/** Interval for rows that are due and could not start, such as retries of a job that is running. */
const busyMs = 1_000;

/** Starts the runs of the queue when they are due. */
export class QueuePoller {
  private readonly options: QueuePollerOptions;
  private cancelTimer: (() => void) | undefined;
  private wakeAt = Number.POSITIVE_INFINITY;
  private polling: Promise<void> | undefined;
  private isStopped = true;

  constructor(options: QueuePollerOptions) {
    this.options = options;
  }

  start(): void {
    this.isStopped = false;
    this.wake(this.options.clock.now());
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancelTimer?.();
    await this.polling;
  }

  /** Reads the queue at this time, unless it is read earlier anyway. */
  wake(at: number): void {
    const { clock } = this.options;
    const delayMs = at - clock.now();
    // Runs that are due later are found by then. Timers are limited to 24 days.
    if (this.isStopped || at >= this.wakeAt || delayMs > horizonMs) return;
    this.wakeAt = at;
    this.cancelTimer?.();
    this.cancelTimer = clock.after(Math.max(0, delayMs), () => {
      this.wakeAt = Number.POSITIVE_INFINITY;
      // Reading that is under way may have missed what has become due.
      this.polling = (this.polling ?? Promise.resolve()).then(() => this.poll());
    });
  }

  private async poll(): Promise<void> {
    if (this.isStopped) return;
    const { clock, logger, isShared, mayRun } = this.options;
    const until = clock.now() + horizonMs;
    let next = until;
    try {
      if (mayRun()) next = await this.startDue(until);
    } catch (error) {
      logger.warn("Failed to read queued job runs; retrying", { error });
      next = clock.now() + busyMs;
    }
    // The clock may have been set back meanwhile. The next reading must not be beyond the horizon then.
    if (next < until || !isShared) this.wake(Math.min(next, clock.now() + horizonMs));
  }

  /** Starts what is due. Returns when the next row is due, if that is before `until`. */
  private async startDue(until: number): Promise<number> {
    const { clock, queue, run, hasRoom } = this.options;
    let position: QueuePosition | undefined;
    let next = until;
    for (;;) {
      const rows: DueRow[] = await queue.due(until, batchSize, position);
      position = rows.at(-1);
      const now = clock.now();
      const due = rows.filter(({ run_at }) => run_at <= now);
      const requests = await this.toRequests(due);
      if (requests.length > 0) {
        await run(requests);
        next = Math.min(next, now + busyMs);
      }
      const later = rows.find(({ run_at }) => run_at > now);
      if (later) return Math.min(next, later.run_at);
      if (rows.length < batchSize || this.isStopped || !hasRoom()) return next;
    }
  }

  /** Drops rows that must not run any more. Rows of jobs that only other instances have registered are left to them. */
  private async toRequests(rows: DueRow[]): Promise<RunRequest[]> {
    const { queue, logger, findJob, isRemoved } = this.options;
    const requests: RunRequest[] = [];
    const dropped: string[] = [];
    for (const row of rows) {
      const found = findJob(row.job_id);
      if (isRemoved(row.job_id) || (found && isSuperfluous(row, found))) dropped.push(row.id);
      else if (found) requests.push(toRequest(row, found.job));
    }
    await queue.remove(dropped);
    if (dropped.length > 0) logger.info("Dropped queued job runs that are superfluous", { ids: dropped });
    return requests;
  }
}

/** Pausing a job cancels its retries. A newer run replaces the retry of a failure, but not of an interruption. */
function isSuperfluous(
  { retry_of, reason, has_newer_run }: DueRow,
  { job, isActive }: { readonly job: RunnableJob; readonly isActive: boolean },
): boolean {
  if (retry_of === null) return false;
  return !isActive || (reason === "failed" && has_newer_run && job.overlap !== "allow");
}

function toRequest(row: DueRow, job: RunnableJob): RunRequest {
  const { has_newer_run, ...queued } = row;
  return {
    job,
    queued,
    scheduledAt: row.scheduled_at,
    trigger: row.trigger,
    isTick: row.tick !== null,
    actor: row.actor ?? undefined,
    traceId: row.trace_id,
    parameters: row.parameters ?? undefined,
  };
}
