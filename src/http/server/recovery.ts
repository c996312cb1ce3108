import { formatErrorChain } from "../../lib/errors/error-chain.ts";
import { StartError } from "../../lib/errors/start-error.ts";
import { defaultRedactor, type Redactor } from "../../lib/redaction/redactor.ts";
import { escapeControls, escapeControlsButLines } from "../../lib/text/terminal-text.ts";
import { isError, isInstance } from "../../lib/thrown.ts";
import { traceContext } from "../../lib/trace-context.ts";
import { respondWithError } from "../errors/error-response.ts";
import { RequestEvent } from "../event.ts";

/**
 * Handles uncaught exceptions and unhandled rejections.
 *
 * An error that belongs to a request is reported with its trace ID, and the process continues, because other requests
 * are not affected. The same applies to other work that handles its own errors, such as a job run. Any other error ends
 * the process as it would without Annex, after the logs have been written.
 */
export function guardProcess(): void {
  if (isGuarded) return;
  isGuarded = true;
  process.on("uncaughtException", onException);
  process.on("unhandledRejection", onRejection);
}

let isGuarded = false;

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
 * Explains errors at the start in one sentence, from the creation of an application. Nothing else has an effect yet: it
 * may be attached to another server, whose application decides about errors.
 */
export function explainStartErrors(): void {
  if (!process.listeners("uncaughtExceptionMonitor").includes(explainStartError))
    process.on("uncaughtExceptionMonitor", explainStartError);
}

function explainStartError(error: unknown): void {
  if (isInstance(error, StartError) && !isExceptionHandled()) exitWithSentence(error);
}

/** Whether the process goes on after an uncaught error. */
export function isExceptionHandled(): boolean {
  return process.listenerCount("uncaughtException") > 0 || process.hasUncaughtExceptionCaptureCallback();
}

/** An error in an error handler must not end the process. */
export function survive(handle: () => void): void {
  try {
    handle();
  } catch (failure) {
    process.stderr.write(`annex: Failed to handle an error: ${describe(failure)}\n`);
  }
}

type WriteFatal = (error: unknown, isReported: boolean) => void;

const fatalWriters = new Map<WriteFatal, Redactor>();

/**
 * Calls back synchronously before the process ends because of an error, to write pending data. The error is also written
 * to standard error, redacted.
 */
export function onCrash(report: WriteFatal, redactor: Redactor = defaultRedactor): () => void {
  fatalWriters.set(report, redactor);
  return () => fatalWriters.delete(report);
}

export function reportStray({ response }: RequestEvent, error: unknown): void {
  response.observed.fail(error, "Unhandled error in background work of a request");
}

function endProcess(error: unknown, event: "uncaughtException" | "unhandledRejection"): void {
  if (isInstance(error, StartError)) exitWithSentence(error);
  // Another listener, such as a test runner, handles the error.
  if (process.listenerCount(event) > 1) return;
  process.stderr.write(`${isError(error) ? "" : "Uncaught: "}${describe(error)}\n`);
  writeLast(error);
  process.exit(1);
}

function exitWithSentence({ message, exitCode }: StartError): never {
  process.stderr.write(`annex: ${escapeControls(message)}\n`);
  process.exit(exitCode);
}

/** Writes pending data, and the error if it has not been reported. */
export function writeLast(error: unknown, isReported = false): void {
  for (const report of fatalWriters.keys()) {
    try {
      report(error, isReported);
    } catch (failure) {
      process.stderr.write(`${describe(failure)}\n`);
    }
  }
}

/** Formats an error with its causes, without the secrets of any application. */
function describe(error: unknown): string {
  const redactors = [defaultRedactor, ...fatalWriters.values()];
  const text = (secret: string) => redactors.reduce((result, redactor) => redactor.text(result), secret);
  return escapeControlsButLines(formatErrorChain(error, { ...defaultRedactor, text }));
}
