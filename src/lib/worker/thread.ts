import type { ResourceLimits } from "node:worker_threads";
import type { AlarmClock } from "../time/clock.ts";
import { type HandlerMap, type Message, onlyService } from "./contract.ts";
import { createPeer, type Peer } from "./peer.ts";
import { startThread } from "./threads.ts";
import { createWatchdog } from "./watchdog.ts";
import { WorkerError } from "./worker-error.ts";

export interface ThreadOptions {
  /** The module that calls `serveWorker`. */
  readonly entry: URL;
  /** The name of the thread, in messages and in debuggers. */
  readonly name: string;
  /** Read each time the thread starts. */
  readonly data: unknown;
  readonly resourceLimits?: ResourceLimits;
  readonly deadlines: ThreadDeadlines;
}

/** Without a value, there is no limit. */
export interface ThreadDeadlines {
  /** Until the thread is ready; afterwards, it is terminated. */
  readonly startMs?: number;
  /** Until a call has a response; afterwards, it is rejected. */
  readonly callMs?: number;
  /** How long a thread may be silent while something is pending; afterwards, it is terminated. */
  readonly hangMs?: number;
  /** Until a thread has closed; afterwards, it is terminated. */
  readonly closeMs: number;
}

export interface ThreadEvents {
  onReady(): void;
  onProblem(service: string, reason: string | undefined): void;
  onLost(count: number): void;
  /** Called once, when the thread has exited or cannot be used any more. */
  onEnd(reason: string): void;
}

/** A thread from its start to its end. */
export interface Thread extends Pick<Peer, "call" | "post" | "pendingBytes"> {
  /** Resolves when the thread has exited, which may be later than `onEnd`. */
  readonly exited: Promise<void>;
  /** Lets the thread finish its work. Terminates it after the time limit. */
  close(withinMs: number): Promise<void>;
}

/** A thread in a system call cannot be terminated. After this long, it is abandoned. */
const terminateMs = 1_000;

export function openThread(
  options: ThreadOptions,
  owned: HandlerMap,
  clock: AlarmClock,
  events: ThreadEvents,
): Thread {
  const { entry, name, data, resourceLimits, deadlines } = options;
  const worker = startThread(entry, { name, workerData: data, ...(resourceLimits && { resourceLimits }) });
  let isReady = false;
  let isOver = false;
  let isClosing = false;
  let failure: string | undefined;
  let openCalls = 0;

  const send = (message: Message<unknown>, transfer: readonly ArrayBuffer[] = []) => {
    worker.postMessage(message, transfer);
    if (isReady) watchdog?.watch();
  };
  const peer = createPeer({
    send,
    clock,
    name,
    services: new Map([[onlyService, owned]]),
    callMs: deadlines.callMs,
    onLost: events.onLost,
  });
  const watchdog =
    deadlines.hangMs === undefined
      ? undefined
      : createWatchdog({
          clock,
          hangMs: deadlines.hangMs,
          isPending: () => peer.isPending,
          ping: () => worker.postMessage({ kind: "ping" } satisfies Message<unknown>),
          onHang: () => kill(`no response within ${deadlines.hangMs} ms`),
        });
  const cancelStart =
    deadlines.startMs === undefined
      ? undefined
      : clock.after(deadlines.startMs, () => kill(`not ready within ${deadlines.startMs} ms`));

  const exited = new Promise<void>((resolve) => {
    worker.on("exit", (code) => {
      end(failure ?? `exit code ${code}`);
      resolve();
    });
  });
  worker.on("error", (error: Error) => {
    failure = error.message;
  });
  worker.on("message", receive);
  // After the listeners, because the first one keeps the process running.
  worker.unref();

  function receive(message: Message<never>): void {
    if (isOver) return;
    watchdog?.hear();
    if (message.kind === "ready") becomeReady();
    else if (message.kind === "problem") events.onProblem(message.service, message.reason);
    else peer.receive(message);
  }

  function becomeReady(): void {
    cancelStart?.();
    isReady = true;
    if (peer.isPending) watchdog?.watch();
    events.onReady();
  }

  function end(reason: string): void {
    if (isOver) return;
    isOver = true;
    cancelStart?.();
    watchdog?.stop();
    const message = isClosing ? `The thread ${name} was closed.` : `The thread ${name} has ended: ${reason}`;
    peer.end(new WorkerError("WORKER_ENDED", message));
    events.onEnd(reason);
  }

  function kill(reason: string): void {
    end(reason);
    void worker.terminate();
    worker.unref();
  }

  return {
    /** A pending call keeps the process running. The thread alone does not. */
    async call(target, input) {
      if (openCalls++ === 0) worker.ref();
      try {
        return await peer.call(target, input);
      } finally {
        if (--openCalls === 0 && !isClosing) worker.unref();
      }
    },
    post: peer.post,
    get pendingBytes() {
      return peer.pendingBytes;
    },
    exited,
    async close(withinMs) {
      isClosing = true;
      // From here on, a caller waits for the end.
      worker.ref();
      const abandoned = Promise.withResolvers<void>();
      let cancel = clock.after(withinMs, () => {
        void worker.terminate();
        cancel = clock.after(terminateMs, abandoned.resolve);
      });
      send({ kind: "close" });
      await Promise.race([exited, abandoned.promise]);
      cancel();
      end("closed");
      worker.unref();
    },
  };
}
