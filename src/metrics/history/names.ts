import type { Database } from "../../storage/index.ts";
import type { MetricTables } from "./tables.ts";

/** Numbers in the place of names: a route's name is longer than what it came to in a second. */
export interface Names {
  /** Which of these have no number yet. */
  missing(names: Iterable<string>): string[];
  /** Gives each of these a number. */
  learn(names: readonly string[]): Promise<void>;
  /** The number of a name that has been learnt. */
  numberOf(name: string): number;
  /** The name of every number that may stand in the store. */
  all(): Promise<ReadonlyMap<number, string>>;
}

/** Network interfaces come and go under ever new names, and a name is kept for good. */
const maxNames = 20_000;
const otherName = "(other names)";
/** Few enough for one statement on any engine. */
const atOnce = 500;

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

  // All of them: of numbers that several instances give out at once, the lower ones may appear last.
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
    async learn(wanted) {
      await read();
      const room = Math.max(0, maxNames - numbers.size);
      // In one order for all instances, so that two of them never wait for each other.
      const known = missing(wanted).sort();
      for (let at = 0; at < Math.min(room, known.length); at += atOnce) {
        await insert(known.slice(at, Math.min(room, at + atOnce)));
      }
      const others = missing(wanted);
      if (others.length === 0) return;
      await insert([otherName]);
      for (const name of others) numbers.set(name, numbers.get(otherName)!);
    },
    numberOf(name) {
      const number = numbers.get(name);
      if (number === undefined) throw new Error(`The name ${name} has no number.`);
      return number;
    },
    async all() {
      await read();
      return names;
    },
  };
}
