import { slowestTextOf, toPlainRoutes } from "../slot-codec.ts";
import type { MetricTables } from "../tables.ts";
import { decodeBlock, type Entry, isBlock } from "./block-codec.ts";

type SlotRow = MetricTables["annex_metric_slots"];

/** The slots outside of blocks. They replace the slots with the same key in a block, until these are packed again. */
export class LaterSlots {
  private readonly keys = new Set<string>();

  add({ level, instance, time, writer }: Pick<SlotRow, "level" | "instance" | "time" | "writer">): void {
    this.keys.add(`${level} ${time} ${writer} ${instance}`);
  }

  replace({ level, instance }: Pick<SlotRow, "level" | "instance">, { time, writer }: Entry): boolean {
    return this.keys.has(`${level} ${time} ${writer} ${instance}`);
  }
}

/** Opens blocks. The rows must contain whole blocks. */
export function toSingleSlots(rows: readonly SlotRow[]): SlotRow[] {
  const single = rows.filter((row) => !isBlock(row));
  const later = new LaterSlots();
  for (const row of single) later.add(row);
  const blocks = Map.groupBy(rows.filter(isBlock), ({ level, time, instance }) =>
    [level, time, instance].join(" "),
  );
  const packed = [...blocks.values()].flatMap(decodeBlock).filter((row) => !later.replace(row, row));
  return [...packed, ...single];
}

/** One row for each slot, not compressed and in the order of time, whatever an earlier release wrote. */
export function toPlainSlots(rows: readonly SlotRow[]): SlotRow[] {
  const slots = Map.groupBy(rows, ({ time, writer }) => `${time} ${writer}`);
  return [...slots.values()]
    .map((parts) => {
      const first = parts.find(({ part }) => part === 0) ?? parts[0]!;
      const routes = Buffer.concat(parts.map((each) => toPlainRoutes(each.routes)));
      return { ...first, part: 0, slowest: slowestTextOf(first), routes };
    })
    .sort((one, other) => one.time - other.time);
}
