import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settle } from "../../lib/testing/fake-clock.ts";
import type { Database } from "../../storage/index.ts";
import { engines, openTestDatabase } from "../../storage/testing/test-database.ts";
import type { PageView, Summary } from "./messages.ts";
import { type VisitorTables, visitorMigrations } from "./tables.ts";
import { countNames, countVisitors } from "./testing/brute-force.ts";
import {
  agents,
  createRandom,
  createTestService,
  hour,
  packViews,
  sunday,
  type TestService,
  viewAt,
} from "./testing/views.ts";

/** Views of a number of visitors on one day, ordered by time; no two views of a visitor have the same time. */
function makeDay(seed: number, visitors: number, count: number): PageView[] {
  const random = createRandom(seed);
  const people = Array.from({ length: visitors }, (_, index) => ({
    ip: `198.51.100.${index % 250}`,
    agent: Object.values(agents)[index % 5]!,
    host: index % 7 === 0 ? "www.shop.example.com" : "blog.example.com",
    rhythm: [60_000, 20 * 60_000, 31 * 60_000, 3 * hour][random(4)]!,
    begin: random(20 * hour),
  }));
  const times = new Map<string, number>();
  const views = Array.from({ length: count }, () => {
    const { ip, agent, host, rhythm, begin } = people[random(visitors)]!;
    const key = ip + agent + host;
    const time = (times.get(key) ?? begin) + 1 + random(rhythm);
    if (time >= 24 * hour) return undefined;
    times.set(key, time);
    const referrer = ["", "news.example.org", "search.example.net"][random(3)]!;
    return viewAt(sunday + time, { path: `/page/${random(20)}`, referrer, ip, agent, host });
  });
  return views.filter((view) => view !== undefined).sort((one, another) => one.time - another.time);
}

function shuffle<T>(items: readonly T[], random: (below: number) => number): T[] {
  return items
    .map((item) => ({ item, place: random(2 ** 31) }))
    .sort((one, another) => one.place - another.place)
    .map(({ item }) => item);
}

function assertAgrees(summary: Summary, views: readonly PageView[]): void {
  const visitors = countVisitors(views);
  const sum = (count: (visitor: (typeof visitors)[number]) => number) =>
    visitors.reduce((total, visitor) => total + count(visitor), 0);
  assert.deepEqual(summary.totals, {
    views: views.length,
    visits: {
      visitorDays: visitors.length,
      returned: sum(({ sessions }) => (sessions > 1 ? 1 : 0)),
      sessions: sum(({ sessions }) => sessions),
      bounces: sum(({ bounces }) => bounces),
    },
  });
  assert.deepEqual(
    summary.lists.pages.map(({ name, views }) => [name, views]),
    countNames(views.map(({ path }) => path)),
  );
  assert.deepEqual(
    summary.lists.entryPages.map(({ name, visitorDays }) => [name, visitorDays]),
    countNames(visitors.map(({ entry }) => entry)),
  );
  assert.deepEqual(
    summary.lists.referrers.map(({ name, visitorDays }) => [name, visitorDays]),
    countNames(visitors.map(({ referrer }) => referrer)),
  );
  const visitorsByHour = Array.from({ length: 24 }, (_, each) =>
    sum(({ hours }) => (hours.has(each) ? 1 : 0)),
  );
  assert.deepEqual(
    summary.series.map(({ visitors }) => visitors),
    visitorsByHour,
  );
}

const isHuman = ({ agent }: PageView) => agent !== agents.googlebot && agent !== agents.gptbot;

async function closeDays({ tidy }: TestService): Promise<void> {
  while ((await tidy()).did !== "nothing");
}

for (const engine of engines) {
  describe(`visitors on ${engine}`, () => {
    it("agree with a brute-force count, on one instance and after the day is closed", async (t) => {
      const test = await createTestService(t, { engine });
      test.clock.jump(11.9 * hour);
      const views = makeDay(1, 150, 2_000);
      test.take(...views);
      assertAgrees(await test.summary(), views.filter(isHuman));
      const before = await test.summary();
      const bots = await test.summary({ kind: "bot" });
      assertAgrees(
        bots,
        views.filter(({ agent }) => agent === agents.googlebot),
      );
      assertAgrees(
        await test.summary({ kind: "ai" }),
        views.filter(({ agent }) => agent === agents.gptbot),
      );
      test.clock.jump(2 * hour);
      await closeDays(test);
      const after = await test.summary({ from: sunday, to: sunday + 24 * hour });
      assert.deepEqual({ ...after, live: 0 }, { ...before, live: 0 });
    });

    it("agree with it when three instances count the same visitors at the same time, in any order", async (t) => {
      const database = await openTestDatabase(t, engine, visitorMigrations);
      const instances = await Promise.all([1, 2, 3].map(() => createTestService(t, { database })));
      const random = createRandom(2);
      const views = makeDay(3, 80, 1_500);
      const batches = new Map<number, PageView[]>();
      for (const view of views) {
        const batch = random(60);
        batches.set(batch, [...(batches.get(batch) ?? []), view]);
      }
      for (const { clock } of instances) clock.jump(11.9 * hour);
      for (const [place, batch] of shuffle([...batches.values()], random).entries()) {
        const { take } = instances[random(3)]!;
        take(...batch);
        if (place % 4 === 0) await Promise.all(instances.map(({ service }) => service.flush()));
      }
      await Promise.all(instances.map(({ service }) => service.flush()));
      for (const { summary } of instances) assertAgrees(await summary(), views.filter(isHuman));
    });

    it("are the same visitor on every instance, and another one the next day", async (t) => {
      const database = await openTestDatabase(t, engine, visitorMigrations);
      const [one, another] = [
        await createTestService(t, { database }),
        await createTestService(t, { database }),
      ];
      one.take(viewAt(sunday + 12 * hour));
      another.take(viewAt(sunday + 12 * hour + 5));
      await Promise.all([one.service.flush(), another.service.flush()]);
      for (const { clock } of [one, another]) clock.jump(24 * hour);
      one.take(viewAt(sunday + 36 * hour));
      const rows = await one.service
        .flush()
        .then(() => database.tables<VisitorTables>().selectFrom("annex_visitors").selectAll().execute());
      assert.equal(rows.length, 2);
      assert.notEqual(rows[0]!.visitor, rows[1]!.visitor);
      const { totals } = await one.summary({ from: sunday, to: sunday + 48 * hour });
      assert.deepEqual(totals.visits, { visitorDays: 2, returned: 0, sessions: 2, bounces: 1 });
    });

    it("leave nothing behind that could be recognised", async (t) => {
      const test = await createTestService(t, { engine });
      const secret = {
        ip: "203.0.113.77",
        agent: "Mozilla/5.0 (X11; Linux x86_64; rv:987.0) Secret/1 Firefox/987.0",
      };
      test.take(viewAt(test.clock.now(), { ...secret, referrer: "user:pass@www.news.example.org:8080" }));
      await test.summary();
      assert.match(await dump(test.database), /news\.example\.org/);
      assert.doesNotMatch(await dump(test.database), /203\.0\.113|987|Secret|pass|8080/);
      assert.equal((await readSalts(test.database)).length, 1);
      test.clock.jump(13.5 * hour);
      await closeDays(test);
      assert.deepEqual(await readSalts(test.database), []);
      assert.match(await dump(test.database), /news\.example\.org/);
      assert.doesNotMatch(await dump(test.database), /203\.0\.113|987|Secret|pass|8080/);
      const rows = await test.database
        .tables<VisitorTables>()
        .selectFrom("annex_visitors")
        .selectAll()
        .execute();
      assert.deepEqual(rows, []);
    });
  });
}

/** All stored values of all tables, as text. */
async function dump(database: Database): Promise<string> {
  const names = [
    "annex_visitor_salts",
    "annex_visitors",
    "annex_visitor_views",
    "annex_visitor_days",
  ] as const;
  const rows = await Promise.all(
    names.map((name) => database.tables<VisitorTables>().selectFrom(name).selectAll().execute()),
  );
  return rows
    .flat()
    .flatMap((row): unknown[] => Object.values(row))
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value)))
    .join("\n");
}

function readSalts(database: Database) {
  return database.tables<VisitorTables>().selectFrom("annex_visitor_salts").selectAll().execute();
}

describe("the service", () => {
  it("writes received views automatically after two seconds", async (t) => {
    const { clock, database, take } = await createTestService(t);
    const count = async () =>
      (await database.tables<VisitorTables>().selectFrom("annex_visitors").selectAll().execute()).length;
    take(viewAt(clock.now()));
    await clock.elapse(1_900, 100);
    assert.equal(await count(), 0);
    await clock.elapse(100);
    await settle(50);
    assert.equal(await count(), 1);
  });

  it("writes what it has when it is closed", async (t) => {
    const { clock, database, take, service } = await createTestService(t);
    take(viewAt(clock.now()));
    await service.close();
    const rows = await database.tables<VisitorTables>().selectFrom("annex_visitors").selectAll().execute();
    assert.equal(rows.length, 1);
  });

  it("keeps views while the database cannot be written, says so, and writes them once it can", async (t) => {
    const database = await openTestDatabase(t, "sqlite", visitorMigrations);
    let isBroken = true;
    const breakable: Database = {
      ...database,
      transaction: (work) =>
        isBroken ? Promise.reject(new Error("disk is full")) : database.transaction(work),
    };
    const { clock, reports, service, take, summary } = await createTestService(t, { database: breakable });
    take(viewAt(clock.now()), viewAt(clock.now() + 1));
    await service.flush();
    take(viewAt(clock.now() + 2));
    await service.flush();
    assert.deepEqual(reports, ["disk is full", "disk is full"]);
    isBroken = false;
    await clock.elapse(2_000);
    await settle(50);
    assert.deepEqual(reports, ["disk is full", "disk is full", undefined]);
    assert.equal((await summary()).totals.views, 3);
  });

  it("counts views of the day before for ten minutes after midnight, and then throws its salt away", async (t) => {
    const { clock, database, service, take, summary } = await createTestService(t);
    const midnight = sunday + 24 * hour;
    take(viewAt(sunday + 12 * hour));
    await service.flush();
    await clock.elapse(12 * hour + 9 * 60_000, 5 * 60_000);
    take(viewAt(midnight - 1, { ip: "192.0.2.2" }), viewAt(midnight + 1));
    await service.flush();
    assert.equal((await readSalts(database)).length, 2);
    await clock.elapse(60_000);
    await settle(50);
    assert.deepEqual(
      (await readSalts(database)).map(({ day }) => day),
      [Math.floor(midnight / 86_400_000)],
    );
    take(viewAt(midnight - 1));
    const { totals, limits } = await summary({ from: sunday, to: midnight });
    assert.equal(totals.views, 2);
    assert.equal(totals.visits?.visitorDays, 2);
    assert.equal(limits.late, 1);
  });

  it("throws away the salts that a crash has left when it starts", async (t) => {
    const { database, clock, service, take } = await createTestService(t);
    take(viewAt(clock.now()));
    await service.close();
    clock.jump(48 * hour);
    await createTestService(t, { database, clock });
    await settle(50);
    assert.deepEqual(await readSalts(database), []);
  });

  it("counts live visitors", async (t) => {
    const { clock, take, summary } = await createTestService(t);
    const now = clock.now();
    take(
      viewAt(now - 6 * 60_000),
      viewAt(now - 60_000, { ip: "192.0.2.2" }),
      viewAt(now, { agent: agents.gptbot }),
    );
    assert.equal((await summary()).live, 1);
    assert.equal((await summary({ kind: "ai" })).live, 1);
    assert.equal((await summary({ kind: "bot" })).live, 0);
  });

  it("uses the referrer of the first view of the day, even if it arrives last", async (t) => {
    const { clock, service, take, summary } = await createTestService(t);
    take(viewAt(clock.now(), { path: "/second", referrer: "second.example" }));
    await service.flush();
    take(viewAt(clock.now() - 1, { path: "/first", referrer: "first.example" }));
    const { lists } = await summary();
    assert.deepEqual(lists.entryPages, [{ name: "/first", visitorDays: 1, sessions: 1, bounces: 0 }]);
    assert.equal(lists.referrers.find(({ visitorDays }) => visitorDays === 1)?.name, "first.example");
  });
});

describe("bounds", () => {
  const bounds = {
    visitors: { human: 3, bot: 1, ai: 1 },
    pages: { human: 2, bot: 1, ai: 1 },
    referrers: { human: 1, bot: 1, ai: 1 },
    details: 1_000,
    roughDetails: 1_000,
  };
  const strangers = (now: number, count: number) =>
    Array.from({ length: count }, (_, index) =>
      viewAt(now, { ip: `192.0.2.${index}`, path: `/${index}`, referrer: `r${index}.example` }),
    );

  it("limit visitors, pages and referrers, and count every view", async (t) => {
    const { clock, take, summary, database } = await createTestService(t, { bounds });
    take(...strangers(clock.now(), 10));
    const { totals, lists, limits } = await summary();
    assert.equal(totals.views, 10);
    assert.equal(totals.visits?.visitorDays, 3);
    assert.equal(lists.pages.length, 3);
    assert.equal(lists.pages.find(({ name }) => name === "(other)")?.views, 8);
    assert.deepEqual(lists.referrers.map(({ name }) => name).sort()[0], "(other)");
    assert.deepEqual([limits.uncounted, limits.otherPages, limits.otherReferrers], [7, 8, 9]);
    const rows = await database.tables<VisitorTables>().selectFrom("annex_visitors").selectAll().execute();
    assert.equal(rows.length, 3);
  });

  it("still let known visitors in when the day is full, and count what is stored after a restart", async (t) => {
    const { clock, database, service, take } = await createTestService(t, { bounds });
    const views = strangers(clock.now(), 3);
    take(...views);
    await service.close();
    const { take: takeAgain, summary } = await createTestService(t, { bounds, database, clock });
    takeAgain(
      ...views.map((view) => ({ ...view, time: view.time + 1 })),
      ...strangers(clock.now(), 5).slice(3),
    );
    const { totals, limits } = await summary();
    assert.deepEqual(totals.visits, { visitorDays: 3, returned: 0, sessions: 3, bounces: 0 });
    assert.equal(totals.views, 8);
    assert.equal(limits.uncounted, 2);
  });

  it("are separate for each kind", async (t) => {
    const { clock, take, summary } = await createTestService(t, { bounds });
    take(...strangers(clock.now(), 10).map((view) => ({ ...view, agent: agents.googlebot })));
    take(viewAt(clock.now()));
    assert.equal((await summary({ kind: "bot" })).totals.visits?.visitorDays, 1);
    const { totals, lists } = await summary();
    assert.equal(totals.visits?.visitorDays, 1);
    assert.deepEqual(lists.pages, [{ name: "/", views: 1 }]);
  });

  it("combine details before the rows of a day become too many", async (t) => {
    const { clock, take, summary, database } = await createTestService(t, {
      bounds: { ...bounds, pages: { human: 100, bot: 1, ai: 1 }, details: 4, roughDetails: 1 },
    });
    const [firefox, chrome] = [strangers(clock.now(), 10), strangers(clock.now() + 1, 10)];
    take(...firefox, ...chrome.map((view) => ({ ...view, agent: agents.chrome })));
    const { totals, limits } = await summary();
    assert.equal(totals.views, 20);
    assert.equal(limits.otherDetails, 16);
    const rows = await database
      .tables<VisitorTables>()
      .selectFrom("annex_visitor_views")
      .selectAll()
      .execute();
    assert.equal(rows.length, 6);
    assert.equal(rows.filter(({ browser }) => browser === "(other)").length, 2);
    assert.equal(rows.filter(({ page }) => page === "(other)").length, 1);
  });

  it("drop the oldest views while the database is unavailable", async (t) => {
    const database = await openTestDatabase(t, "sqlite", visitorMigrations);
    let isBroken = true;
    const breakable: Database = {
      ...database,
      transaction: (work) => (isBroken ? Promise.reject(new Error("gone")) : database.transaction(work)),
    };
    const { clock, service, caller, summary } = await createTestService(t, { database: breakable });
    const long = Array.from({ length: 5_000 }, (_, index) =>
      viewAt(clock.now(), { path: `/${"x".repeat(700)}${index}`, ip: "192.0.2.9" }),
    );
    const batches = Array.from({ length: 6 }, () => packViews(long));
    for (const batch of batches) caller.post("add", [batch]);
    await service.flush();
    isBroken = false;
    const { totals, limits } = await summary();
    assert.equal(totals.views + limits.lost, 30_000);
    assert.ok(limits.lost >= 10_000 && totals.views >= 10_000, `${limits.lost} lost`);
  });
});
