import { systemClock } from "../../lib/clock.ts";
import { type Database, faultOf, markDamaged } from "../../storage/index.ts";
import type { Block } from "../sink.ts";
import { type BlockWriter, createBlockWriter, type LogRetention } from "./block-writer.ts";
import { type BlockReader, createBlockReader, createBlockTable } from "./blocks.ts";
import type { LogPage, LogQuery } from "./query.ts";
import { searchLogs } from "./search.ts";
import { countLogs, type LogVolume, type VolumeQuery } from "./volume.ts";
import type { WorkerOptions } from "./worker.ts";
import { startWriterThread, type WriterThread } from "./writer-thread.ts";

/** Stores log records in the database and searches them. */
export interface LogStore {
  append(block: Block): void;
  /** Resolves when all appended records have been written, or have failed to be. */
  flush(): Promise<void>;
  search(query: LogQuery): Promise<LogPage>;
  /** Number of records by time and level. */
  volume(query: VolumeQuery): Promise<LogVolume>;
  status(): LogStoreStatus;
  /** Changes the retention. Records beyond it are deleted within a minute. */
  retain(retention: LogRetention): void;
  /** Writes pending records, for up to `withinMs` if given. */
  close(withinMs?: number): Promise<void>;
}

export interface LogStoreStatus {
  /** False while blocks cannot be written. */
  readonly isWriting: boolean;
  /** Reason why blocks cannot be written. */
  readonly problem: string | undefined;
  /** Records dropped because too many were pending. */
  readonly dropped: number;
}

export interface LogStoreOptions extends WorkerOptions {
  connection: () => Promise<Database>;
}

/** Above this limit, new blocks are dropped and counted, so that a full disk does not exhaust memory. */
const maxWaitingBytes = 16 * 1_048_576;

/** Delays the thread, so that it does not slow down startup and short-lived processes do not start it. */
const threadAfterMs = 1_000;

/** Blocks are written by a separate thread. Until it is ready, they are written from the main thread. */
export function createLogStore({ connection, ...given }: LogStoreOptions): LogStore {
  const options = { ...given, retention: { ...given.retention } };
  let thread: WriterThread | undefined;
  let writer: BlockWriter | undefined;
  const held: Block[] = [];
  let ownWork: Promise<void> = Promise.resolve();
  let ownWaitingBytes = 0;
  let ownProblem: string | undefined;
  let damage: string | undefined;
  let dropped = 0;
  let isClosed = false;
  const startTimer = setTimeout(() => {
    thread = startWriterThread(options);
  }, threadAfterMs).unref();

  /** Blocks that fail to be written stay in the queue. */
  async function writeHeld(): Promise<void> {
    try {
      writer ??= createBlockWriter(createBlockTable(await connection()), systemClock, options.retention);
      for (let first = held[0]; first !== undefined; first = held[0]) {
        await writer.append(first);
        release(first);
      }
      ownProblem = undefined;
    } catch (error) {
      ownProblem = (error as Error).message;
    }
  }

  function release(block: Block): void {
    held.shift();
    ownWaitingBytes -= block.bytes.length;
  }

  async function handHeldTo(target: WriterThread): Promise<void> {
    for (const block of [...held]) {
      target.append(block);
      release(block);
    }
  }

  /** Called for every new block, even a dropped one; otherwise a full queue would never be processed. */
  function moveOn(): void {
    ownWork = ownWork.then(() => (thread?.isReady ? handHeldTo(thread) : writeHeld()));
  }

  async function flush(): Promise<void> {
    await ownWork;
    if (thread?.isReady) await thread.flush();
  }

  async function read<Result>(question: (reader: BlockReader) => Promise<Result>): Promise<Result> {
    await flush();
    try {
      return await question(createBlockReader(await connection()));
    } catch (error) {
      if (faultOf(error)?.reason === "damaged") {
        damage = (error as Error).message;
        markDamaged(options.database);
      }
      throw error;
    }
  }

  return {
    append(block) {
      const waiting = ownWaitingBytes + (thread?.waitingBytes ?? 0);
      if (isClosed || waiting + block.bytes.length > maxWaitingBytes) {
        dropped += block.count;
      } else if (thread?.isReady) {
        thread.append(block);
      } else {
        held.push({ ...block, bytes: Buffer.from(block.bytes) });
        ownWaitingBytes += block.bytes.length;
      }
      if (held.length > 0 && !isClosed) moveOn();
    },
    flush,
    search: (query) => read((reader) => searchLogs(reader, query)),
    volume: (query) => read((reader) => countLogs(reader, query)),
    status() {
      const problem = damage ?? (thread?.isReady ? thread.problem : (ownProblem ?? thread?.problem));
      return { isWriting: problem === undefined, problem, dropped };
    },
    retain(retention) {
      Object.assign(options.retention, retention);
      thread?.retain(retention);
    },
    async close(withinMs) {
      isClosed = true;
      clearTimeout(startTimer);
      await ownWork;
      await thread?.close(withinMs);
    },
  };
}
