import { dayMs, hourMs, minuteMs } from "../../../lib/time/units.ts";
import type { Database } from "../../../storage/index.ts";
import { type ClosedDays, createClosedDays } from "../days/closed-days.ts";
import type { DayCounts } from "../days/day-counts.ts";
import { countOpenDay, firstOpenDay } from "../days/open-days.ts";
import { dayOf } from "../days.ts";
import type { Kind, Question, Summary } from "../messages.ts";
import { retentionDays, type VisitorTables } from "../tables.ts";
import { createTally } from "./tally.ts";

/** Visitors with a page view within this time count as live. */
const liveMs = 5 * minuteMs;

/** Computes a summary from stored data. */
export async function summarize(
  database: Database,
  question: Question,
  now: number,
  closedDays: ClosedDays = createClosedDays(database),
): Promise<Omit<Summary, "limits">> {
  const { from, to } = wholeHours(question, now);
  const tally = createTally({ ...question, from, to });
  const first = dayOf(from - (to - from));
  const last = dayOf(to - 1);
  // Open days are read first: a day that is closed in the meantime is then found among the closed days, which take
  // precedence.
  const open = await countOpenDays(database, first, last);
  for await (const [day, counts] of closedDays.read(first, last)) {
    open.delete(day);
    tally.add(day, counts);
  }
  for (const [day, counts] of open) tally.add(day, counts);
  return { ...tally.take(), live: await countLive(database, question.kind, now) };
}

/** Extends the period to whole hours, the resolution of stored views, and limits it to the retention. */
function wholeHours({ from, to }: Question, now: number): { from: number; to: number } {
  const earliest = (dayOf(now) - retentionDays) * dayMs;
  const latest = Math.ceil((now + 1) / hourMs) * hourMs;
  const within = (time: number) => Math.min(Math.max(time, earliest), latest);
  return {
    from: within(Math.floor(from / hourMs) * hourMs),
    to: within(Math.ceil(to / hourMs) * hourMs),
  };
}

async function countOpenDays(
  database: Database,
  first: number,
  last: number,
): Promise<Map<number, DayCounts>> {
  const days = new Map<number, DayCounts>();
  const begin = Math.max(first, (await firstOpenDay(database)) ?? Number.POSITIVE_INFINITY);
  for (let day = begin; day <= last; day++) days.set(day, (await countOpenDay(database, day)).take());
  return days;
}

async function countLive(database: Database, kind: Kind, now: number): Promise<number> {
  const { live } = await database
    .tables<VisitorTables>()
    .selectFrom("annex_visitors")
    .select(({ fn }) => fn.countAll().as("live"))
    .where("day", "=", dayOf(now))
    .where("last_seen", ">=", now - liveMs)
    .where("kind", "=", kind)
    .executeTakeFirstOrThrow();
  return Number(live);
}
