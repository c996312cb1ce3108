import { type AccessKind, accessKinds } from "../../auth/index.ts";
import { inTurns } from "../../lib/time/turns.ts";
import type { Database } from "../../storage/index.ts";
import type { AccessRow } from "./events/merger.ts";
import type { AccessTables } from "./tables.ts";

/** Writes the table. See `queries.ts` for reading. */
export interface AccessStore {
  /** Upserts rows. Repeating a call changes nothing. */
  write(rows: readonly AccessRow[]): Promise<void>;
  /** Deletes the rows beyond the age and count limits, in turns. Returns their number. */
  prune(before: number, signal?: AbortSignal): Promise<number>;
}

/** Maximum number of stored rows of each kind, regardless of age. */
export const mostRowsOfKind = 50_000;
/** Small enough that no request waits long for the database. */
const prunedPerBatch = 500;

export function createStore(database: () => Promise<Database>, instance: string): AccessStore {
  const tables = async () => (await database()).tables<AccessTables>();

  /** When the oldest row of a kind began that is within both limits. */
  async function firstKept(kind: AccessKind, before: number): Promise<number> {
    const newest = (await tables())
      .selectFrom("annex_access")
      .select("first_at")
      .where("kind", "=", kind)
      .orderBy("first_at", "desc")
      .offset(mostRowsOfKind - 1)
      .limit(1);
    return Math.max(before, (await newest.executeTakeFirst())?.first_at ?? 0);
  }

  async function pruneSome(kind: AccessKind, before: number): Promise<number> {
    const db = await tables();
    const old = db
      .selectFrom("annex_access")
      .select("id")
      .where("kind", "=", kind)
      .where("first_at", "<", before)
      .limit(prunedPerBatch);
    const { numDeletedRows } = await db
      .deleteFrom("annex_access")
      .where("id", "in", old)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  return {
    async write(rows) {
      const values = rows.map((row) => ({ ...toStored(row), instance }));
      await (await tables())
        .insertInto("annex_access")
        .values(values)
        .onConflict((conflict) =>
          conflict.column("id").doUpdateSet(({ ref }) => ({
            count: ref("excluded.count"),
            last_at: ref("excluded.last_at"),
            detail: ref("excluded.detail"),
          })),
        )
        .execute();
    },
    async prune(before, signal) {
      let count = 0;
      for (const kind of accessKinds) {
        const first = await firstKept(kind, before);
        const remove = async () => {
          const removed = await pruneSome(kind, first);
          count += removed;
          return removed === prunedPerBatch;
        };
        await inTurns(remove, { signal });
      }
      return count;
    },
  };
}

function toStored(row: AccessRow) {
  const { id, firstAt, lastAt, kind, account, actor, address, agent, traceId, detail, count } = row;
  const times = { first_at: firstAt, last_at: lastAt };
  const request = { address, agent, trace_id: traceId };
  return {
    id,
    ...times,
    kind,
    account,
    actor,
    ...request,
    detail,
    count,
    is_overflow: row.isOverflow ? 1 : 0,
  };
}
