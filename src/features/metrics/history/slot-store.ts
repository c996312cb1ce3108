import type { Transaction } from "kysely";
import type { Database } from "../../../storage/index.ts";
import { coarseLevels, type Extents, levels } from "./levels.ts";
import type { Names } from "./names.ts";
import type { Slot } from "./slot.ts";
import { encodeSlot, sizeOfRow } from "./slot-codec.ts";
import type { MetricTables } from "./tables.ts";

export type SlotRow = MetricTables["annex_metric_slots"];

export interface SlotStore {
  /** Writes slots in one transaction. Returns their size in bytes. */
  write(instance: string, slots: readonly Slot[], now: number): Promise<number>;
  /** Returns the period with data for each level. */
  extents(now: number): Promise<Extents>;
  /** Whether there is a slot of a whole minute before a time. */
  hasBefore(time: number): Promise<boolean>;
}

export function createSlotStore(database: Database, names: Names): SlotStore {
  const tables = database.tables<MetricTables>();
  return {
    async write(instance, slots, now) {
      // Slots may grow while names are assigned.
      for (;;) {
        const missing = names.missing(slots.flatMap(namesIn));
        if (missing.length === 0) break;
        await names.assignIds(missing);
      }
      const rows = slots.map((slot) => toRow(slot, instance, names));
      await database.transaction<MetricTables, void>(async (trx) => {
        for (const row of rows) await upsertSlot(trx, row);
        await reopenCoarse(trx, rows, now);
      });
      return rows.reduce((sum, { bytes }) => sum + bytes, 0);
    },
    extents: async (now) =>
      toExtents(await tables.selectFrom("annex_metric_marks").selectAll().execute(), now),
    async hasBefore(time) {
      const found = await tables
        .selectFrom("annex_metric_slots")
        .select("time")
        .where("level", "=", 60)
        .where("time", "<", time)
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },
  };
}

export function toRow(slot: Slot, instance: string, names: Names): SlotRow {
  const { level, time, writer, samples } = slot;
  const body = encodeSlot(slot, names.numberOf);
  return { level, time, instance, writer, part: 0, samples, bytes: sizeOfRow(body), ...body };
}

/** The writer of a slot always writes it completely, so rows are replaced, not merged. */
export async function upsertSlot(trx: Transaction<MetricTables>, row: SlotRow): Promise<void> {
  const { samples, bytes, totals, system, slowest, routes } = row;
  await trx
    .insertInto("annex_metric_slots")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["level", "time", "part", "instance", "writer"])
        .doUpdateSet({ samples, bytes, totals, system, slowest, routes }),
    )
    .execute();
}

const namesIn = ({ requests, system }: Slot) => [...requests.keys(), ...system.keys()];

/**
 * Late data may belong to hours and days that already exist. They are created again if all their source slots still
 * exist. This runs with every write and has no condition in `where`, so that compaction and writers of the same slot
 * wait for each other.
 */
async function reopenCoarse(
  trx: Transaction<MetricTables>,
  rows: readonly SlotRow[],
  now: number,
): Promise<void> {
  const minutes = rows.filter(({ level }) => level === 60).map(({ time }) => time);
  if (minutes.length === 0) return;
  const earliest = Math.min(...minutes);
  const extents = toExtents(await trx.selectFrom("annex_metric_marks").selectAll().execute(), now);
  for (const { level, from } of coarseLevels) {
    const start = Math.max(earliest - (earliest % level), firstWhole(extents[from].since, level));
    await trx
      .updateTable("annex_metric_marks")
      .set(({ eb, ref }) => ({
        until: eb.case().when("until", ">", start).then(start).else(ref("until")).end(),
      }))
      .where("level", "=", level)
      .execute();
  }
}

/** Start of the first slot of a level that is completely covered. */
const firstWhole = (since: number, level: number) => Math.ceil(since / level) * level;

function toExtents(marks: readonly MetricTables["annex_metric_marks"][], now: number): Extents {
  const extents = levels.map(({ seconds, keptSeconds }) => {
    const mark = marks.find(({ level }) => level === seconds);
    const until = seconds <= 60 ? Number.POSITIVE_INFINITY : (mark?.until ?? 0);
    return [seconds, { since: Math.max(now - keptSeconds, mark?.since ?? 0), until }];
  });
  return Object.fromEntries(extents);
}
