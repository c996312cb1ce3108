import { constants } from "node:os";
import type { App } from "./app.ts";

/** The message that `annex dev` sends to its child process before it starts the next one. */
export const restartMessage = "annex:restart";

const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * The first signal stops the application gracefully, or leaves a restart to finish that has begun. A second one ends the
 * process immediately.
 */
export function stopOnSignals(app: App): () => void {
  let isStopping = false;
  let hasSignal = false;
  const stop = async (isRestart: boolean) => {
    isStopping = true;
    await app.stop({ isRestart });
    process.exit(0);
  };
  const onSignal = (signal: (typeof signals)[number]) => {
    if (hasSignal) process.exit(128 + constants.signals[signal]);
    hasSignal = true;
    if (!isStopping) void stop(false);
  };
  const onMessage = (message: unknown) => {
    if (message === restartMessage && !isStopping) void stop(true);
  };
  for (const signal of signals) process.on(signal, onSignal);
  process.on("message", onMessage);
  // Listening for messages must not keep the process running.
  process.channel?.unref();
  return () => {
    // The second signal must still be handled during a shutdown.
    if (isStopping) return;
    for (const signal of signals) process.off(signal, onSignal);
    process.off("message", onMessage);
  };
}

/**
 * Ends the process with the first signal, while nothing has started that would have to be stopped. Without a handler,
 * the first process of a container would ignore the signals.
 */
export function exitOnSignals(): () => void {
  const onSignal = (signal: (typeof signals)[number]) => process.exit(128 + constants.signals[signal]);
  const onMessage = (message: unknown) => {
    if (message === restartMessage) process.exit(0);
  };
  for (const signal of signals) process.on(signal, onSignal);
  process.on("message", onMessage);
  process.channel?.unref();
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
    process.off("message", onMessage);
  };
}
