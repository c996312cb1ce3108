import { sql } from "kysely";
import type { Database } from "../../storage/index.ts";
import type { RateLimitTables } from "./tables.ts";

/** Requests of one key. */
export interface Count {
  readonly key: string;
  readonly count: number;
  /** The time until the window ends. */
  readonly remainingMs: number;
}

export interface CountStore {
  /** Adds requests to those of all instances, with one statement. Returns the counts of all instances. */
  add(counts: readonly Count[]): Promise<Count[]>;
  /** Deletes expired counts. Returns whether there may be more. */
  purge(): Promise<boolean>;
}

const purgedPerBatch = 1_000;

/** The clock of the database decides when a window ends, because the clocks of the machines differ. */
const now = sql<number>`(extract(epoch from now()) * 1000)::bigint`;

/** Stores counts in PostgreSQL. */
export function createCountStore(database: () => Promise<Database>): CountStore {
  const tables = async () => (await database()).tables<RateLimitTables>();
  return {
    async add(counts) {
      const keys = counts.map(({ key }) => key);
      const added = counts.map(({ count }) => count);
      const remaining = counts.map(({ remainingMs }) => remainingMs);
      // Sorted, because two instances that lock the same rows in a different order would wait for each other.
      const { rows } = await sql<{ key: string; count: number; remaining: number }>`
        insert into annex_rate_limits as stored (key, count, ends_at)
        select key, count, ${now} + remaining
        from unnest(${keys}::text[], ${added}::bigint[], ${remaining}::bigint[]) as given (key, count, remaining)
        order by key
        on conflict (key) do update set
          count = excluded.count + case when stored.ends_at > ${now} then stored.count else 0 end,
          ends_at = case when stored.ends_at > ${now} then stored.ends_at else excluded.ends_at end
        returning key, count, ends_at - ${now} as remaining`.execute(await tables());
      return rows.map(({ remaining, ...row }) => ({ ...row, remainingMs: remaining }));
    },

    async purge() {
      const db = await tables();
      const expired = db.selectFrom("annex_rate_limits").select("key").where("ends_at", "<=", now);
      const some = db.deleteFrom("annex_rate_limits").where("key", "in", expired.limit(purgedPerBatch));
      const { numDeletedRows } = await some.executeTakeFirstOrThrow();
      return Number(numDeletedRows) === purgedPerBatch;
    },
  };
}
