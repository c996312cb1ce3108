import { dayMs, hourMs } from "../../lib/time/units.ts";
import type { Database } from "../../storage/index.ts";
import { countOpenDay, firstOpenDay } from "./days/open-days.ts";
import { packDay } from "./days/packing.ts";
import { dayOf, showDay } from "./days.ts";
import type { TidyStep } from "./messages.ts";
import { retentionDays, type VisitorTables } from "./tables.ts";

/** Delay after which a past day is closed, long after its last view can have been written. */
const closedAfterMs = hourMs;
/** Maximum size of all closed days. A year with a few thousand visitors per day takes a tenth of it. */
const mostBytes = 256 * 2 ** 20;
/** Rows per deletion. Small enough that other queries do not have to wait. */
const batchSize = 2_000;
/** A closed day can have several megabytes. */
const daysPerBatch = 10;

/**
 * Performs one small maintenance step: closes a past day, or deletes some obsolete rows. The rows of a closed day are
 * deleted gradually afterwards and no longer count. Every step can therefore be interrupted or run on several
 * instances, and every view is counted exactly once.
 */
export async function tidy(database: Database, now: number, most: number = batchSize): Promise<TidyStep> {
  const day = await firstOpenDay(database);
  if (day !== undefined && (day + 1) * dayMs + closedAfterMs <= now) {
    if (!(await isClosed(database, day))) {
      await closeDay(database, day);
      return { did: "closed", day: showDay(day) };
    }
    return { did: "deleted", rows: await deleteSome(database, day, most) };
  }
  const rows = await deleteOldDays(database, await firstKeptDay(database, now));
  return rows > 0 ? { did: "deleted", rows } : { did: "nothing" };
}

async function isClosed(database: Database, day: number): Promise<boolean> {
  const row = await database
    .tables<VisitorTables>()
    .selectFrom("annex_visitor_days")
    .select("day")
    .where("day", "=", day)
    .executeTakeFirst();
  return row !== undefined;
}

async function closeDay(database: Database, day: number): Promise<void> {
  const counts = packDay((await countOpenDay(database, day)).compact());
  await database
    .tables<VisitorTables>()
    .insertInto("annex_visitor_days")
    .values({ day, counts, bytes: counts.length })
    // Another instance may have closed the day and started to delete its rows.
    .onConflict((conflict) => conflict.column("day").doNothing())
    .execute();
}

async function deleteSome(database: Database, day: number, most: number): Promise<number> {
  const visitors = await deleteVisitors(database, day, most);
  return visitors > 0 ? visitors : deleteViews(database, most);
}

async function deleteVisitors(database: Database, day: number, most: number): Promise<number> {
  const tables = database.tables<VisitorTables>();
  const some = tables
    .selectFrom("annex_visitors")
    .select("visitor")
    .where("day", "=", day)
    .orderBy("visitor")
    .limit(most);
  const { numDeletedRows } = await tables
    .deleteFrom("annex_visitors")
    .where("day", "=", day)
    .where("visitor", "in", some)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Deletes some views of the earliest hour. */
async function deleteViews(database: Database, most: number): Promise<number> {
  const tables = database.tables<VisitorTables>();
  const { hour } = await tables
    .selectFrom("annex_visitor_views")
    .select(({ fn }) => fn.min("hour").as("hour"))
    .executeTakeFirstOrThrow();
  const some = tables
    .selectFrom("annex_visitor_views")
    .select("key")
    .where("hour", "=", hour)
    .orderBy("key")
    .limit(most);
  const { numDeletedRows } = await tables
    .deleteFrom("annex_visitor_views")
    .where("hour", "=", hour)
    .where("key", "in", some)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** The first day within both the retention period and the size limit. */
async function firstKeptDay(database: Database, now: number): Promise<number> {
  const days = await database
    .tables<VisitorTables>()
    .selectFrom("annex_visitor_days")
    .select(["day", "bytes"])
    .orderBy("day", "desc")
    .execute();
  let bytes = 0;
  const tooMuch = days.find((day) => {
    bytes += day.bytes;
    return bytes > mostBytes;
  });
  return Math.max(dayOf(now) - retentionDays, tooMuch === undefined ? 0 : tooMuch.day + 1);
}

/** Deletes some of the days before `first`. */
async function deleteOldDays(database: Database, first: number): Promise<number> {
  const tables = database.tables<VisitorTables>();
  const some = tables
    .selectFrom("annex_visitor_days")
    .select("day")
    .where("day", "<", first)
    .orderBy("day")
    .limit(daysPerBatch);
  const { numDeletedRows } = await tables
    .deleteFrom("annex_visitor_days")
    .where("day", "in", some)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
