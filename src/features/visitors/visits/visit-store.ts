import type { Transaction } from "kysely";
import { dayMs } from "../../../lib/time/units.ts";
import type { Database } from "../../../storage/index.ts";
import type { DayBounds } from "../days/day-bounds.ts";
import type { Kind, Limits } from "../messages.ts";
import type { ViewRow, VisitorRow, VisitorTables } from "../tables.ts";
import { portions } from "./portions.ts";
import { countBounces, formatSpans, mergeSpans, parseSpans, spansOf } from "./sessions.ts";
import type { Visit } from "./visits.ts";

type Writing = Transaction<VisitorTables>;

/** Adds visits to the stored data of their day, in one transaction. */
export async function writeVisits(
  database: Database,
  day: number,
  visits: readonly Visit[],
  { bounds, limits }: { bounds: DayBounds; limits: Limits },
): Promise<void> {
  const locked = await database.transaction<VisitorTables, Locked[]>(async (trx) => {
    const admitted = await admit(trx, day, visits, bounds);
    const locked = await lockRows(trx, day, admitted);
    const rows = locked.map(withVisit);
    await writeRows(trx, rows);
    await addViews(trx, viewRows(visits, rows, bounds));
    return locked;
  });
  for (const { row, visit } of locked) if (row.spans === "") bounds.admitted(visit.agent.kind);
  limits.uncounted += countViews(visits) - countViews(locked.map(({ visit }) => visit));
}

/** Returns all visits; if the day has reached its visitor limit, only those of visitors already stored. */
async function admit(
  trx: Writing,
  day: number,
  visits: readonly Visit[],
  bounds: DayBounds,
): Promise<readonly Visit[]> {
  const room = { human: bounds.room("human"), bot: bounds.room("bot"), ai: bounds.room("ai") };
  const wanted = { human: 0, bot: 0, ai: 0 };
  for (const { agent } of visits) wanted[agent.kind]++;
  if ((Object.keys(room) as Kind[]).every((kind) => wanted[kind] <= room[kind])) return visits;
  const known = await findVisitors(trx, day, visits);
  return visits.filter(({ visitor, agent }) => known.has(visitor) || room[agent.kind]-- > 0);
}

async function findVisitors(trx: Writing, day: number, visits: readonly Visit[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const part of portions(visits.map(({ visitor }) => visitor))) {
    const rows = await trx
      .selectFrom("annex_visitors")
      .select("visitor")
      .where("day", "=", day)
      .where("visitor", "in", part)
      .execute();
    for (const { visitor } of rows) found.add(visitor);
  }
  return found;
}

/** The stored row of a visitor, and the visit to be added. */
interface Locked {
  readonly row: VisitorRow;
  readonly visit: Visit;
}

/**
 * Inserts missing rows and locks all of them until the transaction ends, so that the rows read here are the ones that
 * are replaced.
 */
async function lockRows(trx: Writing, day: number, visits: readonly Visit[]): Promise<Locked[]> {
  const locked: Locked[] = [];
  for (const part of portions(visits)) {
    const rows = await trx
      .insertInto("annex_visitors")
      .values(part.map((visit) => emptyRow(day, visit)))
      .onConflict((conflict) =>
        conflict
          .columns(["day", "visitor"])
          .doUpdateSet(({ ref }) => ({ spans: ref("annex_visitors.spans") })),
      )
      .returningAll()
      .execute();
    const byVisitor = new Map(rows.map((row) => [row.visitor, row]));
    for (const visit of part) locked.push({ visit, row: byVisitor.get(visit.visitor)! });
  }
  return locked;
}

function emptyRow(day: number, { visitor, agent, referrer, entry, firstSeen }: Visit): VisitorRow {
  const nothing = { hours: 0, sessions: 0, bounces: 0, spans: "" };
  return { day, visitor, ...agent, referrer, entry, ...nothing, first_seen: firstSeen, last_seen: firstSeen };
}

function withVisit({ row, visit }: Locked): VisitorRow {
  const spans = mergeSpans(parseSpans(row.spans), spansOf(visit.views.map(({ time }) => time)));
  // The earliest view of the day determines the referrer, even if it is stored last.
  const isFirst = visit.firstSeen < row.first_seen;
  return {
    ...row,
    ...(isFirst && { referrer: visit.referrer, entry: visit.entry }),
    hours: visit.views.reduce((hours, { hour }) => hours | (1 << (hour % 24)), row.hours),
    sessions: spans.length,
    bounces: countBounces(spans),
    spans: formatSpans(spans),
    first_seen: row.day * dayMs + spans[0]!.start,
    last_seen: row.day * dayMs + spans.at(-1)!.end,
  };
}

async function writeRows(trx: Writing, rows: readonly VisitorRow[]): Promise<void> {
  for (const part of portions(rows)) {
    await trx
      .insertInto("annex_visitors")
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(["day", "visitor"]).doUpdateSet(({ ref }) => ({
          referrer: ref("excluded.referrer"),
          entry: ref("excluded.entry"),
          hours: ref("excluded.hours"),
          sessions: ref("excluded.sessions"),
          bounces: ref("excluded.bounces"),
          spans: ref("excluded.spans"),
          first_seen: ref("excluded.first_seen"),
          last_seen: ref("excluded.last_seen"),
        })),
      )
      .execute();
  }
}

/** Rows for the views, with the referrer of the visitor's first view that day. */
function viewRows(visits: readonly Visit[], visitors: readonly VisitorRow[], bounds: DayBounds): ViewRow[] {
  const referrers = new Map(visitors.map(({ visitor, referrer }) => [visitor, referrer]));
  const rows = new Map<string, ViewRow>();
  for (const { visitor, agent, referrer: own, views } of visits) {
    const referrer = referrers.get(visitor) ?? own;
    for (const { hour, page } of views) {
      const row = bounds.rowOf({ hour, page, referrer, ...agent });
      const name = `${row.hour} ${row.key}`;
      const same = rows.get(name);
      if (same === undefined) rows.set(name, row);
      else same.views++;
    }
  }
  // All instances write in the same order, as for visitors.
  return [...rows.keys()].sort().map((name) => rows.get(name)!);
}

async function addViews(trx: Writing, rows: readonly ViewRow[]): Promise<void> {
  for (const part of portions(rows)) {
    await trx
      .insertInto("annex_visitor_views")
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns(["hour", "key"])
          .doUpdateSet((eb) => ({ views: eb("annex_visitor_views.views", "+", eb.ref("excluded.views")) })),
      )
      .execute();
  }
}

function countViews(visits: readonly Visit[]): number {
  return visits.reduce((sum, { views }) => sum + views.length, 0);
}
