import type { Database, MigrationSet } from "../../storage/index.ts";

/** A block of records as it lies in the store. */
export interface LogBlockRow {
  id: string;
  first_time: number;
  last_time: number;
  record_count: number;
  max_level: number;
  /** Bytes of the body as it lies here. */
  size: number;
  /** A filter over the trace IDs in it. */
  traces: Uint8Array;
  /** JSON lines, compressed with zstd. */
  body: Uint8Array;
  /** How many records of each level, see `level-counts.ts`; null when it would take opening the block to know. */
  counts: Uint8Array | null;
}

export interface LogTables {
  annex_log_blocks: LogBlockRow;
}

export const logMigrations: MigrationSet = {
  feature: "logging",
  migrations: {
    "001-log-blocks": {
      async up(db, types) {
        await db.schema
          .createTable("annex_log_blocks")
          .addColumn("id", types.text, (column) => column.primaryKey())
          .addColumn("first_time", types.integer, (column) => column.notNull())
          .addColumn("last_time", types.integer, (column) => column.notNull())
          .addColumn("record_count", types.integer, (column) => column.notNull())
          .addColumn("max_level", types.integer, (column) => column.notNull())
          .addColumn("size", types.integer, (column) => column.notNull())
          .addColumn("traces", types.blob, (column) => column.notNull())
          // Last, so that reading the columns before it does not touch the pages it lies on.
          .addColumn("body", types.blob, (column) => column.notNull())
          .execute();
        await db.schema
          .createIndex("annex_log_blocks_by_time")
          .on("annex_log_blocks")
          .columns(["last_time", "id"])
          .execute();
      },
    },
    "002-log-blocks-index": {
      // With all that a header is chosen by: going to the rows themselves costs fifty times as much.
      async up(db) {
        await db.schema.dropIndex("annex_log_blocks_by_time").execute();
        await db.schema
          .createIndex("annex_log_blocks_by_time")
          .on("annex_log_blocks")
          .columns(["last_time", "id", "first_time", "max_level"])
          .execute();
      },
    },
    "003-log-block-counts": {
      // In a row they come behind the body, and to get there is to read all of it. They are read from the index.
      async up(db, types) {
        await db.schema.alterTable("annex_log_blocks").addColumn("counts", types.blob).execute();
        await db.schema.dropIndex("annex_log_blocks_by_time").execute();
        await db.schema
          .createIndex("annex_log_blocks_by_time")
          .on("annex_log_blocks")
          .columns(["last_time", "id", "first_time", "max_level", "counts"])
          .execute();
      },
    },
  },
};

export interface BlockTable {
  insert(block: LogBlockRow): Promise<void>;
  /** Puts one block in the place of several, at once. */
  replace(ids: readonly string[], block: LogBlockRow): Promise<void>;
  /** Removes what is older, a few blocks at a time; true while there may be more. */
  removeBefore(time: number): Promise<boolean>;
  /** Removes the oldest few while all together are larger; true while there may be more. */
  removeBeyond(bytes: number): Promise<boolean>;
}

/** What has to be known of a block to decide whether it is opened. */
export interface BlockHeader extends Pick<LogBlockRow, "id" | "first_time" | "last_time"> {
  /** There when it was asked for. */
  traces?: Uint8Array;
  /** The same. */
  counts?: Uint8Array | null;
}

/** Some headers, from behind the one that is named. */
export interface HeaderPortion {
  after: BlockHeader | undefined;
  count: number;
  traces: boolean;
  counts: boolean;
}

/** Blocks that may hold a record of these times (both ends count) and at least this severity. */
export interface BlockRange {
  from: number;
  to: number;
  least: number | undefined;
}

export interface BlockReader {
  /** Headers, those of the blocks that end last first. */
  list(range: BlockRange, portion: HeaderPortion): Promise<BlockHeader[]>;
  /** The body of a block; undefined when it is not there any more. */
  read(id: string): Promise<Uint8Array | undefined>;
}

export function createBlockReader(database: Database): BlockReader {
  const tables = database.tables<LogTables>();
  return {
    list({ from, to, least }, { after, count, traces, counts }) {
      let select = tables
        .selectFrom("annex_log_blocks")
        .select(["id", "first_time", "last_time"])
        .where("last_time", ">=", from)
        .where("first_time", "<=", to)
        .orderBy("last_time", "desc")
        .orderBy("id", "desc")
        .limit(count);
      if (least !== undefined) select = select.where("max_level", ">=", least);
      if (after !== undefined)
        // The first condition says nothing new, but to SQLite it says where in the index to begin.
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

const removedAtOnce = 50;

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
};
const columns = Object.keys(emptyBlock) as (keyof LogBlockRow)[];

export function createBlockTable(database: Database): BlockTable {
  const tables = database.tables<LogTables>();

  async function removeOldest(before: number): Promise<boolean> {
    const oldest = await tables
      .selectFrom("annex_log_blocks")
      .select("id")
      .where("last_time", "<", before)
      .orderBy("last_time")
      .limit(removedAtOnce)
      .execute();
    if (oldest.length === 0) return false;
    const ids = oldest.map(({ id }) => id);
    await tables.deleteFrom("annex_log_blocks").where("id", "in", ids).execute();
    return oldest.length === removedAtOnce;
  }

  // Built once: a thread that writes a few blocks a second never gets its code warm.
  const insertion = tables.insertInto("annex_log_blocks").values(emptyBlock).compile();

  return {
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
    removeBefore: removeOldest,
    async removeBeyond(bytes) {
      const { total } = await tables
        .selectFrom("annex_log_blocks")
        .select(({ fn }) => fn.sum<number | null>("size").as("total"))
        .executeTakeFirstOrThrow();
      if (Number(total ?? 0) <= bytes) return false;
      await removeOldest(Number.MAX_SAFE_INTEGER);
      return true;
    },
  };
}
