import { AsyncLocalStorage } from "node:async_hooks";

/** What a piece of work is known by: a request, or a run of a job. */
export interface Traced {
  readonly traceId: string;
  /**
   * Is told of an error in this work that nobody waited for, such as one in a timer. Work that cares for its own is no
   * reason to end the process.
   */
  strayed?(error: unknown): void;
}

/**
 * The work that the current code belongs to. It is entered once, where the work begins, and follows every promise,
 * timer and callback from there, so that a log line or a stray rejection finds its trace ID by itself.
 */
export const traceContext: AsyncLocalStorage<Traced> = new AsyncLocalStorage<Traced>();
