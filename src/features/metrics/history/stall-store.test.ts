import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { engines, openTestDatabase } from "../../../storage/testing/test-database.ts";
import { stallAt } from "../testing/stalls.ts";
import { maxStalls, purgeStalls } from "./error-retention.ts";
import { listStalls, writeStalls } from "./stall-store.ts";
import { metricMigrations } from "./tables.ts";

const start = Date.parse("2026-11-15T12:00:00Z");
const dayMs = 86_400_000;
const all = { from: 0, to: start * 2, limit: 10 };

for (const engine of engines) {
  describe(`stored stalls on ${engine}`, () => {
    it("are listed by period, instance and trace, newest first", async (t) => {
      const database = await openTestDatabase(t, engine, metricMigrations);
      const [first, second, third] = [
        stallAt(start, { instance: "web-1" }),
        stallAt(start + 1_000, { instance: "web-2", duration_ms: 200, cause: undefined }),
        stallAt(start + 2_000, { instance: "web-1" }),
      ] as const;
      await writeStalls(database, [first, second, third]);
      // A write whose confirmation was lost is repeated.
      await writeStalls(database, [first]);
      assert.deepEqual(await listStalls(database, all), {
        count: 3,
        total_ms: 800,
        stalls: [third, JSON.parse(JSON.stringify(second)), first],
      });
      const list = async (changes: object) => (await listStalls(database, { ...all, ...changes })).stalls;
      assert.deepEqual(await list({ instance: "web-1" }), [third, first]);
      assert.deepEqual(await list({ from: start + 1, to: start + 2_000 }), [
        JSON.parse(JSON.stringify(second)),
      ]);
      assert.deepEqual(await list({ limit: 1 }), [third]);
      assert.deepEqual(await list({ traceId: first.cause!.trace_id }), [first]);
      assert.deepEqual(await listStalls(database, { ...all, traceId: "x" }), {
        count: 0,
        total_ms: 0,
        stalls: [],
      });
    });

    it("are deleted after a month, and when there are too many", async (t) => {
      const database = await openTestDatabase(t, engine, metricMigrations);
      await writeStalls(database, [stallAt(start - 31 * dayMs), stallAt(start - 29 * dayMs)]);
      assert.equal(await purgeStalls(database, start), 0);
      assert.equal((await listStalls(database, all)).count, 1);
      const many = Array.from({ length: maxStalls }, (_, index) => stallAt(start - index * 1_000));
      for (let at = 0; at < many.length; at += 200) await writeStalls(database, many.slice(at, at + 200));
      // The 2,001st, which is the one of 29 days ago.
      assert.equal(await purgeStalls(database, start), start - 29 * dayMs + 1);
      const { count, stalls } = await listStalls(database, all);
      assert.equal(count, maxStalls);
      assert.equal(stalls[0]!.started_at, start);
    });
  });
}
