import type { Database } from "../../../storage/index.ts";
import type { VisitorTables } from "../tables.ts";
import type { DayCounts } from "./day-counts.ts";
import { unpackDay } from "./packing.ts";

/** Reads closed days. They never change, so recently used ones are cached. */
export interface ClosedDays {
  /** The closed days from `first` to `last`, inclusive. */
  read(first: number, last: number): AsyncGenerator<[day: number, DayCounts]>;
}

/** Cache size: half a year with a few thousand visitors per day. */
const mostBytes = 16 * 2 ** 20;
/** Number of days per query. */
const daysPerBatch = 30;

export function createClosedDays(database: Database, most: number = mostBytes): ClosedDays {
  const tables = database.tables<VisitorTables>();
  const remembered = new Map<number, Uint8Array>();
  let bytes = 0;

  function remember(day: number, counts: Uint8Array): void {
    forget(day);
    // Moves the entry to the end, so that the map is in LRU order.
    remembered.set(day, counts);
    bytes += counts.byteLength;
    for (const oldest of remembered.keys()) {
      if (bytes <= most) return;
      forget(oldest);
    }
  }

  function forget(day: number): void {
    bytes -= remembered.get(day)?.byteLength ?? 0;
    remembered.delete(day);
  }

  async function readDays(days: readonly number[]): Promise<Map<number, Uint8Array>> {
    const missing = days.filter((day) => !remembered.has(day));
    const known = days.flatMap((day) => (remembered.has(day) ? [[day, remembered.get(day)!] as const] : []));
    if (missing.length === 0) return new Map(known);
    const rows = await tables
      .selectFrom("annex_visitor_days")
      .select(["day", "counts"])
      .where("day", ">=", missing[0]!)
      .where("day", "<=", missing.at(-1)!)
      .execute();
    return new Map([...known, ...rows.map(({ day, counts }) => [day, counts] as const)]);
  }

  return {
    async *read(first, last) {
      const closed = await tables
        .selectFrom("annex_visitor_days")
        .select("day")
        .where("day", ">=", first)
        .where("day", "<=", last)
        .orderBy("day")
        .execute();
      for (let at = 0; at < closed.length; at += daysPerBatch) {
        const days = closed.slice(at, at + daysPerBatch).map(({ day }) => day);
        for (const [day, counts] of await readDays(days)) {
          remember(day, counts);
          yield [day, unpackDay(counts)];
        }
      }
    },
  };
}
