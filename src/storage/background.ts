import { systemClock } from "../lib/clock.ts";
import { defineError } from "../lib/errors.ts";
import { moduleBeside, startThread } from "../lib/threads.ts";
import type { FromThread, ThreadOptions, ToThread } from "./background-thread.ts";
import type { DatabaseOptions } from "./database.ts";

export type { BackgroundContext, BackgroundModule, BackgroundService } from "./background-thread.ts";

/**
 * A thread with a database connection of its own, for work that would hold up requests: SQLite waits for the disk on
 * the thread that asks, and going through a month of figures takes a while on any. Features bring a module each, which
 * lives in the thread and is spoken to by messages.
 */
export interface Background {
  /** Sends a message that needs no answer. What is transferred with it is gone here. */
  post(service: string, message: unknown, transfer?: ArrayBuffer[]): void;
  /** Sends a message and resolves with the answer; rejects with a 503 that has the reason as its cause. */
  ask<Answer>(service: string, message: unknown): Promise<Answer>;
  /** Why some of the work cannot be done, while it cannot. */
  readonly problem: string | undefined;
  /** Messages that were given up because there was no thread to take them. */
  readonly lost: number;
  /** Lets every service put away what it has, and ends the thread; without that, if it takes too long. */
  close(withinMs?: number): Promise<void>;
}

export interface BackgroundOptions {
  database: DatabaseOptions;
  /** The modules, by the name of the service; `data` is what its `serve` is given. */
  services: Record<string, { module: URL; data?: unknown }>;
  /** Called with the new path of a damaged database file that was moved aside. */
  onSetAside?(path: string): void;
  /** Told when a problem comes up, and, with nothing, when there is none any more. */
  onProblem?(reason: string | undefined): void;
  /** How long an answer may take, and how long the end. Default 40 s and 10 s. */
  deadlines?: { answerMs: number; closeMs: number };
}

export const HISTORY_UNAVAILABLE = defineError(
  "HISTORY_UNAVAILABLE",
  503,
  "The history cannot be read at the moment; try again soon.",
);

/** What passes through the thread is short-lived; left to itself V8 would let ten times as much of it pile up. */
const resourceLimits = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 256 };

/** After a thread has died, messages are given up for this long, lest one that dies at once be started in a circle. */
const restartAfterMs = 5_000;

/** Where the problem of the thread itself stands among those of its services. */
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
        if (!alive) throw new Error(`The background thread is not running: ${problem() ?? "it has ended"}`);
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
      for (const { reject } of open.values()) reject(new Error(`The background thread is gone: ${reason}`));
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
    // A database that has fallen silent does not even refuse.
    const giveUp = systemClock.after(answerMs, () => {
      open.delete(ticket);
      reject(new Error(`There was no answer within ${answerMs} ms.`));
    });
    return promise.finally(giveUp);
  }

  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    ask,
    async close(withinMs) {
      isClosing = true;
      // From here on somebody waits for it.
      worker.ref();
      worker.postMessage({ kind: "close" } satisfies ToThread);
      const giveUp = systemClock.after(withinMs, () => void worker.terminate());
      await ended;
      giveUp();
    },
  };
}
