import type { Kysely } from "kysely";
import { type AccessKind, accessKinds } from "../../auth/index.ts";
import { type Removal, RemovalReport } from "../../lib/time/removal.ts";
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
  /** The deletion in progress in this process. */
  readonly removing: Removal | undefined;
  /** The rows that the count limit has deleted began before this time. */
  readonly crowdedUntil: number;
}

/** Maximum number of stored rows of each kind, regardless of age. */
export const mostRowsOfKind = 50_000;
/** Small enough that no request waits long for the database. */
const prunedPerBatch = 200;
const countedPerBatch = 5_000;

export function createStore(database: () => Promise<Database>, instance: string): AccessStore {
  const tables = async () => (await database()).tables<AccessTables>();
  const removal = new RemovalReport();
  let crowdedUntil = 0;

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

  async function pruneSome({ kind, first }: ExpiredRows): Promise<number> {
    const db = await tables();
    const old = db
      .selectFrom("annex_access")
      .select("id")
      .where("kind", "=", kind)
      .where("first_at", "<", first)
      .orderBy("first_at")
      .orderBy("id")
      .limit(prunedPerBatch);
    const { numDeletedRows } = await db
      .deleteFrom("annex_access")
      .where("id", "in", old)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  async function pruneAll(
    before: number,
    signal: AbortSignal | undefined,
    show: (removal: Removal) => void,
  ): Promise<number> {
    const expired: ExpiredRows[] = [];
    for (const kind of accessKinds) expired.push({ kind, first: await firstKept(kind, before) });
    let total = 0;
    for (const rows of expired) total += await countExpired(await tables(), rows, signal);
    let done = 0;
    for (const rows of expired) {
      const remove = async () => {
        const removed = await pruneSome(rows);
        done += removed;
        if (removed > 0 && rows.first > before) crowdedUntil = Math.max(crowdedUntil, rows.first);
        if (removed > 0) show({ done, total: Math.max(done, total), unit: "access events" });
        return removed === prunedPerBatch;
      };
      await inTurns(remove, { signal, sharesCore: true });
    }
    return done;
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
    prune: (before, signal) => removal.during((show) => pruneAll(before, signal, show)),
    get removing() {
      return removal.current;
    },
    get crowdedUntil() {
      return crowdedUntil;
    },
  };
}

/** The rows of a kind before a time. */
interface ExpiredRows {
  readonly kind: AccessKind;
  readonly first: number;
}

/** Reads entries of the index, in turns: a hundredth of what deleting the rows costs. */
async function countExpired(
  tables: Kysely<AccessTables>,
  { kind, first }: ExpiredRows,
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  let last = { first_at: -1, id: "" };
  const countSome = async () => {
    const rows = await tables
      .selectFrom("annex_access")
      .select(["first_at", "id"])
      .where("kind", "=", kind)
      .where("first_at", ">=", last.first_at)
      .where("first_at", "<", first)
      .where(({ eb, or }) => or([eb("first_at", ">", last.first_at), eb("id", ">", last.id)]))
      .orderBy("first_at")
      .orderBy("id")
      .limit(countedPerBatch)
      .execute();
    count += rows.length;
    last = rows.at(-1) ?? last;
    return rows.length === countedPerBatch;
  };
  await inTurns(countSome, { signal });
  return count;
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
