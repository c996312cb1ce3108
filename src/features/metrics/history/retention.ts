import type { Database } from "../../../storage/index.ts";
import { keptRecentMs } from "../fleet/recent-pages.ts";
import { maxErrorKinds } from "./error-store.ts";
import { type LevelSeconds, levels } from "./levels.ts";
import type { MetricTables } from "./tables.ts";

/** Small batches, so that other queries do not have to wait. */
const deletedPerBatch = 500;
/** Share of a level that is deleted at a time if space is short. */
const crowdedShare = 0.1;
const keptErrorsSeconds = 30 * 86_400;
const maxSamples = 20;
const maxCounts = 300_000;

/** Deletes expired slots of all levels. Returns the number of deleted rows. */
export async function expireSlots(database: Database, now: number): Promise<number> {
  let count = 0;
  for (const { seconds, keptSeconds } of levels) {
    count += await deleteBefore(database, seconds, now - keptSeconds);
  }
  return count;
}

/** Deletes the oldest slots while the history exceeds `maxBytes`. Returns the number of deleted rows. */
export async function holdSize(database: Database, maxBytes: number): Promise<number> {
  for (let count = 0; ; ) {
    const sizes = await measure(database);
    const bytes = sizes.reduce((sum, level) => sum + level.bytes, 0);
    const largest = sizes.sort((one, other) => other.bytes - one.bytes)[0];
    if (bytes <= maxBytes || !largest) return count;
    count += await crowdOut(database, largest);
  }
}

interface LevelSize {
  readonly level: LevelSeconds;
  readonly bytes: number;
  readonly rows: number;
}

export function measure(database: Database): Promise<LevelSize[]> {
  return database
    .tables<MetricTables>()
    .selectFrom("annex_metric_slots")
    .select(({ fn }) => ["level", fn.sum<number>("bytes").as("bytes"), fn.countAll<number>().as("rows")])
    .groupBy("level")
    .execute();
}

/** Deletes the oldest part of the largest level. Coarser levels still cover that time. */
async function crowdOut(database: Database, { level, rows }: LevelSize): Promise<number> {
  const tables = database.tables<MetricTables>();
  const { time } = await tables
    .selectFrom("annex_metric_slots")
    .select("time")
    .where("level", "=", level)
    .orderBy("time")
    .offset(Math.floor(rows * crowdedShare))
    .limit(1)
    .executeTakeFirstOrThrow();
  const since = time + level;
  await tables.updateTable("annex_metric_marks").set({ since }).where("level", "=", level).execute();
  return deleteBefore(database, level, since);
}

async function deleteBefore(database: Database, level: LevelSeconds, before: number): Promise<number> {
  const tables = database.tables<MetricTables>();
  for (let count = 0; ; ) {
    const some = await tables
      .selectFrom("annex_metric_slots")
      .select("time")
      .where("level", "=", level)
      .where("time", "<", before)
      .orderBy("time")
      .limit(deletedPerBatch)
      .execute();
    const last = some.at(-1);
    if (!last) return count;
    const { numDeletedRows } = await tables
      .deleteFrom("annex_metric_slots")
      .where("level", "=", level)
      .where("time", "<=", last.time)
      .executeTakeFirstOrThrow();
    count += Number(numDeletedRows);
  }
}

/**
 * Deletes instances that have not been seen for as long as minutes are stored, and the status of those that are lost: it
 * may contain paths of requests.
 */
export async function purgeInstances(database: Database, now: number): Promise<void> {
  const tables = database.tables<MetricTables>();
  await tables
    .deleteFrom("annex_metric_instances")
    .where("seen_at", "<", now - keptErrorsSeconds)
    .execute();
  await tables
    .updateTable("annex_metric_instances")
    .set({ status: null })
    .where("seen_at", "<", now - keptRecentMs / 1_000)
    .where("status", "is not", null)
    .execute();
}

/** Deletes recent requests that are no longer recent, such as those of instances that stopped. */
export async function purgeRecent(database: Database, now: number): Promise<void> {
  await database
    .tables<MetricTables>()
    .deleteFrom("annex_recent_requests")
    .where("time", "<", now * 1_000 - keptRecentMs)
    .execute();
}

/** Deletes errors that have not occurred for long, the oldest of too many, and all but the newest samples of each. */
export async function purgeErrors(database: Database, now: number): Promise<number> {
  const tables = database.tables<MetricTables>();
  const since = now - keptErrorsSeconds;
  const earliest = Math.max(since, await firstCount(database));
  await tables.deleteFrom("annex_error_counts").where("time", "<", earliest).execute();
  const kept = await tables
    .selectFrom("annex_errors")
    .select("fingerprint")
    .where("last_seen", ">=", since * 1_000)
    .orderBy("last_seen", "desc")
    .limit(maxErrorKinds)
    .execute();
  const fingerprints = kept.map(({ fingerprint }) => fingerprint);
  for (const fingerprint of fingerprints) await trimSamples(database, fingerprint);
  const all = await tables.selectFrom("annex_errors").select("fingerprint").execute();
  const gone = all.map((row) => row.fingerprint).filter((fingerprint) => !fingerprints.includes(fingerprint));
  for (let at = 0; at < gone.length; at += deletedPerBatch) {
    const some = gone.slice(at, at + deletedPerBatch);
    for (const table of ["annex_errors", "annex_error_counts", "annex_error_samples"] as const) {
      await tables.deleteFrom(table).where("fingerprint", "in", some).execute();
    }
  }
  return gone.length;
}

/** The time from which the number of counts is within the limit. */
async function firstCount(database: Database): Promise<number> {
  const row = await database
    .tables<MetricTables>()
    .selectFrom("annex_error_counts")
    .select("time")
    .orderBy("time", "desc")
    .offset(maxCounts)
    .limit(1)
    .executeTakeFirst();
  return row ? row.time + 1 : 0;
}

async function trimSamples(database: Database, fingerprint: string): Promise<void> {
  const tables = database.tables<MetricTables>();
  const oldest = await tables
    .selectFrom("annex_error_samples")
    .select("time")
    .where("fingerprint", "=", fingerprint)
    .orderBy("time", "desc")
    .offset(maxSamples)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  await tables
    .deleteFrom("annex_error_samples")
    .where("fingerprint", "=", fingerprint)
    .where("time", "<=", oldest.time)
    .execute();
}
