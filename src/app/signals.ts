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
 * On the server of another application, signals are left to it. If it does not handle one, the signal ends the process,
 * but only after the last records have been written. A second signal ends the process immediately.
 */
export function stopBeforeSignals(app: App): () => void {
  const onSignal = async (signal: (typeof signals)[number]) => {
    if (process.listenerCount(signal) > 1) return;
    release();
    await app.stop();
    process.kill(process.pid, signal);
  };
  const onMessage = async (message: unknown) => {
    if (message !== restartMessage) return;
    await app.stop({ isRestart: true });
    process.exit(0);
  };
  const isAlone = process.listenerCount("message") === 0;
  for (const signal of signals) process.on(signal, onSignal);
  process.on("message", onMessage);
  // If the application listens for messages too, it decides how long that keeps the process running.
  if (isAlone) process.channel?.unref();
  function release(): void {
    for (const signal of signals) process.off(signal, onSignal);
    process.off("message", onMessage);
  }
  return release;
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
