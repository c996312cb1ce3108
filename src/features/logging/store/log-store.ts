import { systemClock } from "../../../lib/time/clock.ts";
import { type Database, faultOf, markDamaged } from "../../../storage/index.ts";
import type { Block } from "../output/sink.ts";
import { type BlockWriter, createBlockWriter, type LimitState, type LogRetention } from "./block-writer.ts";
import { type BlockReader, createBlockReader, createBlockTable } from "./blocks.ts";
import { createLogReader, type LogReader } from "./log-reader.ts";
import { createReaderThread } from "./reader-thread.ts";
import type { FileFormat, FilePage } from "./search/file-page.ts";
import type { LogPage, LogQuery } from "./search/query.ts";
import { checkQuery } from "./search/search.ts";
import type { LogVolume, VolumeQuery } from "./search/volume.ts";
import type { WriterOptions } from "./writer-service.ts";
import { startWriterThread, type WriterThread } from "./writer-thread.ts";

/** Stores log records in the database and searches them. */
export interface LogStore {
  append(block: Block): void;
  /** Resolves when all appended records have been written, when they cannot be, or after a time limit. */
  flush(): Promise<void>;
  /** Finds records. Waits for `flush` first. */
  search(query: LogQuery): Promise<LogPage>;
  /** The same as text of an export. */
  file(query: LogQuery, format: FileFormat): Promise<FilePage>;
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

/** The main thread reads only histories of up to this many blocks, which takes a few milliseconds per turn. */
const blocksReadHere = 100;

/**
 * Blocks are written by a separate thread. Until it is ready for the first time, they are written from the main thread.
 * If it ends, they wait for the next one: a database that blocks the thread would block requests here.
 *
 * A third thread reads them, unless they are few.
 */
export function createLogStore({ connection, ...given }: LogStoreOptions): LogStore {
  const options = { ...given, retention: { ...given.retention } };
  let thread: WriterThread | undefined;
  let wasReady = false;
  let writer: BlockWriter | undefined;
  const held = new HeldBlocks();
  let ownWork: Promise<void> = Promise.resolve();
  let ownProblem: string | undefined;
  let damage: string | undefined;
  let dropped = 0;
  let isClosed = false;
  let isLong = false;
  const readerThread = createReaderThread(options.database);
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
      writer ??= openWriter(await connection(), options);
      await held.write(writer.append);
      ownProblem = undefined;
    } catch (error) {
      ownProblem = error instanceof Error ? error.message : String(error);
    }
  }

  async function processHeld(): Promise<void> {
    const target = thread;
    if (target?.isReady) {
      held.drain((block) => target.append(block));
      ownProblem = undefined;
    } else if (!wasReady || isClosed) await writeHeld();
  }

  /** Called for every new block, even a dropped one; otherwise a full queue would never be processed. */
  function moveOn(): void {
    ownWork = ownWork.then(processHeld);
  }

  const settle = () => (thread?.isReady ? thread.flush() : undefined);
  const flush = () => within(flushMs, ownWork.then(settle));

  async function read<Result>(query: (reader: LogReader) => Promise<Result>): Promise<Result> {
    await flush();
    try {
      const blocks = createBlockReader(await connection());
      isLong ||= await hasManyBlocks(blocks);
      return await query(isLong ? readerThread : createLogReader(blocks));
    } catch (error) {
      damage ??= findDamage(error);
      if (damage !== undefined) markDamaged(options.database);
      throw error;
    }
  }

  return {
    append(block) {
      const waiting = held.bytes + (thread?.waitingBytes ?? 0);
      if (isClosed || waiting + block.bytes.length > maxWaitingBytes) dropped += block.count;
      // Held blocks are older, so they go first.
      else if (thread?.isReady && held.isEmpty) thread.append(block);
      else held.add(block);
      if (!held.isEmpty && !isClosed) moveOn();
    },
    flush,
    async search(query) {
      checkQuery(query);
      return read((reader) => reader.search(query));
    },
    file: (query, format) => read((reader) => reader.file(query, format)),
    volume: (query) => read((reader) => reader.volume(query)),
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
      if (!held.isEmpty) moveOn();
      await within(withinMs, ownWork);
      await Promise.all([thread?.close(withinMs), readerThread.close()]);
      held.drain(({ count }) => {
        dropped += count;
      });
    },
  };
}

function openWriter(database: Database, { retention, instance }: WriterOptions): BlockWriter {
  return createBlockWriter(createBlockTable(database), systemClock, retention, instance);
}

/** Blocks that have not been written yet, the oldest first. */
class HeldBlocks {
  bytes = 0;
  private readonly blocks: Block[] = [];

  get isEmpty(): boolean {
    return this.blocks.length === 0;
  }

  add(block: Block): void {
    this.blocks.push({ ...block, bytes: Buffer.from(block.bytes) });
    this.bytes += block.bytes.length;
  }

  /** Writes and removes one block after the other. Those that fail to be written stay. */
  async write(append: (block: Block) => Promise<void>): Promise<void> {
    for (let first = this.blocks[0]; first !== undefined; first = this.blocks[0]) {
      await append(first);
      this.release(first);
    }
  }

  private release(block: Block): void {
    this.blocks.shift();
    this.bytes -= block.bytes.length;
  }

  /** Passes on every block, and then has none. */
  drain(take: (block: Block) => void): void {
    for (const block of [...this.blocks]) {
      take(block);
      this.release(block);
    }
  }
}

async function hasManyBlocks(blocks: BlockReader): Promise<boolean> {
  const everything = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER, least: undefined };
  const headers = await blocks.list(everything, { count: blocksReadHere + 1 });
  return headers.length > blocksReadHere;
}

/** The message if the file is damaged. The cause of a thread's error has only the code of the fault. */
function findDamage(error: unknown): string | undefined {
  const { message, cause } = error as Error & { cause?: Error & { code?: unknown } };
  if (faultOf(error)?.reason === "damaged") return message;
  return cause?.code === "DATABASE_DAMAGED" ? cause.message : undefined;
}

/** Waits for work up to a limit. */
async function within(limitMs: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const cancel = systemClock.after(limitMs, late.resolve);
  await Promise.race([work, late.promise]);
  cancel();
}
