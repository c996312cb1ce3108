import type { Removal } from "../../../lib/time/removal.ts";
import { inTurns } from "../../../lib/time/turns.ts";
import type { Database } from "../../../storage/index.ts";
import { keptRecentMs } from "../fleet/recent-pages.ts";
import { endOf, isPartOfBlock } from "./blocks/block-codec.ts";
import { keptErrorsSeconds } from "./error-retention.ts";
import { blockSpanOf, type LevelSeconds, levels } from "./levels.ts";
import type { MetricTables } from "./tables.ts";

/** Small batches, so that other queries do not have to wait. */
const deletedPerBatch = 500;
const measuredPerBatch = 500;
/** Share of a level that is deleted at a time if space is short. */
const crowdedShare = 0.1;

/** Deletes expired slots of all levels. Returns the number of deleted rows. */
export async function expireSlots(
  database: Database,
  now: number,
  options: HoldOptions = {},
): Promise<number> {
  const expired: ExcessOfLevel[] = [];
  for (const { seconds: level, keptSeconds } of levels) {
    // A block is deleted when its last slot has expired.
    const since = now - keptSeconds - (blockSpanOf(level) - level);
    const { slots, bytes } = await measureLevel(database, level, options.signal, since);
    expired.push({ level, since, slots, bytes });
  }
  return deleteSlots(database, expired, options);
}

/** Deletes the oldest slots if the history exceeds `maxBytes`. Returns the number of deleted rows. */
export async function holdSize(
  database: Database,
  maxBytes: number,
  options: HoldOptions = {},
): Promise<number> {
  const excess = findExcess(await measure(database, options.signal), maxBytes);
  for (const { level, since } of excess) {
    const marks = database.tables<MetricTables>().updateTable("annex_metric_marks");
    await marks.set({ since }).where("level", "=", level).execute();
  }
  return deleteSlots(database, excess, options);
}

async function deleteSlots(
  database: Database,
  excess: readonly ExcessOfLevel[],
  { signal, onProgress }: HoldOptions,
): Promise<number> {
  const total = excess.reduce((sum, { bytes }) => sum + bytes, 0);
  let [count, before] = [0, 0];
  for (const { level, since, slots, bytes } of excess) {
    const onDeleted = (until: number) => {
      const gone = slots.reduce((sum, slot) => (slot.time <= until ? sum + slot.bytes : sum), 0);
      onProgress?.({ done: before + gone, total });
    };
    count += await deleteBefore(database, level, since, { signal, onDeleted });
    before += bytes;
  }
  return count;
}

interface HoldOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called after each step. In bytes. */
  onProgress?(progress: Removal): void;
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
  before: number = Number.MAX_SAFE_INTEGER,
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
      .where("time", "<", before)
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
