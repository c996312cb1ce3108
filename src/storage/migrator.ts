import { readdirSync } from "node:fs";
import type { Kysely, Transaction } from "kysely";
import { StartError } from "../lib/errors/start-error.ts";
import { defaultRedactor } from "../lib/redaction/redactor.ts";
import { messageOf } from "../lib/thrown.ts";
import { systemClock } from "../lib/time/clock.ts";
import type { ColumnTypes, OpenEngine, UntypedTables } from "./engine.ts";
import { faultOf } from "./faults.ts";

/**
 * A schema change of a feature or an application.
 *
 * ```ts
 * const createNotes: Migration = {
 *   up: (db, types) => db.schema.createTable("notes").addColumn("text", types.text).execute(),
 * };
 * ```
 */
export interface Migration {
  /** Creates or changes tables. Runs once, in a transaction. */
  up(db: Kysely<UntypedTables>, types: ColumnTypes): Promise<void>;
}

/** Migrations of one feature. Each runs once, in the order of names: "001-superusers". */
export interface MigrationSet {
  readonly feature: string;
  readonly migrations: Readonly<Record<string, Migration | LoadMigration>>;
}

/** A migration of a database that an earlier release has used. */
export interface UpgradeStep {
  /** Such as `cron/005-history`. */
  readonly migration: string;
  /** From 1 to `steps`. */
  readonly step: number;
  readonly steps: number;
}

/** Is called before each step. A large table can take minutes. */
export type OnUpgradeStep = (step: UpgradeStep) => void;

type LoadMigration = () => Promise<Migration>;

/** Returns the migrations of a folder: one file each, such as `001-superusers.ts`, loaded only if it is pending. */
export function readMigrations(feature: string, folder: URL): MigrationSet {
  let migrations: MigrationSet["migrations"] | undefined;
  return {
    feature,
    // Not when the module is loaded: a bundle has no such folder, and has to say that Annex cannot be bundled.
    get migrations() {
      migrations ??= listMigrations(folder);
      return migrations;
    },
  };
}

function listMigrations(folder: URL): MigrationSet["migrations"] {
  const found = readdirSync(folder).flatMap((file) => {
    const name = /^(\d{3}-[\w-]+)\.[tj]s$/.exec(file)?.[1];
    const load = (): Promise<Migration> => import(new URL(file, folder).href);
    return name === undefined ? [] : [[name, load] as const];
  });
  return Object.fromEntries(found);
}

const table = "annex_migrations";

/**
 * Runs pending migrations in one transaction. Only one instance can migrate at a time. If nothing is pending, this
 * takes a single query.
 */
export async function migrate(open: OpenEngine, sets: MigrationSet[], onStep?: OnUpgradeStep): Promise<void> {
  const known = mergeSets(sets);
  const executed = await readExecuted(open.query).catch((error) => {
    if (faultOf(error)) throw error;
    // The table does not exist yet.
    return new Set<string>();
  });
  refuseNewer(executed, sets);
  if (known.every(([name]) => executed.has(name))) return;

  await open.migrate((trx) => runPending(trx, sets, open.columnTypes, onStep));
}

async function runPending(
  trx: Transaction<UntypedTables>,
  sets: MigrationSet[],
  columnTypes: ColumnTypes,
  onStep: OnUpgradeStep | undefined,
): Promise<void> {
  await createTable(trx, columnTypes);
  const executed = await readExecuted(trx);
  refuseNewer(executed, sets);
  const pending = mergeSets(sets).filter(([name]) => !executed.has(name));
  const isUpgrade = sets.some(({ feature }) => [...executed].some((name) => name.startsWith(`${feature}/`)));
  for (const [index, [name, migration]] of pending.entries()) {
    if (isUpgrade) onStep?.({ migration: name, step: index + 1, steps: pending.length });
    await run(trx, name, migration, columnTypes);
  }
}

/** Merges the migrations of all features, with names such as `auth/001-superusers`. */
function mergeSets(sets: MigrationSet[]): [name: string, Migration | LoadMigration][] {
  const named = sets.flatMap(({ feature, migrations }) =>
    Object.entries(migrations).map(([name, migration]): [string, typeof migration] => [
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

function refuseNewer(executed: Set<string>, sets: MigrationSet[]): void {
  const newer = findNewerMigration(executed, sets);
  if (newer === undefined) return;
  const rename = newer.startsWith("application/")
    ? ". If you renamed or deleted this migration, restore its name and its code"
    : "";
  const remedy = `Start that release, or restore a backup made before it${rename}`;
  throw new StartError(
    "DATABASE_NEWER",
    `The database was migrated by a newer release (migration "${newer}"). ${remedy}.`,
  );
}

/** The first executed migration that is not known. Checks these features only; tables of others are ignored. */
export function findNewerMigration(
  executed: Iterable<string>,
  sets: readonly MigrationSet[],
): string | undefined {
  const known = new Map(sets.map(({ feature, migrations }) => [feature, migrations]));
  for (const executedName of executed) {
    const [feature = "", name = ""] = executedName.split("/");
    const migrations = known.get(feature);
    if (migrations && !Object.hasOwn(migrations, name)) return executedName;
  }
  return undefined;
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
    const message = `Failed to create tables in the database: ${messageOf(cause)}. Grant its user the CREATE privilege.`;
    throw new StartError("DATABASE_UNUSABLE", message, { cause });
  }
}

async function run(
  trx: Transaction<UntypedTables>,
  name: string,
  migration: Migration | LoadMigration,
  types: ColumnTypes,
): Promise<void> {
  try {
    const { up } = typeof migration === "function" ? await migration() : migration;
    await up(trx, types);
  } catch (cause) {
    const message = `Migration "${name}" failed and was rolled back: ${defaultRedactor.text(messageOf(cause))}`;
    throw new Error(message, { cause });
  }
  await trx.insertInto(table).values({ name, executed_at: systemClock.now() }).execute();
}
