import type { Storage } from "../../feature/index.ts";
import { StartError } from "../../lib/errors/start-error.ts";
import type { ValuesOf } from "../../lib/options/option-set.ts";
import type { LiveOptions } from "../../lib/options/option-store.ts";
import { type Database, openDisposable, type UpgradeStep } from "../../storage/index.ts";
import type { logOptions } from "./options.ts";
import { logFile as file, logMigrations } from "./store/blocks.ts";
import { createLogStore, type LogStore } from "./store/log-store.ts";

export interface StoredLogsOptions {
  readonly storage: Storage;
  readonly instance: string;
  readonly options: LiveOptions<ValuesOf<typeof logOptions>>;
}

/** The log store of an application, in a file of its own or in the shared database. */
export interface StoredLogs {
  /** `undefined` until it is open, or if log records are not stored. */
  readonly store: LogStore | undefined;
  open(): Promise<LogStore | undefined>;
  /** Closes the database. The store must be closed first. */
  close(): Promise<void>;
}

export function createStoredLogs({ storage, instance, options }: StoredLogsOptions): StoredLogs {
  let store: LogStore | undefined;
  let database: Database | undefined;
  const retention = () => ({
    maxAgeMs: options.current.retentionHours * 3_600_000,
    maxBytes: options.current.maxMegabytes * 1_000_000,
  });
  for (const name of ["retentionHours", "maxMegabytes"] as const)
    options.onChange(name, () => store?.retain(retention()));

  const onStep = (step: UpgradeStep) => storage.reportUpgrade(file, step);

  async function openShared(): Promise<Database> {
    const shared = await storage.database();
    await shared.migrate([logMigrations], onStep);
    return shared;
  }

  /** If the file is damaged and cannot be moved aside, the application starts without a log store. */
  async function openFile(): Promise<Database | undefined> {
    try {
      const opened = await openDisposable(storage.fileOptions(file), [logMigrations], { onStep });
      if (opened.setAside !== undefined) storage.reportSetAside(opened.setAside);
      return opened.database;
    } catch (error) {
      if (!(error instanceof StartError && error.code === "DATABASE_UNUSABLE")) throw error;
      storage.reportDamage(`The file ${file} is damaged. Log records are not stored.`, error.message);
      return undefined;
    }
  }

  return {
    get store() {
      return store;
    },
    async open() {
      if (!options.current.store) return undefined;
      if (!storage.isShared) database = await openFile();
      const connection = storage.isShared ? await openShared() : database;
      if (!connection) return undefined;
      store = createLogStore({
        connection: async () => connection,
        database: storage.fileOptions(file),
        retention: retention(),
        instance,
      });
      return store;
    },
    async close() {
      await database?.close();
    },
  };
}
