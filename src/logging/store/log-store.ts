import { systemClock } from "../../lib/clock.ts";
import type { Database } from "../../storage/index.ts";
import type { Block } from "../sink.ts";
import { createBlockWriter } from "./block-writer.ts";
import { createBlockTable } from "./blocks.ts";
import { type LogPage, type LogQuery, searchLogs } from "./search.ts";
import type { WorkerOptions } from "./worker.ts";
import { startWriterThread, type WriterThread } from "./writer-thread.ts";

/** Log records kept in the database, where they can be searched. */
export interface LogStore {
  append(block: Block): void;
  /** Resolves when everything appended so far is in the database, or has failed to get there. */
  flush(): Promise<void>;
  search(query: LogQuery): Promise<LogPage>;
  status(): LogStoreStatus;
  close(): Promise<void>;
}

export interface LogStoreStatus {
  /** False while blocks cannot be written. */
  readonly isWriting: boolean;
  /** Why not. */
  readonly problem: string | undefined;
  /** Records that were given up because too many were waiting. */
  readonly dropped: number;
}

export interface LogStoreOptions extends WorkerOptions {
  connection: () => Promise<Database>;
}

/** Beyond this, what comes is dropped and counted, so that a full disk does not fill the memory too. */
const maxWaitingBytes = 16 * 1_048_576;

/** A start is not slowed by loading the thread, and a process that ends sooner is spared it. */
const threadAfterMs = 1_000;

/**
 * Blocks are written by a thread of their own, and until that is there from here, so that none has to wait for it.
 */
export function createLogStore({ connection, ...options }: LogStoreOptions): LogStore {
  let thread: WriterThread | undefined;
  let ownWork: Promise<void> = Promise.resolve();
  let ownWaitingBytes = 0;
  let ownProblem: string | undefined;
  let dropped = 0;
  let isClosed = false;
  const writer = connection().then((database) =>
    createBlockWriter(createBlockTable(database), systemClock, options.retention),
  );
  // A database that cannot be opened is reported where it is used.
  writer.catch(() => {});
  const startTimer = setTimeout(() => {
    thread = startWriterThread(options);
  }, threadAfterMs).unref();

  async function write(block: Block): Promise<void> {
    try {
      await (await writer).append(block);
      ownProblem = undefined;
    } catch (error) {
      ownProblem = (error as Error).message;
      if (thread !== undefined) thread.append(block);
      else dropped += block.count;
    } finally {
      ownWaitingBytes -= block.bytes.length;
    }
  }

  async function flush(): Promise<void> {
    await ownWork;
    if (thread?.isReady) await thread.flush();
  }

  return {
    append(block) {
      const waiting = ownWaitingBytes + (thread?.waitingBytes ?? 0);
      if (isClosed || waiting + block.bytes.length > maxWaitingBytes) {
        dropped += block.count;
        return;
      }
      if (thread?.isReady) {
        thread.append(block);
        return;
      }
      const copy = { ...block, bytes: Buffer.from(block.bytes) };
      ownWaitingBytes += copy.bytes.length;
      ownWork = ownWork.then(() => write(copy));
    },
    flush,
    async search(query) {
      await flush();
      return searchLogs(await connection(), query);
    },
    status() {
      const problem = thread?.isReady ? thread.problem : ownProblem;
      return { isWriting: problem === undefined, problem, dropped };
    },
    async close() {
      isClosed = true;
      clearTimeout(startTimer);
      await ownWork;
      await thread?.close();
    },
  };
}
