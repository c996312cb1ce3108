import { guardProcess, type RequestEvent, type RequestObserver } from "../http/index.ts";
import type { Logging } from "./logging.ts";

/** Any application that has logging; `app/` brings them together. */
type LoggedApp = object;

const parts = new WeakMap<LoggedApp, { logging: Logging; observer: RequestObserver }>();

/** Tells which logging belongs to an application. */
export function attachLogging(app: LoggedApp, logging: Logging, observer: RequestObserver): void {
  parts.set(app, { logging, observer });
}

function partsOf(app: LoggedApp): { logging: Logging; observer: RequestObserver } {
  const known = parts.get(app);
  if (known === undefined) throw new TypeError("Logging belongs to an application that createApp made.");
  return known;
}

/** The logging that belongs to an application. */
export function loggingOf(app: LoggedApp): Logging {
  return partsOf(app).logging;
}

/**
 * Records every request, failure, start and stop of the application. `createApp` has done it already; doing it again
 * changes nothing.
 */
export function setupLogging(app: LoggedApp): void {
  const { logging, observer } = partsOf(app);
  logging.observe(observer);
  guardProcess();
}

/**
 * Keeps the process going when a handler throws, rejects or leaves failing work behind. `createApp` has done it
 * already; doing it again changes nothing.
 */
export function setupRecovery(app: LoggedApp, _e: object): void {
  partsOf(app);
  guardProcess();
}

/** Writes a line at info level. The context supplies the trace ID; without one it is the current request's, if any. */
export function infoWithContext(
  context: RequestEvent | null,
  app: LoggedApp,
  message: string,
  data?: object,
): void {
  partsOf(app).logging.line("info", message, data, context?.traceId);
}

/** Writes a line at error level, with the error's name, message, stack and cause. */
export function errorWithContext(
  context: RequestEvent | null,
  app: LoggedApp,
  message: string,
  error: unknown,
  data?: object,
): void {
  partsOf(app).logging.line("error", message, { ...data, event: "error", error }, context?.traceId);
}
