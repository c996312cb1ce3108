import { eachInTurns, inTurns } from "../../../lib/time/turns.ts";
import type { Database } from "../../../storage/index.ts";
import { keptRecentMs } from "../fleet/recent-pages.ts";
import { endOf, isPartOfBlock } from "./blocks/block-codec.ts";
import { maxErrorKinds } from "./error-store.ts";
import { blockSpanOf, type LevelSeconds, levels } from "./levels.ts";
import type { MetricTables } from "./tables.ts";

/** Small batches, so that other queries do not have to wait. */
const deletedPerBatch = 500;
const measuredPerBatch = 500;
/** Share of a level that is deleted at a time if space is short. */
const crowdedShare = 0.1;
const keptErrorsSeconds = 30 * 86_400;
const maxSamples = 20;
const maxCounts = 300_000;

/** Deletes expired slots of all levels. Returns the number of deleted rows. */
export async function expireSlots(database: Database, now: number): Promise<number> {
  let count = 0;
  for (const { seconds, keptSeconds } of levels) {
    // A block is deleted when its last slot has expired.
    const before = now - keptSeconds - (blockSpanOf(seconds) - seconds);
    count += await deleteBefore(database, seconds, before);
  }
  return count;
}

/** Deletes the oldest slots if the history exceeds `maxBytes`. Returns the number of deleted rows. */
export async function holdSize(
  database: Database,
  maxBytes: number,
  { signal, onProgress }: HoldOptions = {},
): Promise<number> {
  const excess = findExcess(await measure(database, signal), maxBytes);
  const total = excess.reduce((sum, { bytes }) => sum + bytes, 0);
  let [count, before] = [0, 0];
  for (const { level, since, slots, bytes } of excess) {
    const onDeleted = (until: number) => {
      const gone = slots.reduce((sum, slot) => (slot.time <= until ? sum + slot.bytes : sum), 0);
      onProgress?.({ done: before + gone, total });
    };
    const marks = database.tables<MetricTables>().updateTable("annex_metric_marks");
    await marks.set({ since }).where("level", "=", level).execute();
    count += await deleteBefore(database, level, since, { signal, onDeleted });
    before += bytes;
  }
  return count;
}

interface HoldOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called after each step. In bytes. */
  onProgress?(progress: { done: number; total: number }): void;
}

export interface LevelSize {
  readonly level: LevelSeconds;
  readonly bytes: number;
  readonly rows: number;
  /** By time, oldest first. */
  readonly slots: readonly TimedSize[];
}

interface TimedSize {
  readonly time: number;
  /** When the slots that begin at this time end; a block contains several. */
  readonly end: number;
  readonly bytes: number;
}

/** Size of each level that has slots, finest first. */
export async function measure(database: Database, signal?: AbortSignal): Promise<LevelSize[]> {
  const sizes: LevelSize[] = [];
  for (const { seconds } of levels) sizes.push(await measureLevel(database, seconds, signal));
  return sizes.filter(({ rows }) => rows > 0);
}

async function measureLevel(
  database: Database,
  level: LevelSeconds,
  signal: AbortSignal | undefined,
): Promise<LevelSize> {
  const slots: TimedSize[] = [];
  let [bytes, rows] = [0, 0];
  const add = async () => {
    const some = await database
      .tables<MetricTables>()
      .selectFrom("annex_metric_slots")
      .select(({ fn }) => [
        "time",
        fn.sum<number>("bytes").as("bytes"),
        fn.countAll<number>().as("rows"),
        fn.max("part").as("part"),
      ])
      .where("level", "=", level)
      .where("time", ">", slots.at(-1)?.time ?? -1)
      .groupBy("time")
      .orderBy("time")
      .limit(measuredPerBatch)
      .execute();
    for (const slot of some) {
      const end = endOf({ level, time: slot.time }, isPartOfBlock(slot));
      slots.push({ time: slot.time, end, bytes: Number(slot.bytes) });
      bytes += Number(slot.bytes);
      rows += Number(slot.rows);
    }
    return some.length === measuredPerBatch;
  };
  await inTurns(add, { signal });
  return { level, bytes, rows, slots };
}

interface ExcessOfLevel extends Pick<LevelSize, "level" | "bytes" | "slots"> {
  readonly since: number;
}

/**
 * From when on each level fits: the oldest part of the largest level is deleted until all of them do. Coarser levels
 * still cover that time. Several instances may do this at the same time and find the same result.
 */
function findExcess(sizes: readonly LevelSize[], maxBytes: number): ExcessOfLevel[] {
  const left = sizes.map(({ level, bytes, slots }) => ({ level, bytes, slots, begin: 0 }));
  while (left.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes) {
    const largest = left.reduce((one, other) => (other.bytes > one.bytes ? other : one));
    const { slots, begin } = largest;
    largest.begin += Math.floor((slots.length - begin) * crowdedShare) + 1;
    for (const { bytes } of slots.slice(begin, largest.begin)) largest.bytes -= bytes;
  }
  return left
    .filter(({ begin }) => begin > 0)
    .map(({ level, slots, begin }) => {
      const excess = slots.slice(0, begin);
      const bytes = excess.reduce((sum, slot) => sum + slot.bytes, 0);
      return {
        level,
        bytes,
        slots: excess,
        since: excess.reduce((latest, { end }) => Math.max(latest, end), 0),
      };
    });
}

async function deleteBefore(
  database: Database,
  level: LevelSeconds,
  before: number,
  { signal, onDeleted }: { signal?: AbortSignal | undefined; onDeleted?(until: number): void } = {},
): Promise<number> {
  const tables = database.tables<MetricTables>();
  let count = 0;
  const deleteSome = async () => {
    const some = await tables
      .selectFrom("annex_metric_slots")
      .select("time")
      .where("level", "=", level)
      .where("time", "<", before)
      .orderBy("time")
      .limit(deletedPerBatch)
      .execute();
    const last = some.at(-1);
    if (!last) return false;
    const { numDeletedRows } = await tables
      .deleteFrom("annex_metric_slots")
      .where("level", "=", level)
      .where("time", "<=", last.time)
      .executeTakeFirstOrThrow();
    count += Number(numDeletedRows);
    onDeleted?.(last.time);
    return some.length === deletedPerBatch;
  };
  await inTurns(deleteSome, { signal });
  return count;
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
  await eachInTurns(fingerprints, (fingerprint) => trimSamples(database, fingerprint));
  const all = await tables.selectFrom("annex_errors").select("fingerprint").execute();
  const known = new Set(fingerprints);
  const gone = all.map((row) => row.fingerprint).filter((fingerprint) => !known.has(fingerprint));
  const batches = Array.from({ length: Math.ceil(gone.length / deletedPerBatch) }, (_, index) =>
    gone.slice(index * deletedPerBatch, (index + 1) * deletedPerBatch),
  );
  await eachInTurns(batches, async (some) => {
    for (const table of ["annex_errors", "annex_error_counts", "annex_error_samples"] as const)
      await tables.deleteFrom(table).where("fingerprint", "in", some).execute();
  });
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
