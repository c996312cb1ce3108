import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Kysely, sql } from "kysely";
import { mainFile } from "../data-dir.ts";
import type { ColumnTypes, DatabaseSize, OpenEngine, UntypedTables } from "../engine.ts";
import { SharedFileDialect } from "./dialect.ts";
import { openFile } from "./file.ts";
import { createFileGuard } from "./file-guard.ts";
import { measureFree, releasePages } from "./free-pages.ts";
import { createReader } from "./reader.ts";
import { refuseDamaged, refuseEmptied } from "./start-check.ts";

export interface SqliteOptions {
  /** Folder of `annex.db`; created if missing. Not used with PostgreSQL. */
  dataDir: string;
  /**
   * File name, if not `annex.db`. SQLite allows one writer per file, and a continuous writer can starve others. Data
   * that must not wait for the application is stored in a separate file.
   */
  file?: string | undefined;
  /**
   * "full" preserves every committed transaction in a power failure. "normal" is faster and may lose the last
   * transactions then, but never corrupts the file. Both preserve everything if the process is killed. SQLite only.
   * Default "full".
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

/** Time that a connection waits for another writer. Waiting blocks the thread, so transactions should be short. */
const busyTimeoutMs = 10_000;

/**
 * Pages that a connection keeps in memory, in KiB. An application has up to six connections, and the operating system
 * caches the files anyway. With SQLite's usual 16 MB, memory would grow for hours until all are full.
 */
const cacheKilobytes = 2_048;

export async function openSqlite({
  dataDir,
  file = mainFile,
  durability = "full",
}: SqliteOptions): Promise<OpenEngine> {
  refuseEmptied(dataDir, file);
  const database = openFile(
    dataDir,
    file,
    busyTimeoutMs,
    [
      "journal_mode = wal",
      `synchronous = ${durability}`,
      "foreign_keys = on",
      "trusted_schema = off",
      `cache_size = -${cacheKilobytes}`,
      `journal_size_limit = ${64 * 2 ** 20}`,
    ],
    ["auto_vacuum = incremental"],
  );
  refuseDamaged(database);
  const guard = createFileGuard(database.name);
  const query = new Kysely<UntypedTables>({ dialect: new SharedFileDialect(database, guard) });
  // Kysely only closes connections that were used.
  await sql`select 1`.execute(query);
  const reader = createReader({ dataDir, file });
  return {
    engine: "sqlite",
    columnTypes,
    query,
    reader: reader.query,
    // A write transaction already excludes all other writers.
    migrate: (work) => query.transaction().execute(work),
    size: () => measureFiles(dataDir),
    // Kysely lends the connection, so no transaction is open on it.
    release: () => query.connection().execute(async () => guard.attempt(() => releasePages(database))),
    problem: () => guard.problem,
    inspect: async () => guard.inspect(),
    async close() {
      await reader.close();
      await query.destroy();
    },
  };
}

/** The size of a database includes its write-ahead log and its shared memory file. */
async function measureFiles(dataDir: string): Promise<DatabaseSize> {
  const names = (await readdir(dataDir)).filter((name) => /\.db(-wal|-shm)?$/.test(name));
  const parts = await Promise.all(
    names.map(async (name) => {
      const path = join(dataDir, name);
      const free = name.endsWith(".db") ? measureFree(path) : undefined;
      return { name, bytes: await bytesOf(path), ...(free !== undefined && { free }) };
    }),
  );
  parts.sort((one, other) => other.bytes - one.bytes);
  return { bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0), parts: parts.slice(0, 100) };
}

/** Files can disappear while they are measured: the last connection removes them when it closes. */
async function bytesOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.size ?? 0;
}
