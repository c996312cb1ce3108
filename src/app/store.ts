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

/** How much longer than the server the client waits, so that only a silent server exceeds it. */
const networkMs = 500;
const longestConnectMs = 10_000;

/** How the application's database is reached. Requests wait for these connections, so every wait has a limit. */
function databaseOptions({ dataDir, database: url, databaseTimeoutMs }: Place): DatabaseOptions {
  return {
    dataDir,
    ...(url !== undefined && { url }),
    statementTimeoutMs: databaseTimeoutMs,
    responseTimeoutMs: databaseTimeoutMs + networkMs,
    connectTimeoutMs: Math.min(longestConnectMs, Math.ceil(databaseTimeoutMs * 0.8)),
  };
}

/** How the database of the log records is reached: the same server, or a file of its own. */
export function logDatabaseOptions(place: Place): DatabaseOptions {
  return { ...databaseOptions(place), file: "logs.db", durability: "normal" };
}

/** How the background thread reaches its database: the same server, or another file of its own. */
export function backgroundDatabaseOptions(place: Place): DatabaseOptions {
  return { ...databaseOptions(place), file: "metrics.db", durability: "normal", poolSize: 2 };
}

/** The database of the log records, and the path to which a damaged file was moved. On a server it is the shared one. */
export async function openLogDatabase(place: Place, shared: Database): Promise<DisposableDatabase> {
  if (place.database === undefined) return openDisposable(logDatabaseOptions(place), [logMigrations]);
  await shared.migrate([logMigrations]);
  return { database: shared };
}

/** Opens the database and brings its tables up to date: those of every feature, then the application's own. */
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
