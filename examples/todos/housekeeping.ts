import type { Database } from "../../src/index.ts";
import type { Tables } from "./tables.ts";

/** The work that belongs to a schedule rather than to a request. */

const keptForMs = 30 * 24 * 3_600_000;

/** Puts away what was done a month ago; tells how many. */
export async function archiveDone(database: Database, now: number): Promise<number> {
  const { numUpdatedRows } = await database
    .tables<Tables>()
    .updateTable("todos")
    .set({ archived: 1 })
    .where("done", "=", 1)
    .where("archived", "=", 0)
    .where("created", "<", now - keptForMs)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export interface TodoCounts {
  open: number;
  done: number;
  archived: number;
}

export async function countTodos(database: Database): Promise<TodoCounts> {
  const rows = await database
    .tables<Tables>()
    .selectFrom("todos")
    .select(["done", "archived", ({ fn }) => fn.countAll<number>().as("count")])
    .groupBy(["done", "archived"])
    .execute();
  const sum = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(matches).reduce((total, { count }) => total + Number(count), 0);
  return {
    open: sum((row) => row.archived === 0 && row.done === 0),
    done: sum((row) => row.archived === 0 && row.done === 1),
    archived: sum((row) => row.archived === 1),
  };
}
