import { type Database, readMigrations, type Store } from "../../../storage/index.ts";

/** A stored block of records. */
export interface LogBlockRow {
  id: string;
  first_time: number;
  last_time: number;
  record_count: number;
  max_level: number;
  /** Size of the compressed body in bytes. */
  size: number;
  /** Filter over the trace IDs in the block. */
  traces: Uint8Array;
  /** JSON lines, compressed with zstd. */
  body: Uint8Array;
  /** Number of records per level, see `level-counts.ts`; null if it can only be determined by opening the block. */
  counts: Uint8Array | null;
  /** The instance that wrote the records; null if it is not known. */
  instance: string | null;
}

export interface LogTables {
  annex_log_blocks: LogBlockRow;
}

export const logMigrations = readMigrations("logging", new URL("../migrations/", import.meta.url));

export const logFile = "logs.db";

export const recordStore: Store = {
  name: "logs",
  contents: ["log records"],
  file: logFile,
  tables: ["annex_log_*"],
  migrations: logMigrations,
  isLarge: true,
  retention: [
    {
      option: "log.retentionHours",
      requires: "log.store",
      note: "or until the limit is reached; the oldest are deleted first",
    },
  ],
  limit: { option: "log.maxMegabytes" },
};

export interface BlockTable {
  /** Whether other instances write to the same table. */
  readonly isShared: boolean;
  insert(block: LogBlockRow): Promise<void>;
  /** Atomically replaces several blocks with one. */
  replace(ids: readonly string[], block: LogBlockRow): Promise<void>;
  /** Sizes of some blocks before a position, newest first. Empty if there are none. */
  sizesBefore(position: BlockPosition | undefined): Promise<BlockSize[]>;
  /** Deletes a few of the oldest blocks up to a position, inclusive. */
  removeUpTo(position: BlockPosition): Promise<RemovedBlocks>;
}

export interface RemovedBlocks {
  readonly bytes: number;
  readonly hasMore: boolean;
}

/** Where a block is in the order of time. */
export type BlockPosition = Pick<LogBlockRow, "last_time" | "id">;

export type BlockSize = Pick<LogBlockRow, "last_time" | "id" | "size">;

/** The fields of a block that decide whether it has to be opened. */
export interface BlockHeader extends Pick<LogBlockRow, "id" | "first_time" | "last_time" | "instance"> {
  /** Present if requested. */
  traces?: Uint8Array;
  /** Present if requested. */
  counts?: Uint8Array | null;
}

/** A batch of headers, starting after the given one. */
export interface HeaderPortion {
  after: BlockHeader | undefined;
  count: number;
  traces: boolean;
  counts: boolean;
}

/** Blocks that may contain records of a period (inclusive) with at least a given severity. */
export interface BlockRange {
  from: number;
  to: number;
  least: number | undefined;
  /** Default: all instances. */
  instance?: string | undefined;
}

export interface BlockReader {
  /** Headers, ordered by the end time of the blocks, latest first. */
  list(range: BlockRange, portion: HeaderPortion): Promise<BlockHeader[]>;
  /** The body of a block; undefined if it no longer exists. */
  read(id: string): Promise<Uint8Array | undefined>;
}

export function createBlockReader(database: Database): BlockReader {
  const tables = database.tables<LogTables>();
  return {
    list({ from, to, least, instance }, { after, count, traces, counts }) {
      let select = tables
        .selectFrom("annex_log_blocks")
        .select(["id", "first_time", "last_time", "instance"])
        .where("last_time", ">=", from)
        .where("first_time", "<=", to)
        .orderBy("last_time", "desc")
        .orderBy("id", "desc")
        .limit(count);
      if (least !== undefined) select = select.where("max_level", ">=", least);
      if (instance !== undefined) select = select.where("instance", "=", instance);
      if (after !== undefined)
        // Logically redundant, but it gives SQLite the start position in the index.
        select = select
          .where("last_time", "<=", after.last_time)
          .where(({ eb, or }) => or([eb("last_time", "<", after.last_time), eb("id", "<", after.id)]));
      return select
        .$if(traces, (query) => query.select("traces"))
        .$if(counts, (query) => query.select("counts"))
        .execute();
    },
    async read(id) {
      const block = await tables
        .selectFrom("annex_log_blocks")
        .select("body")
        .where("id", "=", id)
        .executeTakeFirst();
      return block?.body;
    },
  };
}

/** Both take a few milliseconds. */
const removedPerBatch = 50;
const measuredPerBatch = 1_000;

const nothing = new Uint8Array();
const emptyBlock: LogBlockRow = {
  id: "",
  first_time: 0,
  last_time: 0,
  record_count: 0,
  max_level: 0,
  size: 0,
  traces: nothing,
  body: nothing,
  counts: null,
  instance: null,
};
const columns = Object.keys(emptyBlock) as (keyof LogBlockRow)[];

export function createBlockTable(database: Database): BlockTable {
  const tables = database.tables<LogTables>();

  // Built once: a thread that writes only a few blocks per second never runs optimized code.
  const insertion = tables.insertInto("annex_log_blocks").values(emptyBlock).compile();

  return {
    isShared: database.engine === "postgres",
    async insert(block) {
      await tables.executeQuery({ ...insertion, parameters: columns.map((column) => block[column]) });
    },
    replace: (ids, block) =>
      database.transaction<LogTables, void>(async (trx) => {
        await trx
          .deleteFrom("annex_log_blocks")
          .where("id", "in", [...ids])
          .execute();
        await trx.insertInto("annex_log_blocks").values(block).execute();
      }),
    sizesBefore(position) {
      const newest = tables
        .selectFrom("annex_log_blocks")
        .select(["last_time", "id", "size"])
        .orderBy("last_time", "desc")
        .orderBy("id", "desc")
        .limit(measuredPerBatch);
      if (position === undefined) return newest.execute();
      const { last_time, id } = position;
      return newest
        .where("last_time", "<=", last_time)
        .where(({ eb, or }) => or([eb("last_time", "<", last_time), eb("id", "<", id)]))
        .execute();
    },
    async removeUpTo({ last_time, id }) {
      const oldest = await tables
        .selectFrom("annex_log_blocks")
        .select(["id", "size"])
        .where("last_time", "<=", last_time)
        .where(({ eb, or }) => or([eb("last_time", "<", last_time), eb("id", "<=", id)]))
        .orderBy("last_time")
        .orderBy("id")
        .limit(removedPerBatch)
        .execute();
      if (oldest.length === 0) return { bytes: 0, hasMore: false };
      const ids = oldest.map((block) => block.id);
      await tables.deleteFrom("annex_log_blocks").where("id", "in", ids).execute();
      const bytes = oldest.reduce((sum, { size }) => sum + size, 0);
      return { bytes, hasMore: oldest.length === removedPerBatch };
    },
  };
}
