import { inspect } from "node:util";
import { readErrorChain } from "../../../lib/errors/error-chain.ts";
import type { ErrorText } from "../../../lib/redaction/error-text.ts";
import { createToPlain } from "../../../lib/redaction/plain-data.ts";
import { defaultRedactor, type Redactor } from "../../../lib/redaction/redactor.ts";
import { isError } from "../../../lib/thrown.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import { formatDuration } from "../../../lib/time/duration.ts";
import { type Traced, traceContext } from "../../../lib/trace-context.ts";
import type { FinishedStatus } from "../tables.ts";
import { Output } from "./output.ts";
import { readParameters, type StoredParameters } from "./parameters.ts";
import type { ExecutionLogger, JobFunction } from "./runnable-job.ts";

export interface Outcome {
  readonly status: FinishedStatus;
  /** The value thrown by the function or passed to `fail`. */
  readonly error?: unknown;
  /** Whether the run was cancelled. Cancelled runs are not retried. */
  readonly isCancelled: boolean;
}

/** Why a run is aborted: its final status and the message written to its output. */
interface AbortCause {
  readonly status: FinishedStatus;
  readonly message: string;
  readonly isCancelled?: boolean;
}

export interface ExecutionOptions {
  readonly clock: AlarmClock;
  readonly run: JobFunction;
  readonly jobId: string;
  readonly runId: string;
  readonly traceId: string;
  readonly scheduledAt: number;
  /** Default 1. */
  readonly attempt?: number;
  /** Default: none. */
  readonly parameters?: StoredParameters;
  readonly timeoutMs: number | undefined;
  /** Redacts the output. Default: the names that are always redacted. */
  readonly redactor?: Redactor;
  /** Receives unhandled errors of background work, and their text for the output if the run has ended. */
  onUnhandled?(error: unknown, late?: string): void;
}

/** Time for a function to clean up after the abort signal. After that, the run is abandoned. */
const settleMs = 5_000;

/** One execution of a job's function, from the call to the outcome. */
export class Execution {
  readonly output = new Output();
  private readonly redactor: Redactor;
  private readonly describe: (value: unknown) => string;
  /** From 0 to 1, as reported by the function. */
  progress: number | undefined;
  /** When the function was called, and how long it took. Final when the execution has ended. */
  startedAt: number;
  durationMs = 0;
  /** Resolves with the outcome; never rejects. */
  readonly ended: Promise<Outcome>;
  private readonly clock: AlarmClock;
  /** The trace context of the function. */
  readonly traced: Traced;
  private readonly controller = new AbortController();
  private readonly progressFollowers = new Set<(progress: number) => void>();
  private readonly end: (outcome: Outcome) => void;
  private readonly cancelTimers: (() => void)[] = [];
  /** When the function was called, on the monotonic clock. */
  private begin: number | undefined;
  private cause: AbortCause | undefined;
  private failure: { error: unknown } | undefined;
  private isOver = false;

  constructor(options: ExecutionOptions) {
    this.clock = options.clock;
    this.startedAt = this.clock.now();
    this.redactor = options.redactor ?? defaultRedactor;
    this.describe = createDescriber(this.redactor);
    this.traced = {
      traceId: options.traceId,
      run: { jobId: options.jobId, runId: options.runId, startedAt: this.startedAt },
      onUnhandled: (error) => {
        this.failure ??= { error };
        const text = describeThrown(error, this.redactor);
        if (!this.isOver) this.output.append("error", text);
        options.onUnhandled?.(error, this.isOver ? text : undefined);
      },
    };
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.ended = promise;
    this.end = resolve;
    this.start(options);
  }

  /** Cancels the run on behalf of `actor`. Returns false if it has already ended. */
  cancel(actor: string | undefined): boolean {
    if (this.isOver) return false;
    const message = actor === undefined ? "Cancelled" : `Cancelled by ${actor}`;
    this.abort({ status: "failed", message, isCancelled: true }, settleMs);
    return true;
  }

  /** Aborts the run because the process is stopping. A run that succeeds within the grace period stays successful. */
  interrupt(graceMs: number): void {
    this.abort({ status: "interrupted", message: "Interrupted: the application was stopped" }, graceMs);
  }

  /** Aborts the run because other instances consider this one dead and may run the job themselves. */
  abandon(): void {
    this.abort({ status: "interrupted", message: "Interrupted: no heartbeat from this instance" }, settleMs);
  }

  /** Subscribes to progress changes. Returns an unsubscribe function. */
  followProgress(follower: (progress: number) => void): () => void {
    if (this.progress !== undefined) follower(this.progress);
    this.progressFollowers.add(follower);
    return () => this.progressFollowers.delete(follower);
  }

  private start({ run, timeoutMs, parameters, ...identity }: ExecutionOptions): void {
    const timeOut = () => {
      const message = `Timed out after ${formatDuration(timeoutMs!)}`;
      this.abort({ status: "timeout", message }, settleMs);
    };
    // Timers do not fire while a function blocks the event loop, so the elapsed time is checked, too.
    const isLate = () => timeoutMs !== undefined && this.elapsedMs() >= timeoutMs;
    traceContext.run(this.traced, async () => {
      // Lets the caller continue before the function starts, because the function may block the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      // Aborted before the start.
      if (this.cause) return this.settle({ error: this.controller.signal.reason });
      this.startedAt = this.clock.now();
      this.begin = this.clock.elapsed();
      if (timeoutMs !== undefined) this.cancelTimers.push(this.clock.after(timeoutMs, timeOut));
      try {
        await run(this.createLogger(identity, parameters && (await readParameters(parameters))));
        if (isLate()) timeOut();
        this.settle();
      } catch (error) {
        if (isLate()) timeOut();
        this.settle({ error });
      }
    });
  }

  private abort(cause: AbortCause, waitMs: number): void {
    if (this.isOver) return;
    const giveUp = () => this.settle({ error: new Error(cause.message) });
    if (waitMs > 0) this.cancelTimers.push(this.clock.after(waitMs, giveUp));
    if (this.cause) {
      if (waitMs <= 0) giveUp();
      return;
    }
    this.cause = cause;
    const reason = new DOMException(
      cause.message,
      cause.status === "timeout" ? "TimeoutError" : "AbortError",
    );
    // Abort listeners run in the trace context of the run, not of the request that cancels it.
    traceContext.run(this.traced, () => this.controller.abort(reason));
    if (waitMs <= 0) giveUp();
  }

  /** Called when the function has finished or was abandoned. */
  private settle(thrown?: { error: unknown }): void {
    if (this.isOver) return;
    const failure = thrown ?? this.failure;
    const { cause } = this;
    // A stop does not override a run that finished in time.
    if (cause && !(cause.status === "interrupted" && failure === undefined)) {
      this.output.append("error", cause.message);
      this.finish({ status: cause.status, isCancelled: cause.isCancelled ?? false });
    } else {
      if (thrown) this.output.append("error", describeThrown(thrown.error, this.redactor));
      this.finish({ status: failure ? "failed" : "success", error: failure?.error, isCancelled: false });
    }
  }

  private elapsedMs(): number {
    return this.begin === undefined ? 0 : this.clock.elapsed() - this.begin;
  }

  private finish(outcome: Outcome): void {
    this.isOver = true;
    this.durationMs = Math.round(this.elapsedMs());
    for (const cancel of this.cancelTimers) cancel();
    this.end(outcome);
  }

  private createLogger(
    { runId, scheduledAt, attempt = 1 }: Pick<ExecutionOptions, "runId" | "scheduledAt" | "attempt">,
    parameters: unknown,
  ): ExecutionLogger {
    const write = (level: string, message: unknown) => {
      // Output written after the end is discarded.
      if (!this.isOver) this.output.append(level, this.describe(message));
    };
    const writer = (level: string) => (message: unknown) => write(level, message);
    return Object.freeze({
      start: writer("start"),
      info: writer("info"),
      progress: (value: number | string) => {
        if (typeof value === "number") this.setProgress(value);
        else write("progress", value);
      },
      success: writer("success"),
      complete: (message = "Completed") => write("complete", message),
      warn: writer("warn"),
      error: writer("error"),
      fail: (error: unknown) => {
        this.failure ??= { error };
        write("error", error);
      },
      signal: this.controller.signal,
      runId,
      scheduledAt: new Date(scheduledAt),
      attempt,
      parameters,
    });
  }

  private setProgress(value: number): void {
    if (this.isOver || Number.isNaN(value)) return;
    const before = percentOf(this.progress);
    this.progress = Math.min(1, Math.max(0, value));
    if (percentOf(this.progress) === before) return;
    this.output.append("progress", `${percentOf(this.progress)}%`);
    for (const follow of this.progressFollowers) follow(this.progress);
  }
}

function percentOf(progress: number | undefined): number | undefined {
  return progress === undefined ? undefined : Math.floor(progress * 100);
}

const oneLine = { breakLength: Number.POSITIVE_INFINITY, compact: true, depth: 6 };

/** Formats any value as a line of redacted output. Errors include their causes; stacks are written to the log only. */
export function createDescriber(redactor: Redactor): (value: unknown) => string {
  const toPlain = createToPlain(redactor);
  return (value) => {
    if (typeof value === "string") return redactor.text(value);
    return isError(value) ? describeThrown(value, redactor) : inspect(toPlain(value).value, oneLine);
  };
}

function describeThrown(thrown: unknown, redactor: Redactor): string {
  const { causes, ...error } = readErrorChain(thrown, redactor);
  const links = causes.map(
    (link) => `${link.relation === "cause" ? "caused by" : "with error"} ${nameError(link)}`,
  );
  const first = nameError(isError(thrown) ? error : { ...error, type: "string" });
  return `${first}${links.length === 0 ? "" : ` (${links.join(", ")})`}`;
}

function nameError({ type, message }: ErrorText): string {
  const name = type === "Error" || type === "string" ? "" : `${type}: `;
  return `${name}${message || "failed without a message"}`;
}
