import { inspect } from "node:util";
import { StartError } from "../../lib/errors/start-error.ts";
import { escapeControls, escapeControlsButLines } from "../../lib/text/terminal-text.ts";
import { isError, isInstance, toText } from "../../lib/thrown.ts";
import { traceContext } from "../../lib/trace-context.ts";
import { respondWithError } from "../errors/error-response.ts";
import { RequestEvent } from "../event.ts";
import { ObservedRequest } from "../observation/observed-request.ts";

/**
 * Handles uncaught exceptions and unhandled rejections.
 *
 * An error that belongs to a request is reported with its trace ID, and the process continues, because other requests
 * are not affected. The same applies to other work that handles its own errors, such as a job run. Any other error ends
 * the process as it would without Annex, after the logs have been written. The result ends this.
 */
export function guardProcess(): () => void {
  const guard = Symbol("guard");
  if (guards.size === 0) {
    process.on("uncaughtException", onException);
    process.on("unhandledRejection", onRejection);
  }
  guards.add(guard);
  return () => {
    if (!guards.delete(guard) || guards.size > 0) return;
    process.off("uncaughtException", onException);
    process.off("unhandledRejection", onRejection);
  };
}

const guards = new Set<symbol>();

function onException(error: unknown): void {
  const owner = traceContext.getStore();
  // A callback that threw will not send a response, so the client would wait forever.
  if (owner instanceof RequestEvent) survive(() => respondWithError(owner, error));
  else if (owner?.onUnhandled) survive(() => owner.onUnhandled!(error));
  else endProcess(error, "uncaughtException");
}

function onRejection(error: unknown): void {
  const owner = traceContext.getStore();
  if (owner instanceof RequestEvent) survive(() => reportStray(owner, error));
  else if (owner?.onUnhandled) survive(() => owner.onUnhandled!(error));
  else endProcess(error, "unhandledRejection");
}

/**
 * Records uncaught errors of an application on its own server, without any effect on what happens next: the process
 * ends, or a handler of the application keeps it running.
 */
export function monitorProcess(): () => void {
  const onError = (error: unknown) => {
    const owner = traceContext.getStore();
    const observed = owner instanceof RequestEvent ? owner.response.observed : owner;
    if (observed instanceof ObservedRequest) survive(() => observed.fail(error, "Uncaught error"));
    const isHandled =
      process.listenerCount("uncaughtException") > 0 || process.hasUncaughtExceptionCaptureCallback();
    if (!isHandled) writeLast(error);
  };
  process.on("uncaughtExceptionMonitor", onError);
  return () => process.off("uncaughtExceptionMonitor", onError);
}

/** An error in an error handler must not end the process. */
function survive(handle: () => void): void {
  try {
    handle();
  } catch (failure) {
    process.stderr.write(`annex: Failed to handle an error: ${describe(failure)}\n`);
  }
}

const fatalWriters = new Set<(error: unknown) => void>();

/** Calls back synchronously before the process ends because of an error, to write pending data. */
export function onCrash(report: (error: unknown) => void): () => void {
  fatalWriters.add(report);
  return () => fatalWriters.delete(report);
}

function reportStray({ response }: RequestEvent, error: unknown): void {
  response.observed.fail(error, "Unhandled error in background work of a request");
}

function endProcess(error: unknown, event: "uncaughtException" | "unhandledRejection"): void {
  if (isInstance(error, StartError)) {
    process.stderr.write(`annex: ${escapeControls(error.message)}\n`);
    process.exit(error.exitCode);
  }
  // Another listener, such as a test runner, handles the error.
  if (process.listenerCount(event) > 1) return;
  process.stderr.write(`${isError(error) ? "" : "Uncaught: "}${describe(error)}\n`);
  writeLast(error);
  process.exit(1);
}

function writeLast(error: unknown): void {
  for (const report of fatalWriters) {
    try {
      report(error);
    } catch (failure) {
      process.stderr.write(`${describe(failure)}\n`);
    }
  }
}

/** Formats an error like Node, with causes, as far as it is readable. */
function describe(error: unknown): string {
  try {
    return escapeControlsButLines(inspect(error, { maxArrayLength: 20, maxStringLength: 10_000 }));
  } catch {
    return escapeControls(toText(error));
  }
}
