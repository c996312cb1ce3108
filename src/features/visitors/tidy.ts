import { dayMs, hourMs } from "../../lib/time/units.ts";
import type { Database } from "../../storage/index.ts";
import { OldDays } from "./days/old-days.ts";
import { countOpenDay, firstOpenDay } from "./days/open-days.ts";
import { packDay } from "./days/packing.ts";
import { showDay } from "./days.ts";
import type { TidyStep } from "./messages.ts";
import type { VisitorTables } from "./tables.ts";

/** Delay after which a past day is closed, long after its last view can have been written. */
const closedAfterMs = hourMs;
/** Rows per deletion. Small enough that other queries do not have to wait. */
const batchSize = 2_000;

interface TidyOptions {
  /** Rows per deletion. */
  readonly most?: number;
  /** Shared by several steps, it finds the days once. */
  readonly oldDays?: OldDays;
}

/**
 * Performs one small maintenance step: closes a past day, or deletes some obsolete rows. The rows of a closed day are
 * deleted gradually afterwards and no longer count. Every step can therefore be interrupted or run on several
 * instances, and every view is counted exactly once.
 */
export async function tidy(
  database: Database,
  now: number,
  { most = batchSize, oldDays = new OldDays(database) }: TidyOptions = {},
): Promise<TidyStep> {
  const day = await firstOpenDay(database);
  if (day !== undefined && (day + 1) * dayMs + closedAfterMs <= now) {
    if (!(await isClosed(database, day))) {
      await closeDay(database, day);
      return { did: "closed", day: showDay(day) };
    }
    return { did: "deleted", rows: await deleteSome(database, day, most) };
  }
  const rows = await oldDays.deleteSome(now);
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
