import { inspect } from "node:util";
import { StartError } from "../lib/start-error.ts";
import { escapeControls, escapeControlsButLines } from "../lib/terminal-text.ts";
import { isError, isInstance, toText } from "../lib/thrown.ts";
import { traceContext } from "../lib/trace-context.ts";
import { answerError } from "./error-answer.ts";
import { RequestEvent } from "./event.ts";

/**
 * Errors that nobody waited for: thrown in a timer or a callback, or a promise that was left alone.
 *
 * One that belongs to a request is reported with that request's trace ID, and the process goes on: the rest of its
 * requests have nothing to do with it. So is one that belongs to other work which cares for its own, a job's run. One
 * that belongs to nothing means that the program itself is in a state nobody planned, so it ends as it would without
 * us, after the logs are written.
 */
export function guardProcess(): void {
  if (guarding) return;
  guarding = true;
  process.on("uncaughtException", (error) => {
    const owner = traceContext.getStore();
    // A callback that threw will not respond any more; if nothing has been sent, the client would wait forever.
    if (owner instanceof RequestEvent) survive(() => answerError(owner, error));
    else if (owner?.strayed) survive(() => owner.strayed!(error));
    else endProcess(error, "uncaughtException");
  });
  process.on("unhandledRejection", (error) => {
    const owner = traceContext.getStore();
    if (owner instanceof RequestEvent) survive(() => reportStray(owner, error));
    else if (owner?.strayed) survive(() => owner.strayed!(error));
    else endProcess(error, "unhandledRejection");
  });
}

/** An error in the handling of an error must not end a process that has other requests. */
function survive(handle: () => void): void {
  try {
    handle();
  } catch (failure) {
    process.stderr.write(`annex: Failed to handle an error: ${describe(failure)}\n`);
  }
}

let guarding = false;
const lastWords = new Set<(error: unknown) => void>();

/** Calls back when the process is about to end on an error, to write what must not be lost; synchronously. */
export function onCrash(report: (error: unknown) => void): () => void {
  lastWords.add(report);
  return () => lastWords.delete(report);
}

function reportStray({ traceId, method, path, response }: RequestEvent, error: unknown): void {
  const message = "Unhandled error in background work of a request";
  response.observer.failed({ error, traceId, method, path, route: response.route, message });
}

function endProcess(error: unknown, event: "uncaughtException" | "unhandledRejection"): void {
  if (isInstance(error, StartError)) {
    process.stderr.write(`annex: ${escapeControls(error.message)}\n`);
    process.exit(error.exitCode);
  }
  // Somebody else, such as a test runner, has asked to be told and decides.
  if (process.listenerCount(event) > 1) return;
  process.stderr.write(`${isError(error) ? "" : "Uncaught: "}${describe(error)}\n`);
  for (const report of lastWords) {
    try {
      report(error);
    } catch (failure) {
      process.stderr.write(`${describe(failure)}\n`);
    }
  }
  process.exit(1);
}

/** As Node shows it, with causes, or as much as can be read. */
function describe(error: unknown): string {
  try {
    return escapeControlsButLines(inspect(error, { maxArrayLength: 20, maxStringLength: 10_000 }));
  } catch {
    return escapeControls(toText(error));
  }
}
