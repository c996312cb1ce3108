import { systemClock } from "../../../lib/time/clock.ts";
import { type Database, faultOf, markDamaged } from "../../../storage/index.ts";
import type { Block } from "../output/sink.ts";
import { type BlockWriter, createBlockWriter, type LimitState, type LogRetention } from "./block-writer.ts";
import { type BlockReader, createBlockReader, createBlockTable } from "./blocks.ts";
import type { LogPage, LogQuery } from "./search/query.ts";
import { searchLogs } from "./search/search.ts";
import { countLogs, type LogVolume, type VolumeQuery } from "./search/volume.ts";
import type { WriterOptions } from "./writer-service.ts";
import { startWriterThread, type WriterThread } from "./writer-thread.ts";

/** Stores log records in the database and searches them. */
export interface LogStore {
  append(block: Block): void;
  /** Resolves when all appended records have been written, when they cannot be, or after a time limit. */
  flush(): Promise<void>;
  /** Finds records. Waits for `flush` first. */
  search(query: LogQuery): Promise<LogPage>;
  /** Number of records by time and level. Waits for `flush` first. */
  volume(query: VolumeQuery): Promise<LogVolume>;
  status(): LogStoreStatus;
  /** What the size limit does. Rejects while the thread does not run. */
  limitState(): Promise<LimitState>;
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
  /** Records that were not stored: too many were pending, or the thread ended before it had written them. */
  readonly dropped: number;
}

export interface LogStoreOptions extends WriterOptions {
  connection: () => Promise<Database>;
}

/** Above this limit, new blocks are dropped and counted, so that a full disk does not exhaust memory. */
export const maxWaitingBytes = 16 * 1_048_576;

/** Delays the thread, so that it does not slow down startup and short-lived processes do not start it. */
const threadAfterMs = 1_000;

/** How long a search waits for records that are still being written. */
const flushMs = 15_000;
const closeMs = 20_000;

/**
 * Blocks are written by a separate thread. Until it is ready for the first time, they are written from the main thread.
 * If it ends, they wait for the next one: a database that blocks the thread would block requests here.
 */
export function createLogStore({ connection, ...given }: LogStoreOptions): LogStore {
  const options = { ...given, retention: { ...given.retention } };
  let thread: WriterThread | undefined;
  let wasReady = false;
  let writer: BlockWriter | undefined;
  const held: Block[] = [];
  let ownWork: Promise<void> = Promise.resolve();
  let heldBytes = 0;
  let ownProblem: string | undefined;
  let damage: string | undefined;
  let dropped = 0;
  let isClosed = false;
  const startTimer = setTimeout(() => {
    thread = startWriterThread({ ...options, onReady });
  }, threadAfterMs).unref();

  function onReady(): void {
    wasReady = true;
    if (!isClosed) moveOn();
  }

  /** Blocks that fail to be written stay in the queue. */
  async function writeHeld(): Promise<void> {
    try {
      writer ??= createBlockWriter(
        createBlockTable(await connection()),
        systemClock,
        options.retention,
        options.instance,
      );
      for (let first = held[0]; first !== undefined; first = held[0]) {
        await writer.append(first);
        release(first);
      }
      ownProblem = undefined;
    } catch (error) {
      ownProblem = error instanceof Error ? error.message : String(error);
    }
  }

  function hold(block: Block): void {
    held.push({ ...block, bytes: Buffer.from(block.bytes) });
    heldBytes += block.bytes.length;
  }

  function release(block: Block): void {
    held.shift();
    heldBytes -= block.bytes.length;
  }

  function handHeldTo(target: WriterThread): void {
    for (const block of [...held]) {
      target.append(block);
      release(block);
    }
    ownProblem = undefined;
  }

  async function processHeld(): Promise<void> {
    if (thread?.isReady) handHeldTo(thread);
    else if (!wasReady || isClosed) await writeHeld();
  }

  /** Called for every new block, even a dropped one; otherwise a full queue would never be processed. */
  function moveOn(): void {
    ownWork = ownWork.then(processHeld);
  }

  async function settle(): Promise<void> {
    await ownWork;
    if (thread?.isReady) await thread.flush();
  }

  const flush = () => within(flushMs, settle());

  async function read<Result>(query: (reader: BlockReader) => Promise<Result>): Promise<Result> {
    await flush();
    try {
      return await query(createBlockReader(await connection()));
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
      const waiting = heldBytes + (thread?.waitingBytes ?? 0);
      if (isClosed || waiting + block.bytes.length > maxWaitingBytes) dropped += block.count;
      // Held blocks are older, so they go first.
      else if (thread?.isReady && held.length === 0) thread.append(block);
      else hold(block);
      if (held.length > 0 && !isClosed) moveOn();
    },
    flush,
    search: (query) => read((reader) => searchLogs(reader, query)),
    volume: (query) => read((reader) => countLogs(reader, query)),
    status() {
      const problem = damage ?? ownProblem ?? thread?.problem;
      return { isWriting: problem === undefined, problem, dropped: dropped + (thread?.lost ?? 0) };
    },
    limitState: async () => (thread ? thread.limitState() : { since: 0 }),
    retain(retention) {
      Object.assign(options.retention, retention);
      thread?.retain(retention);
    },
    async close(withinMs = closeMs) {
      isClosed = true;
      clearTimeout(startTimer);
      if (held.length > 0) moveOn();
      await within(withinMs, ownWork);
      await thread?.close(withinMs);
      for (const block of [...held]) {
        dropped += block.count;
        release(block);
      }
    },
  };
}

/** Waits for work up to a limit. */
async function within(limitMs: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = systemClock.after(limitMs, late.resolve);
  await Promise.race([work, late.promise]);
  cancel();
}
