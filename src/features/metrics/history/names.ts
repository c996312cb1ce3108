import type { Database } from "../../../storage/index.ts";
import type { MetricTables } from "./tables.ts";

/** Maps names to numbers, because the name of a route is longer than its metrics for a second. */
export interface Names {
  /** Returns the names without a number. */
  missing(names: Iterable<string>): string[];
  /** Assigns numbers to names. */
  assignIds(names: readonly string[]): Promise<void>;
  /** Returns the number of a known name. */
  numberOf(name: string): number;
  /** Returns the names of all stored numbers. */
  all(): Promise<ReadonlyMap<number, string>>;
}

/** Network interfaces can appear under ever new names, and names are stored permanently. */
const maxNames = 20_000;
const otherName = "(other names)";
/** Fits into one statement on any engine. */
const namesPerBatch = 500;

export function createNames(database: Database): Names {
  const tables = database.tables<MetricTables>();
  const numbers = new Map<string, number>();
  const names = new Map<number, string>();

  function keep(rows: readonly { id: number; name: string }[]): void {
    for (const { id, name } of rows) {
      numbers.set(name, id);
      names.set(id, name);
    }
  }

  // Reads all names: if several instances assign numbers concurrently, lower ones may appear last.
  const read = async () =>
    keep(await tables.selectFrom("annex_metric_names").select(["id", "name"]).execute());

  async function insert(some: readonly string[]): Promise<void> {
    await tables
      .insertInto("annex_metric_names")
      .values(some.map((name) => ({ name })) as { id: number; name: string }[])
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    keep(
      await tables
        .selectFrom("annex_metric_names")
        .select(["id", "name"])
        .where("name", "in", [...some])
        .execute(),
    );
  }

  const missing = (wanted: Iterable<string>) => [...new Set(wanted)].filter((name) => !numbers.has(name));

  return {
    missing,
    async assignIds(wanted) {
      await read();
      const room = Math.max(0, maxNames - numbers.size);
      // All instances write in the same order, to avoid deadlocks.
      const known = missing(wanted).sort();
      for (let at = 0; at < Math.min(room, known.length); at += namesPerBatch) {
        await insert(known.slice(at, Math.min(room, at + namesPerBatch)));
      }
      const others = missing(wanted);
      if (others.length === 0) return;
      await insert([otherName]);
      for (const name of others) numbers.set(name, numbers.get(otherName)!);
    },
    numberOf(name) {
      const number = numbers.get(name);
      if (number === undefined) throw new Error(`No number is assigned to the name ${name}.`);
      return number;
    },
    async all() {
      await read();
      return names;
    },
  };
}
