import { type Kysely, sql } from "kysely";
import { hourMs } from "../../../lib/time/units.ts";
import { type Database, readMigrations, type Store } from "../../../storage/index.ts";

/** A stored block of records. */
export interface LogBlockRow {
  id: string;
  first_time: number;
  last_time: number;
  record_count: number;
  max_level: number;
  /** Bytes of the compressed body and the filters. Blocks of earlier releases count the body only. */
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

/** The filter over the text of a block, see `filters/gram-filter.ts`. Deleted with its block. */
export interface LogGramRow {
  block: string;
  filter: Uint8Array;
}

export interface LogTables {
  annex_log_blocks: LogBlockRow;
  annex_log_grams: LogGramRow;
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
  /** The filter over the text is optional. A block without one is opened by every search. */
  insert(block: LogBlockRow, grams?: Uint8Array): Promise<void>;
  /** Atomically replaces several blocks with one. */
  replace(ids: readonly string[], block: LogBlockRow, grams: Uint8Array): Promise<void>;
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
  /** Present if requested; null if the block has none. */
  grams?: Uint8Array | null;
}

/** A batch of headers, starting after the given one. */
export interface HeaderPortion {
  after?: BlockPosition | undefined;
  count: number;
  traces?: boolean;
  counts?: boolean;
  grams?: boolean;
}

/** Blocks that may contain records of a period (inclusive) with at least a given severity. */
export interface BlockRange {
  from: number;
  to: number;
  least: number | undefined;
  /** Default: all instances. */
  instance?: string | undefined;
}

/** The blocks that end in an hour. */
export interface BlockHour {
  /** Start of the hour. */
  readonly start: number;
  /** Earliest time of a record. */
  readonly first: number;
  /** Differs when the blocks have changed: added, merged or deleted. */
  readonly mark: string;
}

export interface BlockReader {
  /** The hours in which blocks end, from a time on, latest first. Reads only the index. */
  hours(from: number, instance?: string): Promise<BlockHour[]>;
  /** Headers, ordered by the end time of the blocks, latest first. */
  list(range: BlockRange, portion: HeaderPortion): Promise<BlockHeader[]>;
  /** The body of a block; undefined if it no longer exists. */
  read(id: string): Promise<Uint8Array | undefined>;
}

export function createBlockReader(database: Database): BlockReader {
  const tables = database.tables<LogTables>();

  // Built once: a search can read thousands of bodies.
  const reading = tables.selectFrom("annex_log_blocks").select("body").where("id", "=", "").compile();

  return {
    list({ from, to, least, instance }, { after, count, traces = false, counts = false, grams = false }) {
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
        .$if(grams, (query) =>
          query
            .leftJoin("annex_log_grams", "annex_log_grams.block", "annex_log_blocks.id")
            .select("annex_log_grams.filter as grams"),
        )
        .execute();
    },
    async hours(from, instance) {
      const hour = sql<number>`last_time / ${sql.lit(hourMs)}`;
      let select = tables
        .selectFrom("annex_log_blocks")
        .select(({ fn }) => [
          hour.as("hour"),
          fn.min("first_time").as("first"),
          fn.countAll().as("blocks"),
          fn.sum("first_time").as("begins"),
          fn.sum("last_time").as("ends"),
          fn.min("id").as("least"),
          fn.max("id").as("most"),
        ])
        .where("last_time", ">=", Math.floor(from / hourMs) * hourMs)
        .groupBy(hour)
        .orderBy(hour, "desc");
      if (instance !== undefined) select = select.where("instance", "=", instance);
      const hours = await select.execute();
      return hours.map(({ hour, first, ...rest }) => ({
        start: Number(hour) * hourMs,
        first: Number(first),
        mark: Object.values(rest).join(" "),
      }));
    },
    async read(id) {
      const { rows } = await tables.executeQuery<Pick<LogBlockRow, "body">>({ ...reading, parameters: [id] });
      return rows[0]?.body;
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

async function insertGrams(tables: Kysely<LogTables>, block: string, filter: Uint8Array): Promise<void> {
  await tables.insertInto("annex_log_grams").values({ block, filter }).execute();
}

export function createBlockTable(database: Database): BlockTable {
  const tables = database.tables<LogTables>();

  // Built once: a thread that writes only a few blocks per second never runs optimized code.
  const insertion = tables.insertInto("annex_log_blocks").values(emptyBlock).compile();

  return {
    isShared: database.engine === "postgres",
    async insert(block, grams) {
      const insertBlock = { ...insertion, parameters: columns.map((column) => block[column]) };
      if (grams === undefined) await tables.executeQuery(insertBlock);
      else
        await database.transaction<LogTables, void>(async (trx) => {
          await trx.executeQuery(insertBlock);
          await insertGrams(trx, block.id, grams);
        });
    },
    replace: (ids, block, grams) =>
      database.transaction<LogTables, void>(async (trx) => {
        await trx
          .deleteFrom("annex_log_blocks")
          .where("id", "in", [...ids])
          .execute();
        await trx.insertInto("annex_log_blocks").values(block).execute();
        await insertGrams(trx, block.id, grams);
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
