import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Database } from "../../storage/index.ts";
import { engines } from "../../storage/testing/test-database.ts";
import type { Summary } from "./messages.ts";
import { summarize } from "./report/summary.ts";
import type { VisitorTables } from "./tables.ts";
import { agents, createTestService, hour, sunday, viewAt, wholeDay } from "./testing/views.ts";
import { tidy } from "./tidy.ts";

const late = sunday + 26 * hour;

/** A database with the views of Sunday: 200 views of 50 visitors. */
async function createSunday(t: Parameters<typeof createTestService>[0], engine: (typeof engines)[number]) {
  const { database, service, take, clock } = await createTestService(t, { engine });
  clock.jump(11 * hour);
  const views = Array.from({ length: 200 }, (_, index) =>
    viewAt(sunday + index * 6 * 60_000, {
      ip: `192.0.2.${index % 50}`,
      path: `/${index % 13}`,
      agent: index % 5 === 0 ? agents.chrome : agents.iphone,
    }),
  );
  take(...views);
  await service.flush();
  return database;
}

function askSunday(database: Database): Promise<Omit<Summary, "limits">> {
  return summarize(database, wholeDay(sunday), late);
}

async function countRows(database: Database): Promise<number> {
  const tables = database.tables<VisitorTables>();
  const visitors = await tables.selectFrom("annex_visitors").select("day").execute();
  const views = await tables.selectFrom("annex_visitor_views").select("hour").execute();
  return visitors.length + views.length;
}

for (const engine of engines) {
  describe(`closing a day on ${engine}`, () => {
    it("waits until nothing can be written to the day any more", async (t) => {
      const database = await createSunday(t, engine);
      assert.deepEqual(await tidy(database, sunday + 24.9 * hour), { did: "nothing" });
      assert.deepEqual(await tidy(database, sunday + 25 * hour), { did: "closed", day: "2026-11-15" });
    });

    it("changes no result at any step, even if interrupted, and leaves no visitor", async (t) => {
      const database = await createSunday(t, engine);
      const expected = await askSunday(database);
      assert.equal(expected.totals.visits?.visitorDays, 50);
      assert.equal(expected.totals.views, 200);
      let steps = 0;
      for (; (await tidy(database, late, { most: 20 })).did !== "nothing"; steps++) {
        assert.deepEqual(await askSunday(database), expected);
      }
      assert.ok(steps > 20, `${steps} steps`);
      assert.equal(await countRows(database), 0);
      assert.deepEqual(await askSunday(database), expected);
    });

    it("counts everything once when two instances run it together", async (t) => {
      const database = await createSunday(t, engine);
      const expected = await askSunday(database);
      const run = async () => {
        while ((await tidy(database, late, { most: 20 })).did !== "nothing");
      };
      await Promise.all([run(), run(), run()]);
      assert.deepEqual(await askSunday(database), expected);
      const days = await database
        .tables<VisitorTables>()
        .selectFrom("annex_visitor_days")
        .select("day")
        .execute();
      assert.equal(days.length, 1);
    });

    it("deletes days that are more than a year old", async (t) => {
      const database = await createSunday(t, engine);
      const after = (days: number) => sunday + days * 24 * hour;
      while ((await tidy(database, after(365))).did !== "nothing");
      const days = () =>
        database.tables<VisitorTables>().selectFrom("annex_visitor_days").select("day").execute();
      assert.equal((await days()).length, 1);
      assert.deepEqual(await tidy(database, after(366)), { did: "deleted", rows: 1 });
      assert.deepEqual(await days(), []);
    });
  });
}

describe("closed days", () => {
  it("are deleted a few at a time", async (t) => {
    const { database } = await createTestService(t);
    const values = Array.from({ length: 25 }, (_, day) => ({ day, bytes: 1, counts: Buffer.alloc(0) }));
    await database.tables<VisitorTables>().insertInto("annex_visitor_days").values(values).execute();
    for (const rows of [10, 10, 5]) assert.deepEqual(await tidy(database, late), { did: "deleted", rows });
    assert.deepEqual(await tidy(database, late), { did: "nothing" });
  });

  it("are deleted, oldest first, if they take too much space", async (t) => {
    const { database } = await createTestService(t);
    const today = Math.floor(late / (24 * hour));
    const values = [1, 2, 3].map((ago) => ({
      day: today - ago,
      bytes: 100 * 2 ** 20,
      counts: Buffer.alloc(0),
    }));
    await database.tables<VisitorTables>().insertInto("annex_visitor_days").values(values).execute();
    assert.deepEqual(await tidy(database, late), { did: "deleted", rows: 1 });
    const days = await database
      .tables<VisitorTables>()
      .selectFrom("annex_visitor_days")
      .select("day")
      .orderBy("day")
      .execute();
    assert.deepEqual(
      days.map(({ day }) => today - day),
      [2, 1],
    );
  });
});
