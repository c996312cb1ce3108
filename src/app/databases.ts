import { createLogStore, type LogRetention, type LogStore } from "../logging/index.ts";
import { type Database, type DataDirLock, lockDataDir } from "../storage/index.ts";
import type { Config } from "./config.ts";
import { logDatabaseOptions, openLogDatabase, openStore } from "./store.ts";

/** The databases of one application: opened when they are needed, and closed together. */
export class Databases {
  private readonly config: Config;
  private opened: Promise<Database> | undefined;
  private lock: DataDirLock | undefined;
  private logs: { readonly store: LogStore; readonly database: Database | undefined } | undefined;
  private retention: LogRetention;

  constructor(config: Config) {
    this.config = config;
    this.retention = config.log.retention;
  }

  /** The application's database, opened and migrated. */
  open(): Promise<Database> {
    this.opened ??= openStore(this.config);
    return this.opened;
  }

  /** The same, of which no other process on this machine may think that it is alone with it. */
  own(): Promise<Database> {
    const { database, dataDir } = this.config;
    if (database === undefined) this.lock ??= lockDataDir(dataDir);
    return this.open();
  }

  /** Where log records are kept, once it is open and if they are to be kept. */
  get logStore(): LogStore | undefined {
    return this.logs?.store;
  }

  async openLogs(): Promise<LogStore | undefined> {
    if (!this.config.log.store) return undefined;
    const shared = await this.open();
    const connection = await openLogDatabase(this.config, shared);
    const store = createLogStore({
      connection: async () => connection,
      database: logDatabaseOptions(this.config),
      retention: this.retention,
    });
    this.logs = { store, database: connection === shared ? undefined : connection };
    return store;
  }

  /** From now on log records are kept for that long and that much. */
  retainLogs(retention: Partial<LogRetention>): void {
    this.retention = { ...this.retention, ...retention };
    this.logs?.store.retain(this.retention);
  }

  /** Whoever writes to them has been closed before. */
  async close(): Promise<void> {
    await this.logs?.database?.close();
    const database = await this.opened?.catch(() => undefined);
    await database?.close();
    this.lock?.release();
  }
}
