import { join } from "node:path";
import Sqlite, { type Database, type Statement } from "better-sqlite3";
import type { ExecutedQuery } from "./record-statements.ts";

/** What a query reads. */
export interface Visits {
  /** Rows that the query visits in tables and indexes, including those that it skips or does not return. */
  readonly rows: number;
  /** Whether it was stopped at the limit. */
  readonly isCut: boolean;
  readonly plan: readonly string[];
}

export interface VisitCounter {
  /** Runs the query again. Stops after `most` rows. */
  count(query: ExecutedQuery, most: number): Visits;
  close(): void;
}

/**
 * Counts the rows that queries visit. SQLite does not report them, so each table is replaced by a view with a condition
 * that counts: `select * from notes where visited(rowid)`. SQLite merges the view into the query and evaluates the
 * condition for each row on the cursor, before the other conditions, the offset and the limit. A query whose plan is a
 * different one then is refused.
 */
export function createVisitCounter(dataDir: string): VisitCounter {
  const files = new Map<string, CountedFile>();
  return {
    count(query, most) {
      const { file } = query;
      const counted = files.get(file) ?? new CountedFile(join(dataDir, file));
      files.set(file, counted);
      return counted.count(query, most);
    },
    close() {
      for (const file of files.values()) file.close();
    },
  };
}

class TooMany extends Error {}

class CountedFile {
  private readonly plain: Database;
  private readonly counted: Database;
  private readonly statements = new Map<string, { statement: Statement; plan: string[] }>();
  private rows = 0;
  private most = 0;

  constructor(path: string) {
    this.plain = new Sqlite(path, { readonly: true });
    this.counted = new Sqlite(path, { readonly: true });
    // The condition of a view may not change while it is evaluated once for all rows.
    this.counted.function("annex_visited", { deterministic: false }, (_row) => {
      if (++this.rows > this.most) throw new TooMany();
      return 1;
    });
    const tables = this.counted.prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
    );
    for (const name of tables.pluck().all() as string[])
      this.counted.exec(
        `create temp view "${name}" as select rowid, * from main."${name}" where annex_visited(rowid)`,
      );
  }

  count({ sql, values }: ExecutedQuery, most: number): Visits {
    const { statement, plan } = this.prepare(sql, values);
    this.rows = 0;
    this.most = most;
    try {
      for (const _ of statement.iterate(...values));
      return { rows: this.rows, isCut: false, plan };
    } catch (error) {
      if (!(error instanceof TooMany)) throw error;
      return { rows: this.rows, isCut: true, plan };
    }
  }

  close(): void {
    this.plain.close();
    this.counted.close();
  }

  private prepare(sql: string, values: readonly unknown[]) {
    const known = this.statements.get(sql);
    if (known) return known;
    const plan = planOf(this.plain, sql, values);
    const other = planOf(this.counted, sql, values);
    if (accessesOf(plan) !== accessesOf(other))
      throw new Error(`Counting changes the plan of ${sql}:\n${plan.join("\n")}\n---\n${other.join("\n")}`);
    const prepared = { statement: this.counted.prepare(sql), plan };
    this.statements.set(sql, prepared);
    return prepared;
  }
}

function planOf(database: Database, sql: string, values: readonly unknown[]): string[] {
  const steps = database.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[];
  return steps.map(({ detail }) => detail);
}

/** How the tables are read and sorted. In the plan of a view, an alias has the name of its table. */
function accessesOf(plan: readonly string[]): string {
  const steps = plan.map((step) => /^(?:SEARCH|SCAN) \S+ (USING .*)|^(USE TEMP B-TREE .*)/.exec(step));
  return steps.flatMap((step) => step?.[1] ?? step?.[2] ?? []).join("\n");
}
