import { AsyncLocalStorage } from "node:async_hooks";

/** What a piece of work is known by: a request, and later a job's run. */
export interface Traced {
  readonly traceId: string;
}

/**
 * The work that the current code belongs to. It is entered once, where the work begins, and follows every promise,
 * timer and callback from there, so that a log line or a stray rejection finds its trace ID by itself.
 */
export const traceContext: AsyncLocalStorage<Traced> = new AsyncLocalStorage<Traced>();
