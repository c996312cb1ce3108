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

/** A process that ends sooner than this is spared the thread, and a start is not slowed by it. */
const threadAfterMs = 100;

export function createLogStore({ connection, ...options }: LogStoreOptions): LogStore {
  let early: Block[] = [];
  let startTimer: NodeJS.Timeout | undefined;
  let thread: WriterThread | undefined;
  let earlyProblem: string | undefined;
  let dropped = 0;
  let isClosed = false;

  function startThread(): void {
    thread = startWriterThread(options);
    for (const block of early.splice(0)) thread.append(block);
  }

  /** What came before there was a thread is written from here. */
  async function writeEarly(): Promise<void> {
    clearTimeout(startTimer);
    startTimer = undefined;
    const blocks = early;
    early = [];
    if (blocks.length === 0) return;
    try {
      const writer = createBlockWriter(createBlockTable(await connection()), systemClock, options.retention);
      for (const block of blocks) await writer.append(block);
      earlyProblem = undefined;
    } catch (error) {
      earlyProblem = (error as Error).message;
    }
  }

  const waitingBytes = () => thread?.waitingBytes ?? early.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const flush = () => (thread === undefined ? writeEarly() : thread.flush());

  return {
    append(block) {
      if (isClosed || waitingBytes() + block.bytes.length > maxWaitingBytes) {
        dropped += block.count;
        return;
      }
      // A copy with memory of its own, which can be handed to another thread.
      const copy = { ...block, bytes: Buffer.from(new Uint8Array(block.bytes).buffer) };
      if (thread !== undefined) thread.append(copy);
      else {
        early.push(copy);
        startTimer ??= setTimeout(startThread, threadAfterMs).unref();
      }
    },
    flush,
    async search(query) {
      await flush();
      return searchLogs(await connection(), query);
    },
    status() {
      const problem = thread === undefined ? earlyProblem : thread.problem;
      return { isWriting: problem === undefined, problem, dropped };
    },
    async close() {
      isClosed = true;
      await writeEarly();
      await thread?.close();
    },
  };
}
