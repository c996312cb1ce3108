import { type Traced, traceContext } from "../../lib/trace-context.ts";
import { setOwn } from "../attach/own-property.ts";
import { respondWithError } from "../errors/error-response.ts";
import { RequestEvent } from "../event.ts";
import { ObservedRequest } from "../observation/observed-request.ts";
import { isExceptionHandled, reportStray, survive, writeLast } from "./recovery.ts";

/** Reports an error that belongs to no request and no job run. */
export type ReportUncaught = (error: unknown) => void;

const reporters = new Set<ReportUncaught>();
let unhook = () => {};
/** A rejection without a listener. By default, Node throws it next. */
let rejected: { readonly reason: unknown } | undefined;
/** Whether a rejection has just been thrown: with `--unhandled-rejections=strict`, Node emits its event afterwards. */
let isThrown = false;
/** The request whose listener has just thrown. The trace context ends before the error is reported. */
let thrownIn: ObservedRequest | undefined;

/**
 * Records uncaught errors and unhandled rejections of an application on its own server before the application sees them.
 * It has no effect on what happens next: the process ends, or a handler of the application keeps it running. This is
 * also so for errors of Annex's own routes and of job runs, for example in a timer: Node does not allow to handle these
 * and not those. A run notes the error first, so it fails if the process goes on.
 *
 * Rejections are observed by `process.emit`, because a listener would be their handler.
 */
export function monitorProcess(report: ReportUncaught): () => void {
  if (reporters.size === 0) unhook = hookProcess();
  reporters.add(report);
  return () => {
    if (reporters.delete(report) && reporters.size === 0) unhook();
  };
}

/** Runs the part of the application in a request. */
export function runObserved(observed: ObservedRequest, run: () => void): void {
  let hasThrown = true;
  try {
    traceContext.run(observed, run);
    hasThrown = false;
  } finally {
    // Without `catch`: Node shows the place where an error was last thrown.
    if (hasThrown) {
      thrownIn = observed;
      queueMicrotask(() => {
        thrownIn = undefined;
      });
    }
  }
}

function hookProcess(): () => void {
  const { emit } = process;
  const hookedEmit = (event: string | symbol, ...args: unknown[]) => {
    if (event === "unhandledRejection" && reporters.size > 0) onRejection(args[0]);
    return Reflect.apply(emit, process, [event, ...args]) as boolean;
  };
  const restore = setOwn(process, "emit", hookedEmit as typeof process.emit);
  process.on("uncaughtExceptionMonitor", onUncaught);
  return () => {
    restore();
    process.off("uncaughtExceptionMonitor", onUncaught);
  };
}

function onRejection(reason: unknown): void {
  if (isThrown) return;
  if (process.listenerCount("unhandledRejection") > 0) {
    recordAndGoOn(reason, true);
    return;
  }
  const noted = { reason };
  rejected = noted;
  // With `--unhandled-rejections=warn`, for example, Node does not throw it.
  queueMicrotask(() => {
    if (rejected !== noted) return;
    rejected = undefined;
    recordAndGoOn(reason, true);
  });
}

function onUncaught(error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void {
  const isRejection = origin === "unhandledRejection";
  // Node wraps reasons that are not errors.
  const thrown = isRejection && rejected ? rejected.reason : error;
  if (isRejection && !rejected) {
    isThrown = true;
    queueMicrotask(() => {
      isThrown = false;
    });
  }
  rejected = undefined;
  if (isExceptionHandled()) recordAndGoOn(thrown, isRejection);
  else writeLast(thrown, recordInOwner(thrown, isRejection));
}

function recordAndGoOn(error: unknown, isRejection: boolean): void {
  if (recordInOwner(error, isRejection)) return;
  for (const report of reporters) survive(() => report(error));
}

/** Records an error in its request or job run. Returns whether it belongs to one. */
function recordInOwner(error: unknown, isRejection: boolean): boolean {
  const owner: Traced | undefined = traceContext.getStore() ?? thrownIn;
  if (owner instanceof RequestEvent) {
    survive(() => reportStray(owner, error));
    // A callback that threw will not send a response.
    if (!isRejection) survive(() => respondWithError(owner, error));
  } else if (owner instanceof ObservedRequest) {
    survive(() => owner.fail(error, isRejection ? "Unhandled rejection" : "Uncaught error"));
  } else if (owner?.onUnhandled) {
    survive(() => owner.onUnhandled!(error));
  } else {
    return false;
  }
  return true;
}
