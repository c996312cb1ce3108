import type { ResourceLimits, Worker } from "node:worker_threads";
import type { AlarmClock } from "../time/clock.ts";
import { type HandlerMap, type Message, onlyService, type PostOptions, type Target } from "./contract.ts";
import { createPeer, type Peer } from "./peer.ts";
import { startThread } from "./threads.ts";
import { createWatchdog, type Watchdog } from "./watchdog.ts";
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
  return new OpenThread(options, owned, clock, events);
}

class OpenThread implements Thread {
  readonly exited: Promise<void>;
  private readonly name: string;
  private readonly clock: AlarmClock;
  private readonly events: ThreadEvents;
  private readonly worker: Worker;
  private readonly peer: Peer;
  private readonly watchdog: Watchdog | undefined;
  private readonly cancelStart: (() => void) | undefined;
  private isReady = false;
  private isOver = false;
  private isClosing = false;
  private failure: string | undefined;
  private openCalls = 0;

  constructor(
    { entry, name, data, resourceLimits, deadlines }: ThreadOptions,
    owned: HandlerMap,
    clock: AlarmClock,
    events: ThreadEvents,
  ) {
    this.name = name;
    this.clock = clock;
    this.events = events;
    this.worker = startThread(entry, { name, workerData: data, ...(resourceLimits && { resourceLimits }) });
    this.peer = createPeer({
      send: (message, transfer) => this.send(message, transfer),
      clock,
      name,
      services: new Map([[onlyService, owned]]),
      callMs: deadlines.callMs,
      onLost: events.onLost,
    });
    this.watchdog = this.createWatchdog(deadlines.hangMs);
    this.cancelStart = this.limitStart(deadlines.startMs);
    this.exited = this.listen();
    // After the listeners, because the first one keeps the process running.
    this.worker.unref();
  }

  get pendingBytes(): number {
    return this.peer.pendingBytes;
  }

  /** A pending call keeps the process running. The thread alone does not. */
  async call(target: Target, input: readonly unknown[]): Promise<never> {
    if (this.openCalls++ === 0) this.worker.ref();
    try {
      return await this.peer.call(target, input);
    } finally {
      if (--this.openCalls === 0 && !this.isClosing) this.worker.unref();
    }
  }

  post(target: Target, input: readonly unknown[], options?: PostOptions<never>): void {
    this.peer.post(target, input, options);
  }

  async close(withinMs: number): Promise<void> {
    const { worker, clock, exited } = this;
    this.isClosing = true;
    // From here on, a caller waits for the end.
    worker.ref();
    const abandoned = Promise.withResolvers<void>();
    let cancel = clock.after(withinMs, () => {
      void worker.terminate();
      cancel = clock.after(terminateMs, abandoned.resolve);
    });
    this.send({ kind: "close" });
    await Promise.race([exited, abandoned.promise]);
    cancel();
    this.end("closed");
    worker.unref();
  }

  private createWatchdog(hangMs: number | undefined): Watchdog | undefined {
    if (hangMs === undefined) return undefined;
    return createWatchdog({
      clock: this.clock,
      hangMs,
      isPending: () => this.peer.isPending,
      ping: () => this.worker.postMessage({ kind: "ping" } satisfies Message<unknown>),
      onHang: () => this.kill(`no response within ${hangMs} ms`),
    });
  }

  private limitStart(startMs: number | undefined): (() => void) | undefined {
    if (startMs === undefined) return undefined;
    return this.clock.after(startMs, () => this.kill(`not ready within ${startMs} ms`));
  }

  /** Resolves when the thread has exited. */
  private listen(): Promise<void> {
    const { worker } = this;
    const exited = new Promise<void>((resolve) => {
      worker.on("exit", (code) => {
        this.end(this.failure ?? `exit code ${code}`);
        resolve();
      });
    });
    worker.on("error", (error: Error) => {
      this.failure = error.message;
    });
    worker.on("message", (message: Message<never>) => this.receive(message));
    return exited;
  }

  private send(message: Message<unknown>, transfer: readonly ArrayBuffer[] = []): void {
    this.worker.postMessage(message, transfer);
    if (this.isReady) this.watchdog?.watch();
  }

  private receive(message: Message<never>): void {
    if (this.isOver) return;
    this.watchdog?.hear();
    if (message.kind === "ready") this.becomeReady();
    else if (message.kind === "problem") this.events.onProblem(message.service, message.reason);
    else this.peer.receive(message);
  }

  private becomeReady(): void {
    this.cancelStart?.();
    this.isReady = true;
    if (this.peer.isPending) this.watchdog?.watch();
    this.events.onReady();
  }

  private end(reason: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.cancelStart?.();
    this.watchdog?.stop();
    const { name } = this;
    const message = this.isClosing
      ? `The thread ${name} was closed.`
      : `The thread ${name} has ended: ${reason}`;
    this.peer.end(new WorkerError("WORKER_ENDED", message));
    this.events.onEnd(reason);
  }

  private kill(reason: string): void {
    this.end(reason);
    void this.worker.terminate();
    this.worker.unref();
  }
}
