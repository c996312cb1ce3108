import type { Database } from "../../src/index.ts";
import type { Tables, TodoRow } from "./tables.ts";

/** The queries of the scheduled jobs. */

const keptForMs = 30 * 24 * 3_600_000;

const batchSize = 100;

/** Archives todos that were done a month ago, in batches. Reports its progress and returns the number of todos. */
export async function archiveDone(
  database: Database,
  now: number,
  onProgress: (fraction: number) => void = () => {},
): Promise<number> {
  const tables = database.tables<Tables>();
  const old = await tables
    .selectFrom("todos")
    .select("id")
    .where("done", "=", 1)
    .where("archived", "=", 0)
    .where("created", "<", now - keptForMs)
    .execute();
  for (let start = 0; start < old.length; start += batchSize) {
    const ids = old.slice(start, start + batchSize).map(({ id }) => id);
    await tables.updateTable("todos").set({ archived: 1 }).where("id", "in", ids).execute();
    onProgress((start + ids.length) / old.length);
  }
  return old.length;
}

/** Finds open todos that are overdue. */
export function findOverdue(database: Database, now: number): Promise<TodoRow[]> {
  return database
    .tables<Tables>()
    .selectFrom("todos")
    .selectAll()
    .where("done", "=", 0)
    .where("archived", "=", 0)
    .where("due", "<", now)
    .execute();
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
