import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { agents, createTestService, hour, sunday, type TestService, viewAt } from "../testing/views.ts";

const minute = 60_000;

/** Three days of a small site. The clock is at noon on Sunday, and the previous days are closed. */
async function createSite(t: Parameters<typeof createTestService>[0]): Promise<TestService> {
  const test = await createTestService(t);
  const { clock, service, take, tidy } = test;
  const friday = sunday - 48 * hour;
  clock.jump(-48 * hour);
  take(
    viewAt(friday + 9 * hour, { path: "/", referrer: "search.example", agent: agents.chrome }),
    viewAt(friday + 9 * hour + minute, { path: "/prices", agent: agents.chrome }),
  );
  await service.flush();
  clock.jump(24 * hour);
  take(
    viewAt(friday + 33 * hour, { path: "/" }),
    viewAt(friday + 35 * hour, { path: "/prices" }),
    viewAt(friday + 35 * hour, { path: "/", agent: agents.iphone, referrer: "www.Search.example:443" }),
  );
  await service.flush();
  clock.jump(24 * hour);
  while ((await tidy()).did !== "nothing");
  take(
    viewAt(sunday + 10 * hour, { path: "/prices" }),
    viewAt(sunday + 11 * hour, { path: "/", agent: agents.googlebot }),
  );
  return test;
}

describe("a summary", () => {
  it("adds up the visitors of each day", async (t) => {
    const { summary } = await createSite(t);
    const { totals, series, grain } = await summary({ from: sunday - 96 * hour, to: sunday + 24 * hour });
    assert.equal(grain, "day");
    assert.deepEqual(totals, {
      views: 6,
      visits: { visitorDays: 4, returned: 1, sessions: 5, bounces: 4 },
    });
    assert.deepEqual(
      series.map(({ views, visitors }) => [views, visitors]),
      [
        [0, 0],
        [0, 0],
        [2, 1],
        [3, 2],
        [1, 1],
      ],
    );
  });

  it("compares with the window before", async (t) => {
    const { summary } = await createSite(t);
    const { totals, previous } = await summary({ from: sunday - 24 * hour, to: sunday });
    assert.equal(totals.views, 3);
    assert.deepEqual(previous, {
      views: 2,
      visits: { visitorDays: 1, returned: 0, sessions: 1, bounces: 0 },
    });
  });

  it("counts visitors and their views in the hours of the period", async (t) => {
    const { summary } = await createSite(t);
    const window = { from: sunday - 14 * hour - 30 * minute, to: sunday - 13 * hour - 30 * minute };
    const { totals, from, to } = await summary(window);
    // 9:30 to 10:30, in whole hours 9 to 11: one of the two visitors of the day, who also came at 11.
    assert.deepEqual([from, to], [sunday - 15 * hour, sunday - 13 * hour]);
    assert.equal(totals.views, 1);
    assert.equal(totals.visits?.visitorDays, 1);
  });

  it("has a point for every hour up to three days, and one for every day beyond, or when it is asked to", async (t) => {
    const { summary } = await createSite(t);
    const threeDays = { from: sunday - 60 * hour, to: sunday + 12 * hour };
    const { series, grain } = await summary(threeDays);
    assert.equal(grain, "hour");
    assert.equal(series.length, 72);
    assert.deepEqual(
      series
        .filter(({ views }) => views > 0)
        .map(({ time, views, visitors }) => [(time - sunday) / hour, views, visitors]),
      [
        [-39, 2, 1],
        [-15, 1, 1],
        [-13, 2, 2],
        [10, 1, 1],
      ],
    );
    assert.equal((await summary({ ...threeDays, byDay: true })).series.length, 4);
    assert.equal((await summary({ ...threeDays, from: threeDays.from - hour })).grain, "day");
  });

  const all = { from: sunday - 48 * hour, to: sunday + 24 * hour };
  for (const [filters, views, visitorDays] of [
    [{ browser: "Chrome" }, 2, 1],
    [{ os: "iOS" }, 1, 1],
    [{ device: "desktop" }, 5, 3],
    [{ referrer: "search.example" }, 3, 2],
    [{ referrer: "(direct)" }, 3, 2],
    [{ referrer: "search.example", browser: "Safari" }, 1, 1],
    [{ browser: "Lynx" }, 0, 0],
    [{ browser: "/" }, 0, 0],
  ] as const) {
    it(`filters by ${JSON.stringify(filters)}`, async (t) => {
      const { totals, lists } = await (await createSite(t)).summary({ ...all, filters });
      assert.equal(totals.views, views);
      assert.equal(totals.visits?.visitorDays, visitorDays);
      assert.equal(
        lists.pages.reduce((sum, page) => sum + page.views!, 0),
        views,
      );
    });
  }

  it("has only views for a page", async (t) => {
    const { totals, previous, lists, series } = await (await createSite(t)).summary({
      ...all,
      filters: { page: "/prices" },
    });
    assert.deepEqual(totals, { views: 3 });
    assert.deepEqual(Object.keys(previous), ["views"]);
    assert.deepEqual(lists.pages, [{ name: "/prices", views: 3 }]);
    assert.deepEqual(lists.browsers, [
      { name: "Firefox", views: 2 },
      { name: "Chrome", views: 1 },
    ]);
    assert.equal("visitors" in series[0]!, false);
  });

  it("lists what visitors came with, the most frequent first", async (t) => {
    const { lists } = await (await createSite(t)).summary({ ...all, top: 2 });
    assert.deepEqual(lists, {
      pages: [
        { name: "/", views: 3 },
        { name: "/prices", views: 3 },
      ],
      entryPages: [
        { name: "/", visitorDays: 3, sessions: 4, bounces: 3 },
        { name: "/prices", visitorDays: 1, sessions: 1, bounces: 1 },
      ],
      referrers: [
        { name: "(direct)", visitorDays: 2, views: 3 },
        { name: "search.example", visitorDays: 2, views: 3 },
      ],
      browsers: [
        { name: "Firefox", visitorDays: 2, views: 3 },
        { name: "Chrome", visitorDays: 1, views: 2 },
      ],
      operatingSystems: [
        { name: "Linux", visitorDays: 2, views: 3 },
        { name: "Windows", visitorDays: 1, views: 2 },
      ],
      devices: [
        { name: "desktop", visitorDays: 3, views: 5 },
        { name: "mobile", visitorDays: 1, views: 1 },
      ],
    });
  });

  it("distinguishes people, bots and AI crawlers, regardless of the query", async (t) => {
    const { kinds } = await (await createSite(t)).summary({ ...all, filters: { browser: "Chrome" } });
    assert.deepEqual(kinds, [
      { kind: "human", views: 6, visitorDays: 4 },
      { kind: "bot", views: 1, visitorDays: 1 },
      { kind: "ai", views: 0, visitorDays: 0 },
    ]);
  });

  it("names bots, which have no operating system and no device", async (t) => {
    const { lists } = await (await createSite(t)).summary({ ...all, kind: "bot" });
    assert.deepEqual(lists.browsers, [{ name: "Googlebot", visitorDays: 1, views: 1 }]);
    assert.deepEqual([lists.operatingSystems, lists.devices], [[], []]);
  });

  it("accepts any period, even one without data", async (t) => {
    const { summary } = await createSite(t);
    const { from, to, series } = await summary({ from: 0, to: 8_640_000_000_000_000 });
    assert.equal(from, sunday - 365 * 24 * hour);
    assert.equal(to, sunday + 13 * hour);
    assert.equal(series.length, 366);
    for (const window of [
      { from: 0, to: 5 },
      { from: sunday + 9_999 * hour, to: sunday + 10_000 * hour },
    ]) {
      const empty = await summary(window);
      assert.deepEqual(empty.series, []);
      assert.equal(empty.totals.views + empty.previous.views, 0);
    }
  });
});
