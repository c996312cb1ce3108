import { logMigrations } from "../logging/index.ts";
import {
  type Database,
  type DatabaseOptions,
  type DisposableDatabase,
  type MigrationSet,
  openDatabase,
  openDisposable,
  readinessMigrations,
} from "../storage/index.ts";
import type { Config } from "./config.ts";
import { features } from "./features.ts";

type Place = Pick<Config, "dataDir" | "database" | "databaseTimeoutMs">;

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

/** Connection options of the log database: the same server, or a separate file. */
export function logDatabaseOptions(place: Place): DatabaseOptions {
  return { ...databaseOptions(place), file: "logs.db", durability: "normal" };
}

/** Connection options of the background thread: the same server, or a separate file. */
export function backgroundDatabaseOptions(place: Place): DatabaseOptions {
  return { ...databaseOptions(place), file: "metrics.db", durability: "normal", poolSize: 2 };
}

/**
 * Opens the log database and returns the path to which a damaged file was moved. With PostgreSQL, it is the shared one.
 */
export async function openLogDatabase(place: Place, shared: Database): Promise<DisposableDatabase> {
  if (place.database === undefined) return openDisposable(logDatabaseOptions(place), [logMigrations]);
  await shared.migrate([logMigrations]);
  return { database: shared };
}

/** Opens the database and migrates its tables: those of all features, then the application's own. */
export async function openStore(config: Place & Pick<Config, "migrations">): Promise<Database> {
  const database = await openDatabase(databaseOptions(config));
  const ours = features.flatMap((feature): MigrationSet[] =>
    feature.migrations ? [feature.migrations] : [],
  );
  const own = { feature: "application", migrations: config.migrations };
  const sets = [readinessMigrations, ...ours];
  try {
    await database.migrate(Object.keys(own.migrations).length === 0 ? sets : [...sets, own]);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
