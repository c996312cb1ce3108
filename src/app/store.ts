import { type Database, type DatabaseOptions, type MigrationSet, openDatabase } from "../storage/index.ts";
import type { Config } from "./config.ts";
import { features } from "./features.ts";

/** How the application's database is reached. */
export function databaseOptions({
  dataDir,
  database: url,
}: Pick<Config, "dataDir" | "database">): DatabaseOptions {
  return { dataDir, ...(url !== undefined && { url }) };
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
