import { logMigrations } from "../logging/index.ts";
import { type Database, type DatabaseOptions, type MigrationSet, openDatabase } from "../storage/index.ts";
import type { Config } from "./config.ts";
import { features } from "./features.ts";

type Place = Pick<Config, "dataDir" | "database">;

/** How the application's database is reached. */
function databaseOptions({ dataDir, database: url }: Place): DatabaseOptions {
  return { dataDir, ...(url !== undefined && { url }) };
}

/** How the database of the log records is reached: the same server, or a file of its own. */
export function logDatabaseOptions(place: Place): DatabaseOptions {
  return { ...databaseOptions(place), file: "logs.db", durability: "normal" };
}

/** How the background thread reaches its database: the same server, or another file of its own. */
export function backgroundDatabaseOptions(place: Place): DatabaseOptions {
  return {
    ...databaseOptions(place),
    file: "metrics.db",
    durability: "normal",
    poolSize: 2,
    silenceMs: 35_000,
  };
}

/** On a server the application's own connections are enough. */
export async function openLogDatabase(place: Place, shared: Database): Promise<Database> {
  const database = place.database === undefined ? await openDatabase(logDatabaseOptions(place)) : shared;
  try {
    await database.migrate([logMigrations]);
    return database;
  } catch (error) {
    if (database !== shared) await database.close();
    throw error;
  }
}

/** Opens the database and brings its tables up to date: those of every feature, then the application's own. */
export async function openStore(
  config: Pick<Config, "dataDir" | "database" | "migrations">,
): Promise<Database> {
  const database = await openDatabase(databaseOptions(config));
  const ours = features.flatMap((feature): MigrationSet[] =>
    feature.migrations ? [feature.migrations] : [],
  );
  const own = { feature: "application", migrations: config.migrations };
  try {
    await database.migrate(Object.keys(own.migrations).length === 0 ? ours : [...ours, own]);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
