import { systemClock } from "../../../lib/time/clock.ts";
import { type NoCalls, Transferred, type WorkerContract } from "../../../lib/worker/contract.ts";
import type { Served } from "../../../lib/worker/serve-worker.ts";
import { type Database, type DatabaseOptions, keepSmall, markDamaged } from "../../../storage/index.ts";
import type { Block } from "../output/sink.ts";
import { createBlockWriter, type LimitState, type LogRetention } from "./block-writer.ts";
import { createBlockTable } from "./blocks.ts";

/**
 * The thread that writes log blocks, with its own database connection. SQLite inserts wait for the disk and would block
 * requests on the main thread.
 */
export interface LogWriter extends WorkerContract {
  readonly data: WriterOptions;
  readonly calls: {
    /** Writes a block, retrying until it succeeds. Returns the memory for reuse. */
    write(block: Omit<Block, "bytes">, memory: ArrayBuffer, length: number): ArrayBuffer;
    /** Resolves when all earlier blocks have been written, or while they cannot be. Does not wait for deletions. */
    flush(): void;
    retain(retention: LogRetention): void;
    /** What the size limit does. */
    limitState(): LimitState;
  };
  readonly ownerCalls: NoCalls;
}

export interface WriterOptions {
  database: DatabaseOptions;
  retention: LogRetention;
  /** The instance that writes the records. Default: not known. */
  instance?: string | undefined;
}

export interface WriterServiceOptions extends WriterOptions {
  /** Closed with the service. */
  connection: Database;
  /** Reports why blocks cannot be written or deleted; `undefined` reports recovery. */
  report(reason: string | undefined): void;
}

const retryMs = 1_000;
const purgeEveryMs = 60_000;

/** Why blocks cannot be written or deleted. Changes are reported. */
class Problems {
  readonly reasons: { writing?: string | undefined; deleting?: string | undefined } = {};
  private readonly report: (reason: string | undefined) => void;

  constructor(report: (reason: string | undefined) => void) {
    this.report = report;
  }

  note(work: keyof Problems["reasons"], reason: string | undefined): void {
    if (this.reasons[work] === reason) return;
    this.reasons[work] = reason;
    this.report(this.reasons.writing ?? this.reasons.deleting);
  }
}

/** Runs tasks one at a time, in the order they were received. */
function createTaskQueue(): <Output>(task: () => Promise<Output>) => Promise<Output> {
  let work: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = work.then(task);
    work = done.catch(() => {});
    return done;
  };
}

/** What the log writer thread does: it writes blocks in their order, and deletes expired ones in turns meanwhile. */
export function createWriterService({
  connection,
  database: options,
  retention,
  instance,
  report,
}: WriterServiceOptions): Served<LogWriter["calls"]> {
  const writer = createBlockWriter(createBlockTable(connection), systemClock, retention, instance);
  const flushes = new Set<() => void>();
  const closing = new AbortController();
  const problems = new Problems(report);
  const enqueue = createTaskQueue();
  let purging: Promise<void> | undefined;

  function noteFailure(work: keyof Problems["reasons"], error: unknown): void {
    if (connection.problem?.reason === "damaged") markDamaged(options);
    problems.note(work, error instanceof Error ? error.message : String(error));
  }

  function noteRecovery(): void {
    problems.note("writing", undefined);
    // Deletions probably succeed again, too.
    if (problems.reasons.deleting !== undefined) purge();
  }

  /** Otherwise pending flushes would wait until the database recovers. */
  function endFlushes(): void {
    for (const resolve of flushes) resolve();
    flushes.clear();
  }

  async function write(block: Block): Promise<void> {
    for (;;) {
      try {
        await writer.append(block);
        if (problems.reasons.writing !== undefined) noteRecovery();
        return;
      } catch (error) {
        noteFailure("writing", error);
        endFlushes();
        if (closing.signal.aborted) throw error;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  /** Not among the tasks, so that writes do not wait for it. */
  function purge(): void {
    purging ??= removeOld().finally(() => {
      purging = undefined;
    });
  }

  async function removeOld(): Promise<void> {
    try {
      await connection.deleting(() => writer.purge(closing.signal));
      problems.note("deleting", undefined);
    } catch (error) {
      if (!closing.signal.aborted) noteFailure("deleting", error);
    }
  }

  const purgeTimer = setInterval(purge, purgeEveryMs);
  // After the thread is ready, because it can take a while.
  const firstPurge = setImmediate(purge);
  const stopShrinking = keepSmall(connection, systemClock);

  return {
    handlers: {
      async write(block, memory, length) {
        await enqueue(() => write({ ...block, bytes: Buffer.from(memory, 0, length) }));
        return new Transferred(memory, [memory]);
      },
      flush() {
        if (problems.reasons.writing !== undefined) return;
        const { promise, resolve } = Promise.withResolvers<void>();
        flushes.add(resolve);
        void enqueue(async () => {
          flushes.delete(resolve);
          resolve();
        });
        return promise;
      },
      limitState: () => writer.state,
      retain: (changed) => void Object.assign(retention, changed),
    },
    async close() {
      closing.abort();
      clearInterval(purgeTimer);
      clearImmediate(firstPurge);
      await Promise.all([purging, stopShrinking()]);
      await enqueue(() => connection.close());
    },
  };
}
