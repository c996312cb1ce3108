/**
 * Database access. The default is SQLite in the data folder; with a `postgres://` address, several instances can share
 * a database. Features provide numbered migrations and write their queries once, with Kysely:
 *
 *     const database = await openDatabase({ dataDir: "svc_data" });
 *     await database.migrate([{ feature: "notes", migrations: { "001-notes": createNotes } }]);
 *     await database.tables<{ notes: { text: string } }>().insertInto("notes").values({ text: "hi" }).execute();
 *     await database.close();
 *
 * Migrations take their column types from the engine:
 *
 *     const createNotes: Migration = {
 *       up: (db, types) => db.schema.createTable("notes").addColumn("text", types.text).execute(),
 *     };
 */
export {
  type Background,
  type BackgroundContext,
  type BackgroundContract,
  type BackgroundModule,
  type BackgroundOptions,
  type BackgroundService,
  type BackgroundThread,
  createBackground,
  hasBackgroundThread,
} from "./background.ts";
export { readManifest } from "./backup/archive.ts";
export { type Backup, type BackupOptions, createBackup } from "./backup/create-backup.ts";
export type { Manifest } from "./backup/manifest.ts";
export { listReplaced, type Restored, refuseNewerBackup, restoreBackup } from "./backup/restore-backup.ts";
export { recoverRestore } from "./backup/restore-swap.ts";
export { historyFile, mainFile } from "./data-dir.ts";
export { type DataDirLock, lockDataDir } from "./data-dir-lock.ts";
export { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
export { hasReserve, keepReserve, withReserve } from "./disk-reserve.ts";
export { type DisposableDatabase, markDamaged, openDisposable } from "./disposable.ts";
export type { ColumnTypes, DatabaseSize, Engine } from "./engine.ts";
export { type DatabaseFault, describeFault, type FaultReason, faultOf, toStartError } from "./faults.ts";
export { HISTORY_UNAVAILABLE } from "./history-unavailable.ts";
export { keepSmall } from "./keep-small.ts";
export {
  type Migration,
  type MigrationSet,
  type OnUpgradeStep,
  readMigrations,
  type UpgradeStep,
} from "./migrator.ts";
export { describeDump, describeDumpRestore } from "./postgres/dump-command.ts";
export { DatabaseOutage, toOutage } from "./postgres/outage.ts";
export { waitForServer } from "./postgres/wait-for-server.ts";
export { readinessMigrations, readinessStore } from "./readiness.ts";
export { type CompactionPlan, compactFile, planCompaction } from "./sqlite/compact.ts";
export {
  fileOf,
  forDays,
  hasTable,
  isInMainFile,
  listContents,
  type Retention,
  type Store,
  separateFiles,
} from "./store.ts";
