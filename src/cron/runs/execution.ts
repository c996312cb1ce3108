import { inspect } from "node:util";
import type { AlarmClock } from "../../lib/clock.ts";
import { formatDuration } from "../../lib/duration.ts";
import { readErrorChain } from "../../lib/error-chain.ts";
import { createToPlain } from "../../lib/plain-data.ts";
import { defaultRedactor, type Redactor } from "../../lib/redactor.ts";
import { type ErrorText, isError } from "../../lib/thrown.ts";
import { type Traced, traceContext } from "../../lib/trace-context.ts";
import type { ExecutionLogger, JobFunction } from "../job.ts";
import { Output } from "./output.ts";

/** How a run ends. A run that is cancelled has failed; `interrupted` means that the process went away from it. */
export type FinishedStatus = "success" | "failed" | "timeout" | "interrupted";

export interface Outcome {
  readonly status: FinishedStatus;
  /** What the function threw or gave to `fail`. */
  readonly error?: unknown;
  /** True when somebody cancelled it: nobody wants it tried again. */
  readonly isCancelled: boolean;
}

/** Why a run is aborted: what it becomes, and the sentence that its output gets. */
interface AbortCause {
  readonly status: FinishedStatus;
  readonly message: string;
  readonly isCancelled?: boolean;
}

export interface ExecutionOptions {
  readonly clock: AlarmClock;
  readonly run: JobFunction;
  readonly runId: string;
  readonly traceId: string;
  readonly scheduledAt: number;
  readonly timeoutMs: number | undefined;
  /** Removes secrets from the output. Default: the names that are always sensitive. */
  readonly redactor?: Redactor;
  /** Receives errors of background work that the function started. */
  onStray?(error: unknown): void;
}

/** A function that looks at its signal needs a moment to put things away; one that does not is given up after it. */
const settleMs = 5_000;

/** One run of a job's function, from the call to the outcome. */
export class Execution {
  readonly output = new Output();
  private readonly describe: (value: unknown) => string;
  /** From 0 to 1, as the function told. */
  progress: number | undefined;
  /** Settles with the outcome and never rejects. */
  readonly ended: Promise<Outcome>;
  private readonly clock: AlarmClock;
  private readonly traced: Traced;
  private readonly controller = new AbortController();
  private readonly progressFollowers = new Set<(progress: number) => void>();
  private readonly end: (outcome: Outcome) => void;
  private readonly cancelTimers: (() => void)[] = [];
  private cause: AbortCause | undefined;
  private failure: { error: unknown } | undefined;
  private isOver = false;

  constructor(options: ExecutionOptions) {
    this.clock = options.clock;
    this.describe = createDescriber(options.redactor ?? defaultRedactor);
    this.traced = {
      traceId: options.traceId,
      strayed: (error) => {
        this.failure ??= { error };
        if (!this.isOver) this.output.append("error", this.describe(error));
        options.onStray?.(error);
      },
    };
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.ended = promise;
    this.end = resolve;
    this.start(options);
  }

  /** Cancels it in somebody's name; false when it is over. */
  cancel(actor: string | undefined): boolean {
    if (this.isOver) return false;
    const message = actor === undefined ? "Cancelled" : `Cancelled by ${actor}`;
    this.abort({ status: "failed", message, isCancelled: true }, settleMs);
    return true;
  }

  /** Asks it to stop because the process is about to; what ends well within the time has ended well. */
  interrupt(graceMs: number): void {
    this.abort({ status: "interrupted", message: "Interrupted: the application was stopped" }, graceMs);
  }

  /** Asks it to stop because others believe that this instance is dead and may run the job themselves. */
  disown(): void {
    this.abort(
      { status: "interrupted", message: "Interrupted: others took this instance for dead" },
      settleMs,
    );
  }

  /** Calls back with each new progress; returns what ends that. */
  followProgress(follower: (progress: number) => void): () => void {
    if (this.progress !== undefined) follower(this.progress);
    this.progressFollowers.add(follower);
    return () => this.progressFollowers.delete(follower);
  }

  private start({ run, timeoutMs, runId, scheduledAt }: ExecutionOptions): void {
    const begin = this.clock.elapsed();
    const timeOut = () => {
      const message = `Timed out after ${formatDuration(timeoutMs!)}`;
      this.abort({ status: "timeout", message }, settleMs);
    };
    if (timeoutMs !== undefined) this.cancelTimers.push(this.clock.after(timeoutMs, timeOut));
    // A function that blocks keeps every timer waiting, also that one.
    const isLate = () => timeoutMs !== undefined && this.clock.elapsed() - begin >= timeoutMs;
    const logger = this.createLogger(runId, scheduledAt);
    traceContext.run(this.traced, async () => {
      // Whoever asked for the run gets the answer first, even if the function blocks.
      await new Promise((resolve) => setImmediate(resolve));
      // Aborted before it began, it need not begin.
      if (this.cause) return this.settle({ error: this.controller.signal.reason });
      try {
        await run(logger);
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
    // What listens to the signal belongs to the run, not to the request that cancels it.
    traceContext.run(this.traced, () => this.controller.abort(reason));
    if (waitMs <= 0) giveUp();
  }

  /** The function is through, or has been given up. */
  private settle(thrown?: { error: unknown }): void {
    if (this.isOver) return;
    const failure = thrown ?? this.failure;
    const { cause } = this;
    // A stop does not undo what was done in time.
    if (cause && !(cause.status === "interrupted" && failure === undefined)) {
      this.output.append("error", cause.message);
      this.finish({ status: cause.status, isCancelled: cause.isCancelled ?? false });
    } else {
      if (thrown) this.output.append("error", this.describe(thrown.error));
      this.finish({ status: failure ? "failed" : "success", error: failure?.error, isCancelled: false });
    }
  }

  private finish(outcome: Outcome): void {
    this.isOver = true;
    for (const cancel of this.cancelTimers) cancel();
    this.end(outcome);
  }

  private createLogger(runId: string, scheduledAt: number): ExecutionLogger {
    const write = (level: string, message: unknown) => {
      // Whoever goes on after the end has nobody left to tell.
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

/** Any value as a line of output, without secrets; an error with everything that caused it. The stack is in the log. */
export function createDescriber(redactor: Redactor): (value: unknown) => string {
  const toPlain = createToPlain(redactor);
  return (value) => {
    if (typeof value === "string") return redactor.text(value);
    if (!isError(value)) return inspect(toPlain(value).value, oneLine);
    const { causes, ...error } = readErrorChain(value, redactor);
    const links = causes.map(
      (link) => `${link.relation === "cause" ? "caused by" : "with error"} ${nameError(link)}`,
    );
    return `${nameError(error)}${links.length === 0 ? "" : ` (${links.join(", ")})`}`;
  };
}

function nameError({ type, message }: ErrorText): string {
  const name = type === "Error" || type === "string" ? "" : `${type}: `;
  return `${name}${message || "failed without a message"}`;
}
