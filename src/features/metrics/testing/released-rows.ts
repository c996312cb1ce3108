import { VarintWriter } from "../../../lib/varints.ts";
import type { Names } from "../history/names.ts";
import { packBody } from "../history/packed-body.ts";
import type { Slot } from "../history/slot.ts";
import { type SlotRow, toRow } from "../history/slot-store.ts";

const releasedParts = 8;
const nothing = new Uint8Array(0);

/** The rows that release 0.1.0 wrote for a slot: uncompressed, and with the routes in eight parts from a minute on. */
export function toReleasedRows(slot: Slot, instance: string, names: Names): SlotRow[] {
  const row = toRow(slot, instance, names);
  const parts = Array.from({ length: slot.level >= 60 ? releasedParts : 1 }, () => new VarintWriter());
  const piece = new VarintWriter();
  for (const [name, stats] of slot.requests) {
    const number = names.numberOf(name);
    const writer = parts[number % parts.length]!;
    stats.write(piece);
    writer.number(number);
    writer.piece(piece.take());
  }
  const first = {
    totals: row.totals,
    system: row.system,
    slowest: slot.slowest.list().length === 0 ? "" : JSON.stringify(slot.slowest.list()),
  };
  const rest = { totals: nothing, system: nothing, slowest: "", samples: 0 };
  return parts
    .map((writer, part) => ({ ...row, part, ...(part === 0 ? first : rest), routes: writer.take() }))
    .filter(({ part, routes }) => part === 0 || routes.length > 0)
    .map((each) => {
      const { totals, system, slowest, routes } = each;
      return { ...each, bytes: 100 + totals.length + system.length + slowest.length + routes.length };
    });
}

/** The row that decision 156 introduced: the routes and the slowest requests of a slot are compressed. */
export function toPackedRow(slot: Slot, instance: string, names: Names): SlotRow {
  const row = toRow(slot, instance, names);
  const list = slot.slowest.list();
  const text = list.length === 0 ? "" : JSON.stringify(list);
  const routes = [...slot.requests].map(([name, stats]) => [names.numberOf(name), stats] as const);
  const packed = packBody({ text, routes }, slot.level > 60 ? "brotli" : "deflate");
  return { ...row, slowest: "", routes: packed };
}
