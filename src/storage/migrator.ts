import type { Kysely, Transaction } from "kysely";
import { systemClock } from "../lib/clock.ts";
import { StartError } from "../lib/start-error.ts";
import type { ColumnTypes, OpenEngine, UntypedTables } from "./engine.ts";
import { faultOf } from "./faults.ts";

export interface Migration {
  up(db: Kysely<UntypedTables>, types: ColumnTypes): Promise<void>;
}

/** The tables of one feature, as steps that run once each, in the order of their names: "001-superusers". */
export interface MigrationSet {
  readonly feature: string;
  readonly migrations: Readonly<Record<string, Migration>>;
}

const table = "annex_migrations";

/**
 * Runs what has not been run yet, all of it in one transaction that only one instance can be in at a time. Most
 * starts have nothing to do and learn so from one query.
 */
export async function migrate(open: OpenEngine, sets: MigrationSet[]): Promise<void> {
  const known = mergeSets(sets);
  const executed = await readExecuted(open.query).catch((error) => {
    if (faultOf(error)) throw error;
    // Otherwise there is no table yet.
    return new Set<string>();
  });
  refuseNewer(executed, sets);
  if (known.every(([name]) => executed.has(name))) return;

  await open.withoutTimeout((query) => query.transaction().execute((trx) => runPending(open, trx, sets)));
}

async function runPending(
  { enterMigration, columnTypes }: OpenEngine,
  trx: Transaction<UntypedTables>,
  sets: MigrationSet[],
): Promise<void> {
  await enterMigration(trx);
  await createTable(trx, columnTypes);
  const executed = await readExecuted(trx);
  refuseNewer(executed, sets);
  const pending = mergeSets(sets).filter(([name]) => !executed.has(name));
  for (const [name, migration] of pending) await run(trx, name, migration, columnTypes);
}

/** One list for all features, in which a step is called `auth/001-superusers`. */
function mergeSets(sets: MigrationSet[]): [name: string, Migration][] {
  const named = sets.flatMap(({ feature, migrations }) =>
    Object.entries(migrations).map(([name, migration]): [string, Migration] => [
      `${feature}/${name}`,
      migration,
    ]),
  );
  return named.sort(([a], [b]) => (a < b ? -1 : 1));
}

async function readExecuted(db: Kysely<UntypedTables>): Promise<Set<string>> {
  const rows = await db.selectFrom(table).select("name").execute();
  return new Set(rows.map(({ name }) => name as string));
}

/** Looks only at the features that are mounted: the tables of one that is switched off are nothing to us. */
function refuseNewer(executed: Set<string>, sets: MigrationSet[]): void {
  const known = new Map(sets.map(({ feature, migrations }) => [feature, migrations]));
  for (const executedName of executed) {
    const [feature = "", name = ""] = executedName.split("/");
    const migrations = known.get(feature);
    if (!migrations || Object.hasOwn(migrations, name)) continue;
    const remedy = "start that release, or restore a backup from before it";
    throw new StartError(
      "DATABASE_NEWER",
      `The database has "${executedName}" of a newer release; ${remedy}.`,
    );
  }
}

async function createTable(trx: Transaction<UntypedTables>, types: ColumnTypes): Promise<void> {
  try {
    await trx.schema
      .createTable(table)
      .ifNotExists()
      .addColumn("name", types.text, (column) => column.primaryKey())
      .addColumn("executed_at", types.integer, (column) => column.notNull())
      .execute();
  } catch (cause) {
    if (faultOf(cause)) throw cause;
    const message = `Tables cannot be created in the database: ${messageOf(cause)}; give its user that right.`;
    throw new StartError("DATABASE_UNUSABLE", message, { cause });
  }
}

async function run(trx: Transaction<UntypedTables>, name: string, { up }: Migration, types: ColumnTypes) {
  try {
    await up(trx, types);
  } catch (cause) {
    const message = `The migration "${name}" failed, and nothing was changed: ${messageOf(cause)}`;
    throw new Error(message, { cause });
  }
  await trx.insertInto(table).values({ name, executed_at: systemClock.now() }).execute();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
