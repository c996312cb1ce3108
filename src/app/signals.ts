import { constants } from "node:os";
import type { App } from "./app.ts";

/** The message that `annex dev` sends to its child process before it starts the next one. */
export const restartMessage = "annex:restart";

/** The message with which PM2 and others stop a process, because Windows has no signal that does. */
export const shutdownMessage = "shutdown";

/**
 * The signals that stop a process. Windows sends SIGBREAK for Ctrl-Break and SIGHUP for a closed console, and never
 * SIGTERM. On other systems, `nohup` ignores SIGHUP, and a listener would undo that.
 */
export function listStopSignals(platform: NodeJS.Platform = process.platform): NodeJS.Signals[] {
  return platform === "win32" ? ["SIGINT", "SIGTERM", "SIGBREAK", "SIGHUP"] : ["SIGINT", "SIGTERM"];
}

const signals = listStopSignals();

/**
 * Stops the applications of a process that are not attached to another server. They share their listeners, so that the
 * process ends when the last of them has stopped.
 *
 * The first signal stops all of them gracefully, or leaves a restart to finish that has begun. A second one ends the
 * process immediately, as does the first if no application has started yet.
 */
export class SignalHandler {
  private readonly members = new Set<{ readonly app: App | undefined }>();
  private stopping: Promise<void> | undefined;
  private hasSignal = false;
  private readonly signals: readonly NodeJS.Signals[];

  constructor(platform?: NodeJS.Platform) {
    this.signals = listStopSignals(platform);
  }

  /** Ends with the process, if a signal is stopping it. Otherwise, resolves immediately. */
  async settleStop(): Promise<void> {
    await this.stopping;
  }

  /** Without an application, one is about to start. */
  add(app: App | undefined): () => void {
    const member = { app };
    if (this.members.size === 0 && !this.isStopping) this.listen();
    this.members.add(member);
    return () => {
      // The second signal must still be handled during a shutdown.
      if (this.members.delete(member) && this.members.size === 0 && !this.isStopping) this.ignore();
    };
  }

  private listen(): void {
    for (const signal of this.signals) process.on(signal, this.onSignal);
    process.on("message", this.onMessage);
    // Listening for messages must not keep the process running.
    process.channel?.unref();
  }

  private ignore(): void {
    for (const signal of this.signals) process.off(signal, this.onSignal);
    process.off("message", this.onMessage);
  }

  private readonly onSignal = (signal: NodeJS.Signals): void => {
    const canStop = this.isStopping || this.apps().length > 0;
    if (this.hasSignal || !canStop) process.exit(128 + constants.signals[signal]);
    else if (!this.isStopping) this.stopping = this.stop(false);
    this.hasSignal = true;
  };

  private readonly onMessage = (message: unknown): void => {
    if (message !== restartMessage && message !== shutdownMessage) return;
    if (!this.isStopping) this.stopping = this.stop(message === restartMessage);
  };

  private get isStopping(): boolean {
    return this.stopping !== undefined;
  }

  private async stop(isRestart: boolean): Promise<void> {
    // An application that fails to stop must not cut off the others.
    const results = await Promise.allSettled(this.apps().map((app) => app.stop({ isRestart })));
    for (const result of results) if (result.status === "rejected") throw result.reason;
    process.exit(0);
  }

  private apps(): App[] {
    return [...this.members].flatMap(({ app }) => app ?? []);
  }
}

const signalHandler = new SignalHandler();

/** Stops an application, together with all others of the process, before a signal ends the process. */
export function stopOnSignals(app: App): () => void {
  return signalHandler.add(app);
}

/** Waits for the end of the process, if a signal is stopping its applications. */
export function settleStop(): Promise<void> {
  return signalHandler.settleStop();
}

/**
 * Ends the process with the first signal, while nothing has started that would have to be stopped. Without a handler,
 * the first process of a container would ignore the signals.
 */
export function exitOnSignals(): () => void {
  return signalHandler.add(undefined);
}

/** Whether a signal has a handler. */
export function isSignalHandled(): boolean {
  return signals.some((signal) => process.listenerCount(signal) > 0);
}

/** Waits for the end of the process, if a signal is stopping the applications on other servers. */
export function settleHostStop(): Promise<void> {
  return isEnding ? new Promise(() => {}) : Promise.resolve();
}

/** The servers of another application. */
export interface SignaledHost {
  /** The signal would have ended all connections. Requests that were handled later would not be recorded. */
  closeServers(): void;
  /** The application handles a signal, so it is about to stop. */
  expectStop(): void;
}

/** All applications in this process that are on other servers. They share their listeners, which would count each other. */
const attached = new Map<App, SignaledHost>();
/** The signals that the application has handled. */
const handled = new Set<string>();
let isEnding = false;

/**
 * On the server of another application, signals are left to it. If it does not handle one, the signal ends the process,
 * but only after the last records have been written. A second signal ends the process immediately.
 */
export function stopBeforeSignals(app: App, host: SignaledHost): () => void {
  if (attached.size === 0) listenForSignals();
  attached.set(app, host);
  return () => {
    if (attached.delete(app) && attached.size === 0) ignoreSignals();
  };
}

function listenForSignals(): void {
  const isAlone = process.listenerCount("message") === 0;
  // First, because `process.once` removes a handler before it calls it, so that it would not be seen.
  for (const signal of signals) process.prependListener(signal, onHostSignal);
  process.on("message", onHostMessage);
  // If the application listens for messages too, it decides how long that keeps the process running.
  if (isAlone) process.channel?.unref();
}

function ignoreSignals(): void {
  for (const signal of signals) process.off(signal, onHostSignal);
  process.off("message", onHostMessage);
  handled.clear();
}

async function onHostSignal(signal: NodeJS.Signals): Promise<void> {
  if (isHandledByApplication(signal)) {
    handled.add(signal);
    for (const host of attached.values()) host.expectStop();
    return;
  }
  // A handler of the application that was for one signal only is stopping it already.
  if (!isEnding && !handled.has(signal)) await endHost();
  // Not before: other listeners for this signal, which are called next, would be alone.
  ignoreSignals();
  endBySignal(signal);
}

async function onHostMessage(message: unknown): Promise<void> {
  // An application that listens for messages stops itself.
  const isOurs = message === shutdownMessage && process.listenerCount("message") === 1;
  if (message === restartMessage) await stopAll({ isRestart: true });
  else if (isOurs && !isEnding) await endHost();
  else return;
  process.exit(0);
}

async function endHost(): Promise<void> {
  isEnding = true;
  for (const host of attached.values()) host.closeServers();
  await stopAll();
}

/** An application that fails to stop must not keep the process running. */
async function stopAll(options?: { isRestart: boolean }): Promise<void> {
  await Promise.allSettled([...attached.keys()].map((app) => app.stop(options)));
}

function isHandledByApplication(signal: NodeJS.Signals): boolean {
  return process.listenerCount(signal) > 1 + countSignalExit();
}

/**
 * The listeners of the package signal-exit, which many packages use. Each ends the process only if there is no other
 * listener, so they do not count as handlers. Its versions 3 and 4 find each other in the same way.
 */
function countSignalExit(): number {
  const { __signal_exit_emitter__: version3 } = process as { __signal_exit_emitter__?: { count?: number } };
  const version4 = (globalThis as Record<symbol, { count?: number } | undefined>)[
    Symbol.for("signal-exit emitter")
  ];
  return (version3?.count ?? 0) + (version4?.count ?? 0);
}

function endBySignal(signal: NodeJS.Signals): void {
  // The first process of a container ignores signals without a handler. Windows has no signals to send.
  if (process.pid === 1 || process.platform === "win32") process.exit(128 + constants.signals[signal]);
  process.kill(process.pid, signal);
  // Listeners such as that of signal-exit are called by the event loop. With all servers closed, it might end before.
  setTimeout(() => {}, 1_000);
}
