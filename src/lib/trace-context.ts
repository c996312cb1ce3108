import { AsyncLocalStorage } from "node:async_hooks";

/** A unit of work with a trace ID: a request or a job run. */
export interface Traced {
  readonly traceId: string;
  /** The run, if the work is one. Requests and runs can share a trace ID. */
  readonly run?: TracedRun;
  /**
   * Handles unhandled errors in this work, for example in a timer. If it is defined, such errors do not end the
   * process.
   */
  onUnhandled?(error: unknown): void;
}

export interface TracedRun {
  readonly jobId: string;
  readonly runId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * The work that the current code belongs to. It is set once when the work begins and applies to all its promises,
 * timers and callbacks, so that log records and unhandled rejections get the trace ID.
 */
export const traceContext: AsyncLocalStorage<Traced> = new AsyncLocalStorage<Traced>();
