import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Database } from "../../../storage/index.ts";
import { openTestDatabase } from "../../../storage/testing/test-database.ts";
import { type VisitorTables, visitorMigrations } from "../tables.ts";
import { createClosedDays } from "./closed-days.ts";
import { createDayCounter } from "./day-counts.ts";
import { packDay } from "./packing.ts";

const agent = { kind: "human", browser: "b", os: "o", device: "d" } as const;

async function addDay(database: Database, day: number): Promise<number> {
  const counter = createDayCounter();
  counter.addView({ ...agent, referrer: "", page: `/${day}`, hour: 1, views: day });
  const counts = packDay(counter.compact());
  const row = { day, counts, bytes: counts.length };
  await database.tables<VisitorTables>().insertInto("annex_visitor_days").values(row).execute();
  return counts.length;
}

async function createDays(t: TestContext, days: readonly number[]) {
  const database = await openTestDatabase(t, "sqlite", visitorMigrations);
  let bytes = 0;
  for (const day of days) bytes = await addDay(database, day);
  return { database, bytes };
}

async function read(closed: ReturnType<typeof createClosedDays>, first: number, last: number) {
  const found: number[] = [];
  for await (const [day, counts] of closed.read(first, last)) {
    assert.deepEqual([...counts.views.views], [day]);
    found.push(day);
  }
  return found.sort((one, another) => one - another);
}

describe("closed days", () => {
  it("are read if they exist, and only once", async (t) => {
    const { database } = await createDays(t, [3, 5, 6, 90]);
    const closed = createClosedDays(database);
    assert.deepEqual(await read(closed, 4, 100), [5, 6, 90]);
    // Cached days are not read again.
    await database
      .tables<VisitorTables>()
      .updateTable("annex_visitor_days")
      .set({ counts: Buffer.alloc(0) })
      .where("day", ">", 4)
      .execute();
    assert.deepEqual(await read(closed, 1, 100), [3, 5, 6, 90]);
    await addDay(database, 7);
    assert.deepEqual(await read(closed, 6, 8), [6, 7]);
  });

  it("are no longer there when they are deleted", async (t) => {
    const { database } = await createDays(t, [3, 5]);
    const closed = createClosedDays(database);
    await read(closed, 1, 9);
    await database.tables<VisitorTables>().deleteFrom("annex_visitor_days").where("day", "=", 3).execute();
    assert.deepEqual(await read(closed, 1, 9), [5]);
  });

  it("are removed from the cache if it is too large, least recently used first", async (t) => {
    const { database, bytes } = await createDays(t, [11, 12, 13]);
    const closed = createClosedDays(database, bytes * 2);
    for (const day of [11, 12, 11, 13]) await read(closed, day, day);
    const empty = { counts: Buffer.alloc(0) };
    await database.tables<VisitorTables>().updateTable("annex_visitor_days").set(empty).execute();
    assert.deepEqual(await read(closed, 11, 11), [11]);
    assert.deepEqual(await read(closed, 13, 13), [13]);
    await assert.rejects(read(closed, 12, 12));
  });
});
