import type { Transaction } from "kysely";
import { inTurns } from "../../../../lib/time/turns.ts";
import type { Database } from "../../../../storage/index.ts";
import { blockLevels, type LevelSeconds } from "../levels.ts";
import type { MetricTables } from "../tables.ts";
import { blockWriter, encodeBlock } from "./block-codec.ts";
import { toPlainSlots, toSingleSlots } from "./single-slots.ts";

interface BlockLevel {
  readonly level: LevelSeconds;
  readonly span: number;
  readonly after: LevelSeconds;
}
type SlotRow = MetricTables["annex_metric_slots"];

/**
 * Packs slots into blocks, the newest first: those that the next level covers, and late ones that are not in their block
 * yet. Slots of earlier releases are packed as well. Each block is a transaction.
 */
export async function packSlots(database: Database): Promise<void> {
  for (const level of blockLevels) await inTurns(() => packNext(database, level));
}

async function packNext(database: Database, { level, span, after }: BlockLevel): Promise<boolean> {
  const tables = database.tables<MetricTables>();
  const found = await tables
    .selectFrom("annex_metric_slots")
    .select(["time", "instance"])
    .where("level", "=", level)
    .where("writer", "<>", blockWriter)
    .where("time", "<", ({ selectFrom }) =>
      selectFrom("annex_metric_marks").select("until").where("annex_metric_marks.level", "=", after),
    )
    .orderBy("time", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!found) return false;
  const start = found.time - (found.time % span);
  await database.transaction<MetricTables, void>(async (trx) => {
    // In the same order as writers of late slots: rows, then marks.
    const single = await takeRows(trx, { level, span, start, instance: found.instance }, "<>");
    await trx.updateTable("annex_metric_marks").set({ level: after }).where("level", "=", after).execute();
    const packed = await takeRows(trx, { level, span, start, instance: found.instance }, "=");
    if (single.length + packed.length === 0) return;
    const rows = encodeBlock(toPlainSlots(toSingleSlots([...packed, ...single])));
    for (const row of rows) await trx.insertInto("annex_metric_slots").values(row).execute();
  });
  return true;
}

/** Deletes the rows of a block, or the others of its time, and returns them. */
async function takeRows(
  trx: Transaction<MetricTables>,
  { level, span, start, instance }: { level: LevelSeconds; span: number; start: number; instance: string },
  comparison: "=" | "<>",
): Promise<SlotRow[]> {
  return await trx
    .deleteFrom("annex_metric_slots")
    .where("level", "=", level)
    .where("time", ">=", start)
    .where("time", "<", start + span)
    .where("instance", "=", instance)
    .where("writer", comparison, blockWriter)
    .returningAll()
    .execute();
}
