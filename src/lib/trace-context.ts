import { AsyncLocalStorage } from "node:async_hooks";

/** A unit of work with a trace ID: a request or a job run. */
export interface Traced {
  readonly traceId: string;
  /**
   * Handles unhandled errors in this work, for example in a timer. If it is defined, such errors do not end the
   * process.
   */
  onUnhandled?(error: unknown): void;
}

/**
 * The work that the current code belongs to. It is set once when the work begins and applies to all its promises,
 * timers and callbacks, so that log records and unhandled rejections get the trace ID.
 */
export const traceContext: AsyncLocalStorage<Traced> = new AsyncLocalStorage<Traced>();
