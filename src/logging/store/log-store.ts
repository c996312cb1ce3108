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

/** Log records kept in the database, where they can be searched. */
export interface LogStore {
  append(block: Block): void;
  /** Resolves when everything appended so far is in the database, or has failed to get there. */
  flush(): Promise<void>;
  search(query: LogQuery): Promise<LogPage>;
  /** How many records, of what level, when. */
  volume(query: VolumeQuery): Promise<LogVolume>;
  status(): LogStoreStatus;
  /** From now on records are kept for that long and that much; what is beyond it goes within a minute. */
  retain(retention: LogRetention): void;
  /** Writes what waits, for that long at most if a limit is given. */
  close(withinMs?: number): Promise<void>;
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

  /** What fails stays in line. */
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

  /** Tried with every block that comes, also with one that is dropped: else a line that is full would stay so. */
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
