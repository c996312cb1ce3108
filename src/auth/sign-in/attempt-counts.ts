import type { Clock } from "../../lib/time/clock.ts";
import { minuteMs } from "../../lib/time/units.ts";
import type { AuthTables, OpenDatabase } from "../tables.ts";

const windowMs = 15 * minuteMs;
const purgedPerBatch = 100;
const purgeEveryMs = minuteMs;

/** Stored counters of sign-in attempts, by key. Each one starts again after a window. */
export class AttemptCounts {
  private readonly database: OpenDatabase;
  private readonly clock: Clock;
  private purgesAt = 0;

  constructor(database: OpenDatabase, clock: Clock) {
    this.database = database;
    this.clock = clock;
  }

  /** The counters that are not over, by key. */
  async find(keys: readonly string[]): Promise<ReadonlyMap<string, { count: number; expires: number }>> {
    const query = (await this.tables())
      .selectFrom("annex_login_attempts")
      .select(["key", "count", "expires"]);
    const open = query.where("key", "in", keys).where("expires", ">", this.clock.now());
    return new Map((await open.execute()).map((row) => [row.key, row]));
  }

  /** Increments a counter and returns true, or returns false if it is full. */
  async increment(key: string, limit: number): Promise<boolean> {
    const now = this.clock.now();
    const fresh = { count: 1, expires: now + windowMs };
    const query = (await this.tables()).insertInto("annex_login_attempts").values({ key, ...fresh });
    const counted = await query
      .onConflict((conflict) =>
        conflict
          .column("key")
          .doUpdateSet(({ eb, ref }) => {
            const count = ref("annex_login_attempts.count");
            const expires = ref("annex_login_attempts.expires");
            const isOver = eb(expires, "<=", now);
            return {
              count: eb
                .case()
                .when(isOver)
                .then(fresh.count)
                .else(eb(count, "+", 1))
                .end(),
              expires: eb.case().when(isOver).then(fresh.expires).else(expires).end(),
            };
          })
          .where(({ eb, or }) =>
            or([eb("annex_login_attempts.expires", "<=", now), eb("annex_login_attempts.count", "<", limit)]),
          ),
      )
      .returning("count")
      .executeTakeFirst();
    return counted !== undefined;
  }

  async decrement(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const counted = (await this.tables()).updateTable("annex_login_attempts").where("key", "in", keys);
    await counted
      .set((eb) => ({ count: eb("count", "-", 1) }))
      .where("count", ">", 0)
      .execute();
  }

  async remove(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await (await this.tables()).deleteFrom("annex_login_attempts").where("key", "in", keys).execute();
  }

  /** Deletes expired counters once per minute, and more often if there are many. A failure is retried later. */
  async purge(): Promise<void> {
    const now = this.clock.now();
    if (now < this.purgesAt) return;
    this.purgesAt = now + purgeEveryMs;
    const db = await this.tables();
    const over = db.selectFrom("annex_login_attempts").select("key").where("expires", "<=", now);
    const some = db.deleteFrom("annex_login_attempts").where("key", "in", over.limit(purgedPerBatch));
    const deleted = await some.executeTakeFirst().catch(() => undefined);
    if (Number(deleted?.numDeletedRows ?? 0) === purgedPerBatch) this.purgesAt = now;
  }

  private async tables() {
    return (await this.database()).tables<AuthTables>();
  }
}
