import type { Database } from "../../../storage/index.ts";
import type { VisitorTables } from "../tables.ts";
import { createDayCounter, type DayCounter } from "./day-counts.ts";

/** Number of rows per query. */
const pageSize = 1_000;

/** The first day with rows; undefined if there are none. */
export async function firstOpenDay(database: Database): Promise<number | undefined> {
  const tables = database.tables<VisitorTables>();
  const { day } = await tables
    .selectFrom("annex_visitors")
    .select(({ fn }) => fn.min("day").as("day"))
    .executeTakeFirstOrThrow();
  const { hour } = await tables
    .selectFrom("annex_visitor_views")
    .select(({ fn }) => fn.min("hour").as("hour"))
    .executeTakeFirstOrThrow();
  // Both are null for empty tables, which their types do not reflect.
  const days = [day as number | null, hour === null ? null : Math.floor(Number(hour) / 24)];
  const known = days.filter((each) => each !== null).map(Number);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Sums the rows of a day that is not closed yet. */
export async function countOpenDay(database: Database, day: number): Promise<DayCounter> {
  const counter = createDayCounter();
  for await (const rows of pagesOfVisitors(database, day)) {
    for (const row of rows) {
      counter.addVisit({ ...row, visitors: 1, returned: row.sessions > 1 ? 1 : 0 });
    }
  }
  for (let hour = 0; hour < 24; hour++) {
    for await (const rows of pagesOfViews(database, day * 24 + hour)) {
      for (const row of rows) counter.addView({ ...row, hour });
    }
  }
  return counter;
}

async function* pagesOfVisitors(database: Database, day: number) {
  let last = "";
  for (;;) {
    const rows = await database
      .tables<VisitorTables>()
      .selectFrom("annex_visitors")
      .select([
        "visitor",
        "hours",
        "kind",
        "browser",
        "os",
        "device",
        "referrer",
        "entry",
        "sessions",
        "bounces",
      ])
      .where("day", "=", day)
      .where("visitor", ">", last)
      .orderBy("visitor")
      .limit(pageSize)
      .execute();
    yield rows;
    if (rows.length < pageSize) return;
    last = rows.at(-1)!.visitor;
  }
}

async function* pagesOfViews(database: Database, hour: number) {
  let last = "";
  for (;;) {
    const rows = await database
      .tables<VisitorTables>()
      .selectFrom("annex_visitor_views")
      .selectAll()
      .where("hour", "=", hour)
      .where("key", ">", last)
      .orderBy("key")
      .limit(pageSize)
      .execute();
    yield rows;
    if (rows.length < pageSize) return;
    last = rows.at(-1)!.key;
  }
}
