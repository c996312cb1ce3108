import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Kysely, sql } from "kysely";
import { mainFile } from "../data-dir.ts";
import type { ColumnTypes, DatabaseSize, OpenEngine, UntypedTables } from "../engine.ts";
import { SharedFileDialect } from "./dialect.ts";
import { openFile } from "./file.ts";
import { createFileGuard } from "./file-guard.ts";
import { refuseDamaged, refuseEmptied } from "./start-check.ts";

export interface SqliteOptions {
  /** The folder that holds `annex.db`; created if missing. Not touched when the database is PostgreSQL. */
  dataDir: string;
  /**
   * Another file than `annex.db`. SQLite has one writer per file, and one that writes without a pause can keep another
   * from ever getting its turn; so what must not wait for the application lies in a file of its own.
   */
  file?: string | undefined;
  /**
   * "full" keeps every committed transaction through a power cut; "normal" may lose the last ones then, never the file,
   * and writes faster. Both keep everything through a kill of the process. SQLite only. Default "full".
   */
  durability?: "full" | "normal" | undefined;
}

const columnTypes: ColumnTypes = {
  integer: "integer",
  serial: "integer",
  real: "real",
  text: "text",
  blob: "blob",
};

/** How long a connection waits for another one's write. Waiting blocks the thread, so transactions should be short. */
const busyTimeoutMs = 10_000;

export async function openSqlite({
  dataDir,
  file = mainFile,
  durability = "full",
}: SqliteOptions): Promise<OpenEngine> {
  refuseEmptied(dataDir, file);
  const database = openFile(dataDir, file, busyTimeoutMs, [
    "journal_mode = wal",
    `synchronous = ${durability}`,
    "foreign_keys = on",
    "trusted_schema = off",
    `journal_size_limit = ${64 * 2 ** 20}`,
  ]);
  refuseDamaged(database);
  const guard = createFileGuard(database.name);
  const query = new Kysely<UntypedTables>({ dialect: new SharedFileDialect(database, guard) });
  // Kysely closes only what it has used.
  await sql`select 1`.execute(query);
  return {
    engine: "sqlite",
    columnTypes,
    query,
    enterMigration,
    withoutTimeout: (work) => work(query),
    size: () => measureFiles(dataDir),
    problem: () => guard.problem,
    inspect: async () => guard.inspect(),
    close: () => query.destroy(),
  };
}

/** A write transaction excludes every other writer already. */
const enterMigration: OpenEngine["enterMigration"] = async () => {};

/** A database is its file, and what has been written beside it and not yet put in. */
async function measureFiles(dataDir: string): Promise<DatabaseSize> {
  const names = (await readdir(dataDir)).filter((name) => /\.db(-wal|-shm)?$/.test(name));
  const parts = await Promise.all(
    names.map(async (name) => ({ name, bytes: await bytesOf(join(dataDir, name)) })),
  );
  parts.sort((one, other) => other.bytes - one.bytes);
  return { bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0), parts: parts.slice(0, 100) };
}

/** A file may go while we look: its last connection closes, and takes what was beside it along. */
async function bytesOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.size ?? 0;
}
