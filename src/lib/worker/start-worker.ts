import { type AlarmClock, systemClock } from "../time/clock.ts";
import { type Caller, type Handlers, onlyService, toHandlerMap, type WorkerContract } from "./contract.ts";
import { createCaller, type Peer } from "./peer.ts";
import { openThread, type Thread, type ThreadOptions } from "./thread.ts";
import { messageOf, WorkerError } from "./worker-error.ts";

/**
 * - "idle": not started yet.
 * - "restarting": the thread has ended and starts again soon.
 * - "failed": the thread has ended and does not start again.
 */
export type WorkerState = "idle" | "starting" | "running" | "restarting" | "failed" | "closed";

export interface WorkerStatus {
  readonly state: WorkerState;
  /** Why the thread, or a service in it, currently fails. */
  readonly problem: string | undefined;
  /**
   * Records in messages that were not processed: the thread ended before it confirmed them, it was not running, or too
   * many were pending. A record is counted even if the thread stored it in its last moment.
   */
  readonly lost: number;
  /** Memory of the messages that have not been processed yet. */
  readonly pendingBytes: number;
}

export interface WorkerOptions<Contract extends WorkerContract> extends ThreadOptions {
  readonly data: Contract["data"];
  /** The calls that the thread makes. */
  readonly handlers: Handlers<Contract["ownerCalls"]>;
  /** Starts the thread with the first message instead of immediately. Default false. */
  readonly isLazy?: boolean;
  /**
   * Delay of the first restart after the thread has ended by itself. It doubles with every further attempt, up to a
   * minute. Default: the thread is not restarted.
   */
  readonly restartMs?: number;
  /** Above this limit, posts are dropped and counted as lost. Default: no limit. */
  readonly maxPendingBytes?: number;
  /** Called when the state or the problem has changed. */
  onStatus?(status: WorkerStatus): void;
  /** Default: the system clock. */
  readonly clock?: AlarmClock;
}

interface WorkerLife {
  status(): WorkerStatus;
  /** Lets the thread finish its work, then ends it. Terminates it after the time limit, by default `closeMs`. */
  close(withinMs?: number): Promise<void>;
}

/** The owner's side of a thread. */
export interface WorkerClient<Calls> extends WorkerLife, Caller<Calls> {}

/** The owner's side of a thread that contains several services, each with its own calls. */
export interface ServicesClient<Services> extends WorkerLife {
  service<Name extends keyof Services & string>(name: Name): Caller<Services[Name]>;
}

/** Starts a thread that calls `serveWorker` with the same contract. */
export function startWorker<Contract extends WorkerContract>(
  options: WorkerOptions<Contract>,
): WorkerClient<Contract["calls"]> {
  const { status, close, ...peer } = supervise(options);
  return { status, close, ...createCaller<Contract["calls"]>(peer, onlyService) };
}

/** Starts a thread that calls `serveServices` with the same contract: its calls are those of each service, by name. */
export function startServices<Contract extends WorkerContract>(
  options: WorkerOptions<Contract>,
): ServicesClient<Contract["calls"]> {
  const { status, close, ...peer } = supervise(options);
  return { status, close, service: (name) => createCaller(peer, name) };
}

/** A thread that has run for longer than this did not end because of its start. */
const longestRestartMs = 60_000;

const ownProblem = "thread";

interface Supervisor extends WorkerLife, Pick<Peer, "call" | "post"> {}

/** Starts a thread again after it has ended. The delay doubles with every attempt. */
class Restarts {
  private readonly clock: AlarmClock;
  private readonly start: () => void;
  private readyAt = Number.POSITIVE_INFINITY;
  private failedStarts = 0;
  private cancelPlanned: (() => void) | undefined;
  private isOver = false;

  constructor(clock: AlarmClock, start: () => void) {
    this.clock = clock;
    this.start = start;
  }

  noteStart(): void {
    this.readyAt = Number.POSITIVE_INFINITY;
  }

  noteReady(): void {
    this.readyAt = this.clock.elapsed();
  }

  /** A thread that cannot be terminated yet is not replaced: otherwise such threads would accumulate. */
  plan(firstDelayMs: number, exited = Promise.resolve()): void {
    if (this.clock.elapsed() - this.readyAt >= longestRestartMs) this.failedStarts = 0;
    const delayMs = Math.min(firstDelayMs * 2 ** this.failedStarts++, longestRestartMs);
    void exited.then(() => {
      if (!this.isOver) this.cancelPlanned = this.clock.after(delayMs, this.start);
    });
  }

  /** No further start follows. */
  end(): void {
    this.isOver = true;
    this.cancelPlanned?.();
  }
}

/** Keeps a thread running. */
function supervise<Contract extends WorkerContract>(options: WorkerOptions<Contract>): Supervisor {
  const { name, handlers, isLazy, restartMs, maxPendingBytes, deadlines, clock = systemClock } = options;
  const owned = toHandlerMap(handlers);
  /** By service, and of the thread itself. */
  const problems = new Map<string, string>();
  let state: WorkerState = "idle";
  let thread: Thread | undefined;
  let lost = 0;
  const restarts = new Restarts(clock, start);
  let closing: Promise<void> | undefined;

  const status = (): WorkerStatus => ({
    state,
    problem: [...problems.values()].at(-1),
    lost,
    pendingBytes: thread?.pendingBytes ?? 0,
  });

  function change(next: WorkerState): void {
    state = next;
    options.onStatus?.(status());
  }

  function setProblem(service: string, reason: string | undefined): void {
    if (reason === undefined) problems.delete(service);
    else problems.set(service, reason);
  }

  function start(): void {
    state = "starting";
    restarts.noteStart();
    try {
      thread = openThread(options, owned, clock, { onReady, onProblem, onLost, onEnd });
    } catch (error) {
      onEnd(messageOf(error));
    }
  }

  function onReady(): void {
    restarts.noteReady();
    setProblem(ownProblem, undefined);
    change(closing ? state : "running");
  }

  function onProblem(service: string, reason: string | undefined): void {
    const key = `service ${service}`;
    if (problems.get(key) === reason) return;
    setProblem(key, reason);
    change(state);
  }

  function onLost(count: number): void {
    lost += count;
  }

  function onEnd(reason: string): void {
    const ended = thread;
    thread = undefined;
    // The next thread starts with new services.
    problems.clear();
    if (!closing) setProblem(ownProblem, `The thread ${name} has ended: ${reason}`);
    change(closing ? "closed" : restartMs === undefined ? "failed" : "restarting");
    if (!closing && restartMs !== undefined) restarts.plan(restartMs, ended?.exited);
  }

  function current(): Thread | undefined {
    if (state === "idle") start();
    return closing ? undefined : thread;
  }

  if (!isLazy) start();
  return {
    async call(target, input) {
      const running = current();
      if (running) return running.call(target, input);
      const reason = status().problem ?? "it was closed";
      throw new WorkerError("WORKER_NOT_RUNNING", `The thread ${name} is not running: ${reason}`);
    },
    post(target, input, given = {}) {
      const { bytes = 0, count = 1 } = given;
      const running = current();
      const isFull = (running?.pendingBytes ?? 0) + bytes > (maxPendingBytes ?? Number.POSITIVE_INFINITY);
      if (!running || isFull) lost += count;
      else running.post(target, input, given);
    },
    status,
    close(withinMs = deadlines.closeMs) {
      if (closing) return closing;
      restarts.end();
      const ending = thread;
      closing = ending ? ending.close(withinMs) : Promise.resolve();
      if (!ending) {
        problems.clear();
        change("closed");
      }
      return closing;
    },
  };
}
