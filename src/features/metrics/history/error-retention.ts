import { type RawBuilder, sql } from "kysely";
import type { Removal } from "../../../lib/time/removal.ts";
import { eachInTurns, inTurns } from "../../../lib/time/turns.ts";
import type { Database } from "../../../storage/index.ts";
import { maxErrorKinds } from "./error-store.ts";
import type { MetricTables } from "./tables.ts";

/** How long errors and stalls are stored. */
export const keptErrorsSeconds = 30 * 86_400;
const maxSamples = 20;
const maxCounts = 300_000;
/** Small batches, so that other queries do not have to wait. */
const deletedPerBatch = 500;
/** Each kind has up to 20 samples, or a few more. */
const kindsPerBatch = 25;

export interface PurgeOptions {
  /** Default: the limit of the history. */
  readonly maxCounts?: number;
  /** Called after each step. */
  onProgress?(progress: Removal): void;
}

export interface PurgedErrors {
  /** How many kinds were deleted. */
  readonly kinds: number;
  /** Counts before this time, in seconds, were too many; 0 for none. */
  readonly crowdedUntil: number;
}

/** Deletes errors that have not occurred for long, the oldest of too many, and all but the newest samples of each. */
export async function purgeErrors(
  database: Database,
  now: number,
  { maxCounts: most = maxCounts, onProgress }: PurgeOptions = {},
): Promise<PurgedErrors> {
  const tables = database.tables<MetricTables>();
  const since = now - keptErrorsSeconds;
  const first = await firstCount(database, most);
  await purgeCounts(database, Math.max(since, first), onProgress);
  const kept = await tables
    .selectFrom("annex_errors")
    .select("fingerprint")
    .where("last_seen", ">=", since * 1_000)
    .orderBy("last_seen", "desc")
    .limit(maxErrorKinds)
    .execute();
  const fingerprints = kept.map(({ fingerprint }) => fingerprint);
  await eachInTurns(fingerprints, (fingerprint) => trimSamples(database, fingerprint));
  const all = await tables.selectFrom("annex_errors").select("fingerprint").execute();
  const known = new Set(fingerprints);
  const gone = all.map((row) => row.fingerprint).filter((fingerprint) => !known.has(fingerprint));
  const batches = Array.from({ length: Math.ceil(gone.length / kindsPerBatch) }, (_, index) =>
    gone.slice(index * kindsPerBatch, (index + 1) * kindsPerBatch),
  );
  // Their counts are older than the retention, or expire later: no index finds them.
  await eachInTurns(batches, async (some) => {
    for (const table of ["annex_error_samples", "annex_errors"] as const)
      await tables.deleteFrom(table).where("fingerprint", "in", some).execute();
  });
  return { kinds: gone.length, crowdedUntil: first > since ? first : 0 };
}

async function purgeCounts(
  database: Database,
  before: number,
  onProgress: PurgeOptions["onProgress"],
): Promise<void> {
  const isOld = sql<boolean>`time < ${before}`;
  const { total } = await database
    .tables<MetricTables>()
    .selectFrom("annex_error_counts")
    .select(({ fn }) => fn.countAll().as("total"))
    .where(isOld)
    .executeTakeFirstOrThrow();
  let done = 0;
  await inTurns(async () => {
    const deleted = await deleteSome(database, countKey, isOld);
    done += deleted;
    if (deleted > 0) onProgress?.({ done, total: Math.max(done, Number(total)), unit: "error counts" });
    return deleted === deletedPerBatch;
  });
}

/** A table with its primary key, in whose order rows are deleted. */
interface TableKey {
  readonly table: keyof MetricTables;
  readonly key: readonly string[];
}

const countKey: TableKey = { table: "annex_error_counts", key: ["time", "fingerprint", "instance"] };
const sampleKey: TableKey = { table: "annex_error_samples", key: ["fingerprint", "time", "trace_id"] };
const stallKey: TableKey = { table: "annex_stalls", key: ["started_at", "instance"] };

/** Deletes a batch of the first rows that match. Returns their number. */
async function deleteSome(
  database: Database,
  { table, key }: TableKey,
  condition: RawBuilder<boolean>,
): Promise<number> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where (${columns}) in (
      select ${columns} from ${sql.table(table)} where ${condition} order by ${columns} limit ${deletedPerBatch}
    )`.execute(database.tables());
  return Number(numAffectedRows);
}

/** The time from which the number of counts is within the limit. */
async function firstCount(database: Database, most: number): Promise<number> {
  const row = await database
    .tables<MetricTables>()
    .selectFrom("annex_error_counts")
    .select("time")
    .orderBy("time", "desc")
    .offset(most)
    .limit(1)
    .executeTakeFirst();
  return row ? row.time + 1 : 0;
}

async function trimSamples(database: Database, fingerprint: string): Promise<void> {
  const oldest = await database
    .tables<MetricTables>()
    .selectFrom("annex_error_samples")
    .select("time")
    .where("fingerprint", "=", fingerprint)
    .orderBy("time", "desc")
    .offset(maxSamples)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  const isOld = sql<boolean>`fingerprint = ${fingerprint} and time <= ${oldest.time}`;
  await inTurns(async () => (await deleteSome(database, sampleKey, isOld)) === deletedPerBatch);
}

export const maxStalls = 2_000;

/**
 * Deletes stalls that are older than a month, and the oldest of too many. Returns the time before which they were too
 * many; 0 for none.
 */
export async function purgeStalls(database: Database, now: number): Promise<number> {
  const excess = await database
    .tables<MetricTables>()
    .selectFrom("annex_stalls")
    .select("started_at")
    .orderBy("started_at", "desc")
    .offset(maxStalls)
    .limit(1)
    .executeTakeFirst();
  const oldest = now - keptErrorsSeconds * 1_000;
  const first = excess ? excess.started_at + 1 : 0;
  const isOld = sql<boolean>`started_at < ${Math.max(oldest, first)}`;
  await inTurns(async () => (await deleteSome(database, stallKey, isOld)) === deletedPerBatch);
  return first > oldest ? first : 0;
}
