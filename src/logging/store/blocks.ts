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
