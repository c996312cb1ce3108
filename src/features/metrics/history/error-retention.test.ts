import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sql } from "kysely";
import type { Removal } from "../../../lib/time/removal.ts";
import type { Database } from "../../../storage/index.ts";
import { assertBounded, recordPlans } from "../../../storage/testing/query-plans.ts";
import { engines, openTestDatabase } from "../../../storage/testing/test-database.ts";
import { stallAt } from "../testing/stalls.ts";
import { keptErrorsSeconds, purgeErrors, purgeStalls } from "./error-retention.ts";
import { writeStalls } from "./stall-store.ts";
import { type MetricTables, metricMigrations } from "./tables.ts";

const now = 1_800_000_000;
const day = 86_400;

/** Errors of three kinds, with 400 counts and 30 samples each, a minute apart, until a time. */
async function insertErrors(database: Database, until: number): Promise<void> {
  const tables = database.tables<MetricTables>();
  for (const fingerprint of ["a", "b", "c"]) {
    const error = { fingerprint, type: "Error", message: "", stack: "", origin: "GET /", count: 400 };
    const times = { first_seen: (until - 400 * 60) * 1_000, last_seen: until * 1_000 };
    await tables
      .insertInto("annex_errors")
      .values({ ...error, ...times, causes: "[]" })
      .execute();
    const minutes = Array.from({ length: 400 }, (_, index) => until - index * 60);
    const counts = minutes.map((time) => ({ fingerprint, time, instance: "web-1", count: 1 }));
    await tables.insertInto("annex_error_counts").values(counts).execute();
    const samples = minutes.slice(0, 30).map((time) => {
      return { fingerprint, time: time * 1_000, trace_id: `${time}`, instance: "web-1", message: "" };
    });
    await tables.insertInto("annex_error_samples").values(samples).execute();
  }
}

async function countAll(database: Database): Promise<number[]> {
  const counts: number[] = [];
  for (const table of ["annex_errors", "annex_error_counts", "annex_error_samples"]) {
    const query = sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`;
    counts.push(Number((await query.execute(database.tables())).rows[0]!.count));
  }
  return counts;
}

for (const engine of engines) {
  describe(`stored errors on ${engine}`, () => {
    it("keep their newest samples, and expire with all of their data", async (t) => {
      const database = await openTestDatabase(t, engine, metricMigrations);
      await insertErrors(database, now);
      assert.deepEqual(await purgeErrors(database, now), { kinds: 0, crowdedUntil: 0 });
      assert.deepEqual(await countAll(database), [3, 1_200, 60]);
      assert.deepEqual(await purgeErrors(database, now + keptErrorsSeconds + 60), {
        kinds: 3,
        crowdedUntil: 0,
      });
      assert.deepEqual(await countAll(database), [0, 0, 0]);
    });

    it("are limited in their number, and show how far the deletion is", async (t) => {
      const database = await openTestDatabase(t, engine, metricMigrations);
      await insertErrors(database, now);
      const shown: Removal[] = [];
      const options = { maxCounts: 90, onProgress: (removal: Removal) => void shown.push(removal) };
      // Three counts a minute: the 91st is of the 31st minute, which is deleted as a whole.
      assert.deepEqual(await purgeErrors(database, now, options), {
        kinds: 0,
        crowdedUntil: now - 30 * 60 + 1,
      });
      assert.deepEqual(await countAll(database), [3, 90, 60]);
      const total = { total: 1_110, unit: "error counts" };
      assert.deepEqual(shown, [
        { done: 500, ...total },
        { done: 1_000, ...total },
        { done: 1_110, ...total },
      ]);
    });
  });
}

it("deletions of errors and stalls find them in indexes", async (t) => {
  const database = await openTestDatabase(t, "sqlite", metricMigrations);
  await insertErrors(database, now);
  await writeStalls(database, [stallAt((now - 31 * day) * 1_000), stallAt(now * 1_000)]);
  const plans = recordPlans(database);
  await purgeStalls(plans.recorded, now * 1_000);
  await purgeErrors(plans.recorded, now, { maxCounts: 90 });
  const all = await plans.take();
  assert.ok(all.length > 5);
  // There are at most a thousand kinds of errors.
  const others = all.filter((plan) => !plan.includes("annex_errors"));
  for (const plan of others) assert.doesNotMatch(plan, /^SCAN (?!.* USING )annex_|USE TEMP B-TREE/m, plan);
  await purgeStalls(plans.recorded, now * 1_000);
  await assertBounded(plans);
});
