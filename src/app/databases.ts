import { basename } from "node:path";
import { authMigrations } from "../auth/index.ts";
import type { Feature, HealthIssue, Storage } from "../feature/index.ts";
import {
  type Database,
  type DatabaseFault,
  type DatabaseOptions,
  type DataDirLock,
  describeFault,
  lockDataDir,
  type MigrationSet,
  openDatabase,
  readinessMigrations,
} from "../storage/index.ts";
import type { Config } from "./config/config.ts";

type Place = Pick<Config["server"], "dataDir" | "database" | "databaseTimeoutMs" | "migrations">;

/** The client waits this much longer than the server, so that only an unresponsive server exceeds the timeout. */
const networkMs = 500;
const longestConnectMs = 10_000;

/** Connection options of the application's database. Requests wait for these connections, so every wait has a limit. */
function databaseOptions({ dataDir, database: url, databaseTimeoutMs }: Place): DatabaseOptions {
  return {
    dataDir,
    ...(url !== undefined && { url }),
    statementTimeoutMs: databaseTimeoutMs,
    responseTimeoutMs: databaseTimeoutMs + networkMs,
    connectTimeoutMs: Math.min(longestConnectMs, Math.ceil(databaseTimeoutMs * 0.8)),
  };
}

/** Opens the database and migrates its tables: those of all features, then the application's own. */
export async function openStore(place: Place, installed: readonly Feature[]): Promise<Database> {
  const database = await openDatabase(databaseOptions(place));
  const own = { feature: "application", migrations: place.migrations };
  const sets = [
    readinessMigrations,
    authMigrations,
    ...installed.flatMap(({ migrations }): MigrationSet[] => (migrations ? [migrations] : [])),
  ];
  try {
    await database.migrate(Object.keys(own.migrations).length === 0 ? sets : [...sets, own]);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

const storageLink = { page: "config", params: { tab: "storage" } };

/** The databases of one application, opened on demand and closed together. */
export class Databases implements Storage {
  readonly dataDir: string;
  readonly isShared: boolean;
  private readonly place: Place;
  private readonly installed: readonly Feature[];
  private readonly warn: (message: string, data: object) => void;
  private opened: Promise<Database> | undefined;
  private lock: DataDirLock | undefined;
  private current: Database | undefined;
  private readonly damage: string[] = [];

  constructor(place: Place, installed: readonly Feature[], warn: (message: string, data: object) => void) {
    this.place = place;
    this.installed = installed;
    this.warn = warn;
    this.dataDir = place.dataDir;
    this.isShared = place.database !== undefined;
  }

  readonly database = (): Promise<Database> => {
    this.opened ??= openStore(this.place, this.installed).then((database) => {
      this.current = database;
      return database;
    });
    return this.opened;
  };

  /** Locks the data folder, so that no other process uses it. */
  readonly own = (): Promise<Database> => {
    if (!this.isShared) this.lock ??= lockDataDir(this.dataDir);
    return this.database();
  };

  fileOptions(file: string): DatabaseOptions {
    return { ...databaseOptions(this.place), file, durability: "normal" };
  }

  isUnavailable(): boolean {
    return this.fault?.reason === "unavailable";
  }

  reportSetAside(path: string): void {
    const name = basename(path);
    const file = name.slice(0, name.indexOf(".damaged-"));
    this.reportDamage(
      `The file ${file} was damaged. It was moved to ${name}, and a new file is in use.`,
      path,
    );
  }

  reportDamage(sentence: string, detail: string): void {
    this.damage.push(sentence);
    this.warn(sentence, { detail });
  }

  /** Why the application's database currently cannot be written. */
  findFault(): HealthIssue[] {
    if (this.fault === undefined) return [];
    const message = `The database cannot be written. ${describeFault(this.fault.reason)}`;
    return [{ id: "database", status: "failing", message, link: storageLink }];
  }

  /** Damage found since startup. */
  findDamage(): HealthIssue[] {
    return this.damage.map((message) => ({ id: message, status: "degraded", message, link: storageLink }));
  }

  /** All writers must be closed first. */
  async close(): Promise<void> {
    const database = await this.opened?.catch(() => undefined);
    await database?.close();
    this.lock?.release();
  }

  private get fault(): DatabaseFault | undefined {
    return this.current?.problem;
  }
}
