import type { Events } from "../../feature/index.ts";
import type { RequestEvent } from "../../http/index.ts";
import type { Logging } from "./logging.ts";

/** An application with logging; connected in `app/`. */
type LoggedApp = object;

const parts = new WeakMap<LoggedApp, { logging: Logging; events: Pick<Events, "on"> }>();

/** Assigns logging to an application. */
export function attachLogging(app: LoggedApp, logging: Logging, events: Pick<Events, "on">): void {
  parts.set(app, { logging, events });
}

function partsOf(app: LoggedApp): { logging: Logging; events: Pick<Events, "on"> } {
  const known = parts.get(app);
  if (known === undefined) throw new TypeError("Expected an application created by createApp.");
  return known;
}

/** Returns the logging of an application. */
export function loggingOf(app: LoggedApp): Logging {
  return partsOf(app).logging;
}

/**
 * Logs requests, failures, startup and shutdown of the application. `createApp` calls this; further calls have no
 * effect.
 */
export function setupLogging(app: LoggedApp): void {
  const { logging, events } = partsOf(app);
  logging.observe(events);
}

/**
 * Exists for the contract and has no effect. An application that listens by itself always keeps the process running when
 * a handler throws, rejects or causes an unhandled error in background work. On another server, this is left to its
 * application.
 */
export function setupRecovery(app: LoggedApp, _e: object): void {
  partsOf(app);
}

/** Writes a record at level info. The trace ID comes from `context` or, if that is null, from the current request. */
export function infoWithContext(
  context: RequestEvent | null,
  app: LoggedApp,
  message: string,
  data?: object,
): void {
  partsOf(app).logging.line("info", message, data, context?.traceId);
}

/** Writes a record at level error with the error's name, message, stack and cause. */
export function errorWithContext(
  context: RequestEvent | null,
  app: LoggedApp,
  message: string,
  error: unknown,
  data?: object,
): void {
  partsOf(app).logging.recordError(message, error, data, context?.traceId);
}
