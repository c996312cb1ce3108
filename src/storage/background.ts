import { existsSync } from "node:fs";
import type { Caller } from "../lib/worker/contract.ts";
import { startServices, type WorkerStatus } from "../lib/worker/start-worker.ts";
import { moduleBeside } from "../lib/worker/threads.ts";
import type { BackgroundContract, BackgroundWorker } from "./background-thread.ts";
import type { DatabaseOptions } from "./database.ts";
import { HISTORY_UNAVAILABLE } from "./history-unavailable.ts";
import type { OnUpgradeStep } from "./migrator.ts";

export type { BackgroundContext, BackgroundContract, BackgroundModule } from "./background-thread.ts";

/** Where the background thread finds a service. */
export interface BackgroundService<Contract extends BackgroundContract> {
  /** A `BackgroundModule` with the same contract. */
  readonly module: URL;
  /** Passed to `serve` each time the thread starts. */
  readonly data: Contract["data"];
  /** Has no value: it connects the module to the type of its calls. */
  readonly contract?: Contract;
}

/**
 * A thread with its own database connection for work that would block requests: SQLite blocks the calling thread while
 * it waits for the disk, and processing a month of metrics takes a while on any engine. Each feature provides a module
 * that runs in the thread and processes calls.
 */
export interface Background<Services extends Record<string, BackgroundContract>> extends BackgroundThread {
  /** Calls a service. Failed calls are rejected with a 503 error whose `cause` is the reason. */
  service<Name extends keyof Services & string>(name: Name): Caller<Services[Name]["calls"]>;
}

/** The thread itself, whatever its services are. */
export interface BackgroundThread {
  /** Reason for current failures. */
  readonly problem: string | undefined;
  /** Messages that were dropped or not confirmed because the thread was not running, or that failed. */
  readonly lost: number;
  /** Lets every service finish its work and ends the thread. After the timeout, ends it anyway. */
  close(withinMs?: number): Promise<void>;
}

export interface BackgroundOptions<Services extends Record<string, BackgroundContract>> {
  database: DatabaseOptions;
  services: { readonly [Name in keyof Services]: BackgroundService<Services[Name]> };
  /** Called with the new path of a damaged database file that was moved aside. */
  onSetAside?(path: string): void;
  /** Called when a step of an upgrade of the database begins. */
  onUpgrade?: OnUpgradeStep;
  /** Called when a problem occurs, and with `undefined` when it is resolved. */
  onProblem?(reason: string | undefined): void;
  /** Time limits for a response, for a thread that does not respond at all, and for closing. */
  deadlines?: { callMs: number; hangMs: number; closeMs: number };
}

const entry = moduleBeside(import.meta.url, "background-thread");

/** Whether the file of the thread exists. In the bundle of an application, it does not. */
export const hasBackgroundThread = (): boolean => existsSync(entry);

/**
 * Most objects in the thread are short-lived. With its default heap size, V8 would let ten times as much garbage
 * accumulate.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 256 };

/** Includes migrations, which may have to wait for another instance. */
const startMs = 300_000;
/** During this time, messages are dropped. */
const restartMs = 5_000;
/** Seconds of metrics are small, but a second of page views can have 4 MiB. */
const maxPendingBytes = 32 * 2 ** 20;
/** SQLite may block the thread for ten seconds while it waits for another writer. */
const defaultDeadlines = { callMs: 40_000, hangMs: 40_000, closeMs: 10_000 };

export function createBackground<Services extends Record<string, BackgroundContract>>({
  database,
  services,
  onProblem,
  onSetAside,
  onUpgrade,
  deadlines = defaultDeadlines,
}: BackgroundOptions<Services>): Background<Services> {
  let problem: string | undefined;

  function noteStatus(status: WorkerStatus): void {
    if (status.problem === problem) return;
    problem = status.problem;
    onProblem?.(problem);
  }

  const worker = startServices<BackgroundWorker<Services>>({
    entry,
    name: "annex-background",
    data: {
      database,
      services: Object.entries(services).map(([name, { module, data }]) => ({
        name,
        module: module.href,
        data,
      })),
    },
    handlers: { setAside: (path) => onSetAside?.(path), upgrade: (step) => onUpgrade?.(step) },
    resourceLimits,
    isLazy: true,
    restartMs,
    maxPendingBytes,
    deadlines: { startMs, ...deadlines },
    onStatus: noteStatus,
  });

  return {
    service(name) {
      const { call, post } = worker.service(name);
      return {
        post,
        call: (name, ...input) =>
          call(name, ...input).catch((cause: unknown) => {
            throw HISTORY_UNAVAILABLE.with({ cause });
          }),
      };
    },
    get problem() {
      return worker.status().problem;
    },
    get lost() {
      return worker.status().lost;
    },
    close: worker.close,
  };
}
