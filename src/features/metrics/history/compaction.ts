import type { Transaction } from "kysely";
import type { Database } from "../../../storage/index.ts";
import { blockWriter } from "./blocks/block-codec.ts";
import { toSingleSlots } from "./blocks/single-slots.ts";
import { coarseLevels } from "./levels.ts";
import type { Names } from "./names.ts";
import { getOrMake, Slot } from "./slot.ts";
import { parseSlowest, readRoutes, readSystem, slowestTextOf } from "./slot-codec.ts";
import { type SlotRow, toRow, upsertSlot } from "./slot-store.ts";
import type { MetricTables } from "./tables.ts";

type Coarse = (typeof coarseLevels)[number];

/** Slots of the last minutes may still arrive. */
const settledAfter = 120;

/**
 * Merges minutes into hours and hours into days, one slot per instance. Slots written by several processes of an
 * instance, before and after a restart, are combined. Each step is a repeatable transaction. Returns the number of new
 * slots.
 */
export async function compactSlots(database: Database, names: Names, now: number): Promise<number> {
  let made = 0;
  for (const source of coarseLevels) {
    while (await makeNext(database, source, names, now)) {
      made++;
      // Lets other messages be processed in between.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return made;
}

/** Creates the next pending coarse slot that is complete and not empty. Returns false if there is none. */
async function makeNext(database: Database, source: Coarse, names: Names, now: number): Promise<boolean> {
  const { level, from } = source;
  const allNames = await names.all();
  return database.transaction<MetricTables, boolean>(async (trx) => {
    // Locks the mark before reading: writers of late minutes have to wait and then find that the slot must be created
    // again.
    await trx.updateTable("annex_metric_marks").set({ level }).where("level", "=", level).execute();
    const marks = await trx.selectFrom("annex_metric_marks").selectAll().execute();
    const untilOf = (wanted: number) => marks.find((mark) => mark.level === wanted)!.until;
    const over = from === 60 ? now - settledAfter : untilOf(from);
    const end = Math.max(untilOf(level), over - (over % level));
    const start = await findFirst(trx, from, untilOf(level), level);
    if (start === undefined || start >= end) {
      // Nothing is left to merge. The mark still advances, so that queries do not read finer slots unnecessarily.
      await writeMark(trx, level, end);
      return false;
    }
    await build(trx, source, start, names, allNames);
    await writeMark(trx, level, start + level);
    return true;
  });
}

/** Start of the coarse slot that contains the first finer slot at or after a time. */
async function findFirst(
  trx: Transaction<MetricTables>,
  from: Coarse["from"],
  since: number,
  level: number,
): Promise<number | undefined> {
  const row = await trx
    .selectFrom("annex_metric_slots")
    .select("time")
    .where("level", "=", from)
    .where("time", ">=", since)
    .orderBy("time")
    .limit(1)
    .executeTakeFirst();
  return row && row.time - (row.time % level);
}

async function build(
  trx: Transaction<MetricTables>,
  { level, from }: Coarse,
  start: number,
  names: Names,
  allNames: ReadonlyMap<number, string>,
): Promise<void> {
  const rows = await trx
    .selectFrom("annex_metric_slots")
    .selectAll()
    .where("level", "=", from)
    .where("time", ">=", start)
    .where("time", "<", start + level)
    .execute();
  const slots = new Map<string, Slot>();
  for (const row of toSingleSlots(rows)) {
    mergeRow(
      getOrMake(slots, row.instance, () => new Slot(level, start, "")),
      row,
      allNames,
    );
  }
  // A block stays: its slots count less than new ones, until they are packed again.
  await trx
    .deleteFrom("annex_metric_slots")
    .where("level", "=", level)
    .where("time", "=", start)
    .where("writer", "<>", blockWriter)
    .execute();
  for (const [instance, slot] of slots) await upsertSlot(trx, toRow(slot, instance, names));
}

/** Adds a row to a slot of its instance. */
export function mergeRow(slot: Slot, row: SlotRow, names: ReadonlyMap<number, string>): void {
  slot.samples += row.samples;
  readRoutes(row.routes, (number) => slot.statsOf(names.get(number)!));
  readSystem(row.system, (number, mean, max) => slot.gaugeOf(names.get(number)!).add(mean, max, row.samples));
  slot.slowest.merge(parseSlowest(slowestTextOf(row)));
}

async function writeMark(
  trx: Transaction<MetricTables>,
  level: Coarse["level"],
  until: number,
): Promise<void> {
  await trx.updateTable("annex_metric_marks").set({ until }).where("level", "=", level).execute();
}
