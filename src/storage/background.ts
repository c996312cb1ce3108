import { systemClock } from "../lib/clock.ts";
import { defineError } from "../lib/errors.ts";
import { moduleBeside, startThread } from "../lib/threads.ts";
import type { FromThread, ThreadOptions, ToThread } from "./background-thread.ts";
import type { DatabaseOptions } from "./database.ts";

export type { BackgroundContext, BackgroundModule, BackgroundService } from "./background-thread.ts";

/**
 * A thread with its own database connection for work that would block requests: SQLite blocks the calling thread while
 * it waits for the disk, and processing a month of metrics takes a while on any engine. Each feature provides a module
 * that runs in the thread and receives messages.
 */
export interface Background {
  /** Sends a message without a response. Transferred buffers are no longer usable by the caller. */
  post(service: string, message: unknown, transfer?: ArrayBuffer[]): void;
  /** Sends a message and resolves with the response. Rejects with a 503 error whose `cause` is the reason. */
  ask<Answer>(service: string, message: unknown): Promise<Answer>;
  /** Reason for current failures. */
  readonly problem: string | undefined;
  /** Messages dropped because the thread was not running. */
  readonly lost: number;
  /** Lets every service finish its work and ends the thread. After the timeout, ends it anyway. */
  close(withinMs?: number): Promise<void>;
}

export interface BackgroundOptions {
  database: DatabaseOptions;
  /** Modules by service name; `data` is passed to `serve`. */
  services: Record<string, { module: URL; data?: unknown }>;
  /** Called with the new path of a damaged database file that was moved aside. */
  onSetAside?(path: string): void;
  /** Called when a problem occurs, and with `undefined` when it is resolved. */
  onProblem?(reason: string | undefined): void;
  /** Time limits for a response and for closing. Default 40 s and 10 s. */
  deadlines?: { answerMs: number; closeMs: number };
}

export const HISTORY_UNAVAILABLE = defineError(
  "HISTORY_UNAVAILABLE",
  503,
  "History is temporarily unavailable. Retry shortly.",
);

/**
 * Most objects in the thread are short-lived. With its default heap size, V8 would let ten times as much garbage
 * accumulate.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 256 };

/** After the thread has died, messages are dropped for this long, to avoid a restart loop. */
const restartAfterMs = 5_000;

/** Key for problems of the thread itself. */
const ownProblem = "";

export function createBackground({
  database,
  services,
  onProblem,
  onSetAside,
  deadlines = { answerMs: 40_000, closeMs: 10_000 },
}: BackgroundOptions): Background {
  const options: ThreadOptions = {
    database,
    services: Object.entries(services).map(([name, { module, data }]) => ({
      name,
      module: module.href,
      data,
    })),
  };
  const problems = new Map<string, string>();
  let thread: Thread | undefined;
  let diedAt = Number.NEGATIVE_INFINITY;
  let lost = 0;
  let closing: Promise<void> | undefined;

  const problem = () => [...problems.values()].at(-1);

  function tell(service: string, reason: string | undefined): void {
    const before = problem();
    if (reason === undefined) problems.delete(service);
    else problems.set(service, reason);
    if (problem() !== before) onProblem?.(problem());
  }

  function die(reason: string): void {
    thread = undefined;
    diedAt = systemClock.elapsed();
    // The next thread starts with new services.
    for (const service of problems.keys()) if (service !== ownProblem) problems.delete(service);
    tell(ownProblem, reason);
  }

  function current(): Thread | undefined {
    if (closing || (thread === undefined && systemClock.elapsed() - diedAt < restartAfterMs))
      return undefined;
    try {
      thread ??= openThread(options, {
        answerMs: deadlines.answerMs,
        onProblem: tell,
        onSetAside: (path) => onSetAside?.(path),
        onDeath: die,
      });
    } catch (error) {
      die((error as Error).message);
    }
    return thread;
  }

  return {
    post(service, message, transfer) {
      const alive = current();
      if (alive) alive.post({ kind: "post", service, message }, transfer);
      else lost++;
    },
    async ask<Answer>(service: string, message: unknown): Promise<Answer> {
      try {
        const alive = current();
        if (!alive) throw new Error(`The background thread is not running: ${problem() ?? "it was closed"}`);
        return (await alive.ask(service, message)) as Answer;
      } catch (cause) {
        throw HISTORY_UNAVAILABLE.with({ cause });
      }
    },
    get problem() {
      return problem();
    },
    get lost() {
      return lost;
    },
    close(withinMs = deadlines.closeMs) {
      closing ??= thread?.close(withinMs) ?? Promise.resolve();
      return closing;
    },
  };
}

interface Thread {
  post(message: ToThread, transfer?: ArrayBuffer[]): void;
  ask(service: string, message: unknown): Promise<unknown>;
  close(withinMs: number): Promise<void>;
}

interface Question {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

interface ThreadListener {
  readonly answerMs: number;
  onProblem(service: string, reason: string | undefined): void;
  onSetAside(path: string): void;
  onDeath(reason: string): void;
}

function openThread(
  options: ThreadOptions,
  { answerMs, onProblem, onSetAside, onDeath }: ThreadListener,
): Thread {
  const entry = moduleBeside(import.meta.url, "background-thread");
  const name = "annex-background";
  const worker = startThread(entry, { workerData: options, name, resourceLimits });
  worker.unref();
  const open = new Map<number, Question>();
  let tickets = 0;
  let isClosing = false;
  let reason = "it ended";

  worker.on("message", (message: FromThread) => {
    if (message.kind === "ready") return onProblem(ownProblem, undefined);
    if (message.kind === "problem") return onProblem(message.service, message.reason);
    if (message.kind === "set-aside") return onSetAside(message.path);
    const question = open.get(message.ticket);
    open.delete(message.ticket);
    if (message.kind === "answer") question?.resolve(message.answer);
    else question?.reject(new Error(message.reason));
  });
  worker.on("error", (error: Error) => {
    reason = error.message;
  });
  const ended = new Promise<void>((resolve) => {
    worker.on("exit", () => {
      for (const { reject } of open.values()) reject(new Error(`The background thread has ended: ${reason}`));
      open.clear();
      if (!isClosing) onDeath(reason);
      resolve();
    });
  });

  function ask(service: string, message: unknown): Promise<unknown> {
    const ticket = tickets++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    open.set(ticket, { resolve, reject });
    worker.postMessage({ kind: "ask", service, message, ticket } satisfies ToThread);
    // An unresponsive database may not even report an error.
    const giveUp = systemClock.after(answerMs, () => {
      open.delete(ticket);
      reject(new Error(`No response from the background thread within ${answerMs} ms.`));
    });
    return promise.finally(giveUp);
  }

  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    ask,
    async close(withinMs) {
      isClosing = true;
      // From here on, a caller waits for the response.
      worker.ref();
      worker.postMessage({ kind: "close" } satisfies ToThread);
      const giveUp = systemClock.after(withinMs, () => void worker.terminate());
      await ended;
      giveUp();
    },
  };
}
