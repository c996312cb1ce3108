import { basename } from "node:path";
import { StartError } from "../lib/start-error.ts";
import { createLogStore, type LogRetention, type LogStore } from "../logging/index.ts";
import {
  type Database,
  type DatabaseFault,
  type DataDirLock,
  type DisposableDatabase,
  lockDataDir,
} from "../storage/index.ts";
import type { Config } from "./config.ts";
import { logDatabaseOptions, openLogDatabase, openStore } from "./store.ts";

/** The databases of one application, opened on demand and closed together. */
export class Databases {
  private readonly config: Config;
  private opened: Promise<Database> | undefined;
  private lock: DataDirLock | undefined;
  private logs: { readonly store: LogStore; readonly database: Database | undefined } | undefined;
  private retention: LogRetention;
  private current: Database | undefined;
  private readonly found: string[] = [];
  private readonly warn: (message: string, data: object) => void;

  constructor(config: Config, warn: (message: string, data: object) => void) {
    this.config = config;
    this.warn = warn;
    this.retention = config.log.retention;
  }

  /** The application's database, opened and migrated. */
  open(): Promise<Database> {
    this.opened ??= openStore(this.config).then((database) => {
      this.current = database;
      return database;
    });
    return this.opened;
  }

  /** Why the application's database currently cannot be written; `undefined` if it can. */
  get problem(): DatabaseFault | undefined {
    return this.current?.problem;
  }

  /** Damage found since startup, one sentence per file. */
  get damage(): readonly string[] {
    return this.found;
  }

  /** Reports a damaged file that was moved aside. */
  noteSetAside(path: string): void {
    const name = basename(path);
    const file = name.slice(0, name.indexOf(".damaged-"));
    this.note(`The file ${file} was damaged. It was moved to ${name}, and a new file is in use.`, path);
  }

  /** Opens the database and locks the data folder, so that no other process uses it. */
  own(): Promise<Database> {
    const { database, dataDir } = this.config;
    if (database === undefined) this.lock ??= lockDataDir(dataDir);
    return this.open();
  }

  /** The log store; `undefined` until it is open, or if log records are not stored. */
  get logStore(): LogStore | undefined {
    return this.logs?.store;
  }

  async openLogs(): Promise<LogStore | undefined> {
    if (!this.config.log.store) return undefined;
    const shared = await this.open();
    const opened = await this.openLogFile(shared);
    if (!opened) return undefined;
    const { database: connection, setAside } = opened;
    if (setAside !== undefined) this.noteSetAside(setAside);
    const store = createLogStore({
      connection: async () => connection,
      database: logDatabaseOptions(this.config),
      retention: this.retention,
    });
    this.logs = { store, database: connection === shared ? undefined : connection };
    return store;
  }

  /** If the log file is damaged and cannot be moved aside, the application starts without a log store. */
  private async openLogFile(shared: Database): Promise<DisposableDatabase | undefined> {
    try {
      return await openLogDatabase(this.config, shared);
    } catch (error) {
      const isDamage = error instanceof StartError && error.code === "DATABASE_UNUSABLE";
      if (!isDamage || this.config.database !== undefined) throw error;
      this.note("The file logs.db is damaged. Log records are not stored.", error.message);
      return undefined;
    }
  }

  private note(sentence: string, detail: string): void {
    this.found.push(sentence);
    this.warn(sentence, { detail });
  }

  /** Changes the retention of log records. */
  retainLogs(retention: Partial<LogRetention>): void {
    this.retention = { ...this.retention, ...retention };
    this.logs?.store.retain(this.retention);
  }

  /** All writers must be closed first. */
  async close(): Promise<void> {
    await this.logs?.database?.close();
    const database = await this.opened?.catch(() => undefined);
    await database?.close();
    this.lock?.release();
  }
}
