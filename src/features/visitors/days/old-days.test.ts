import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dayMs, minuteMs } from "../../../lib/time/units.ts";
import type { Database } from "../../../storage/index.ts";
import { assertBounded, recordPlans } from "../../../storage/testing/query-plans.ts";
import { engines, openTestDatabase } from "../../../storage/testing/test-database.ts";
import { type VisitorTables, visitorMigrations } from "../tables.ts";
import { OldDays } from "./old-days.ts";

const today = 20_000;
const now = today * dayMs + 1;
const mebibyte = 2 ** 20;

/** Closed days until yesterday. Their size is only stated. */
async function insertDays(database: Database, count: number, bytes: number): Promise<void> {
  const days = Array.from({ length: count }, (_, index) => today - 1 - index);
  await database
    .tables<VisitorTables>()
    .insertInto("annex_visitor_days")
    .values(days.map((day) => ({ day, bytes, counts: new Uint8Array(1) })))
    .execute();
}

async function storedDays(database: Database): Promise<number[]> {
  const query = database.tables<VisitorTables>().selectFrom("annex_visitor_days").select("day");
  return (await query.orderBy("day").execute()).map(({ day }) => day);
}

for (const engine of engines) {
  describe(`old days of visitors on ${engine}`, () => {
    it("are deleted after a year, a few megabytes in a step", async (t) => {
      const database = await openTestDatabase(t, engine, visitorMigrations);
      await insertDays(database, 385, mebibyte / 2);
      const days = new OldDays(database);
      assert.deepEqual(await days.limitState(now), { removing: undefined, early: undefined });
      assert.equal(await days.deleteSome(now), 8);
      const unit = "days of visitors";
      assert.deepEqual((await days.limitState(now)).removing, { done: 8, total: 20, unit });
      assert.equal(await days.deleteSome(now), 8);
      assert.deepEqual((await days.limitState(now)).removing, { done: 16, total: 20, unit });
      assert.equal(await days.deleteSome(now), 4);
      assert.deepEqual(await days.limitState(now), { removing: undefined, early: undefined });
      assert.equal(await days.deleteSome(now), 0);
      assert.equal((await storedDays(database))[0], today - 365);
    });

    it("are deleted earlier if they are too large, which is stated", async (t) => {
      const database = await openTestDatabase(t, engine, visitorMigrations);
      await insertDays(database, 100, 3 * mebibyte);
      const days = new OldDays(database);
      // 85 of 3 MiB fit into 256 MiB.
      const early = ["85 of 365 days of visitors fit"];
      assert.deepEqual(await days.limitState(now), { removing: undefined, early });
      for (let step = 0; step < 15; step++) assert.equal(await days.deleteSome(now), 1);
      assert.equal(await days.deleteSome(now), 0);
      assert.equal((await storedDays(database)).length, 85);
      assert.deepEqual(await days.limitState(now), { removing: undefined, early });
    });

    it("are no longer shown as being deleted a minute after an interruption", async (t) => {
      const database = await openTestDatabase(t, engine, visitorMigrations);
      await insertDays(database, 400, mebibyte / 2);
      const days = new OldDays(database);
      await days.deleteSome(now);
      assert.equal((await days.limitState(now + minuteMs - 1)).removing?.done, 8);
      assert.equal((await days.limitState(now + minuteMs)).removing, undefined);
      await days.deleteSome(now + minuteMs);
      assert.deepEqual((await days.limitState(now + minuteMs)).removing?.total, 27);
    });
  });
}

it("deletions of old days find them in an index", async (t) => {
  const database = await openTestDatabase(t, "sqlite", visitorMigrations);
  await insertDays(database, 400, mebibyte);
  const plans = recordPlans(database);
  const days = new OldDays(plans.recorded);
  await days.deleteSome(now);
  // The first query reads the sizes of all days, of which a year is stored.
  const [, ...others] = await plans.take();
  for (const plan of others) assert.match(plan, /^SEARCH annex_visitor_days USING/, plan);
  await days.deleteSome(now);
  await assertBounded(plans);
});
