import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createOwnedServer } from "../../auth/testing/server.ts";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import { createTestOptions } from "../../lib/testing/options.ts";
import type { PageView } from "./messages.ts";
import { visitorsOptions } from "./options.ts";
import { agents, createTestService, hour, sunday, viewAt } from "./testing/views.ts";
import { createVisitors } from "./visitors.ts";

const json = "/_/_/data/visitors";
const csv = "/_/_/data/visitors.csv";

/** A server whose statistics are computed without a thread, and a client with superuser access. */
async function createSite(t: TestContext, views: readonly PageView[] = [], enabled = true) {
  const clock = new FakeClock(sunday + 12 * hour);
  const { caller, take } = await createTestService(t, { clock });
  take(...views);
  const options = createTestOptions(visitorsOptions, { enabled });
  const visitors = createVisitors({ service: caller, clock, options });
  const { inject, token } = await createOwnedServer(t, {
    routes: ({ routes }) => visitors.mount(routes.router("Annex")),
  });
  return {
    inject,
    get: (url: string) => inject({ url, headers: { authorization: `Bearer ${token}` } }),
  };
}

const views = [
  viewAt(sunday + 9 * hour, { path: "/", referrer: "search.example" }),
  viewAt(sunday + 9 * hour + 1, { path: "/prices" }),
  viewAt(sunday + 11.99 * hour, { path: "/", agent: agents.gptbot }),
];

describe("the visitor routes", () => {
  it("are for superusers", async (t) => {
    const { inject } = await createSite(t);
    for (const url of [json, csv]) assert.equal((await inject({ url })).status, 401, url);
  });

  it("return all data for the dashboard", async (t) => {
    const { get } = await createSite(t, views);
    const response = await get(`${json}?from=2026-11-15T09:00:00Z&to=2026-11-15T11:00:00Z`);
    assert.equal(response.status, 200);
    assert.equal(response.headers["cache-control"], "no-store");
    assert.deepEqual(response.json(), {
      enabled: true,
      from: "2026-11-15T09:00:00.000Z",
      to: "2026-11-15T11:00:00.000Z",
      kind: "human",
      filters: {},
      live: 0,
      totals: {
        visitors: 1,
        visitor_days: 1,
        new: 1,
        returning: 0,
        sessions: 1,
        bounces: 0,
        views: 2,
        views_per_visitor: 2,
        bounce_rate: 0,
      },
      previous: { visitors: 0, visitor_days: 0, new: 0, returning: 0, sessions: 0, bounces: 0, views: 0 },
      series: {
        grain: "hour",
        points: [
          { time: "2026-11-15T09:00:00.000Z", views: 2, visitors: 1 },
          { time: "2026-11-15T10:00:00.000Z", views: 0, visitors: 0 },
        ],
      },
      pages: [
        { name: "/", views: 1 },
        { name: "/prices", views: 1 },
      ],
      entry_pages: [{ name: "/", visitor_days: 1, sessions: 1, bounces: 0 }],
      referrers: [{ name: "search.example", visitor_days: 1, views: 2 }],
      browsers: [{ name: "Firefox", visitor_days: 1, views: 2 }],
      operating_systems: [{ name: "Linux", visitor_days: 1, views: 2 }],
      devices: [{ name: "desktop", visitor_days: 1, views: 2 }],
      kinds: [
        { kind: "human", visitor_days: 1, views: 2 },
        { kind: "bot", visitor_days: 0, views: 0 },
        { kind: "ai", visitor_days: 0, views: 0 },
      ],
      limits: {
        dropped_views: 0,
        late_views: 0,
        lost_views: 0,
        uncounted_views: 0,
        other_pages: 0,
        other_referrers: 0,
        other_details: 0,
        unparsed_agents: 0,
      },
    });
  });

  it("return no number of people for more than one day", async (t) => {
    const { get } = await createSite(t, views);
    const { totals } = (await get(`${json}?from=2026-11-14&to=2026-11-16`)).json<{ totals: object }>();
    assert.equal("visitors" in totals, false);
    assert.equal("visitor_days" in totals, true);
  });

  it("default to the last day, and apply the kind and filters", async (t) => {
    const { get } = await createSite(t, views);
    type SentResponse = {
      from: string;
      live: number;
      filters: object;
      totals: { views: number };
      entry_pages?: object;
    };
    const ai = (await get(`${json}?kind=ai`)).json<SentResponse>();
    assert.deepEqual([ai.from, ai.live, ai.totals.views], ["2026-11-14T12:00:00.000Z", 1, 1]);
    const page = (await get(`${json}?page=%2Fprices&browser=Firefox&os=`)).json<SentResponse>();
    assert.deepEqual(page.filters, { page: "/prices", browser: "Firefox" });
    assert.deepEqual(page.totals, { views: 1 });
    assert.equal("entry_pages" in page, false);
  });

  for (const [query, field] of [
    ["from=yesterday", "from"],
    ["to=x", "to"],
    ["from=2026-11-16&to=2026-11-15", "to"],
    ["kind=alien", "kind"],
    [`page=${"x".repeat(201)}`, "page"],
    [`referrer=${"x".repeat(201)}`, "referrer"],
  ] as const) {
    it(`refuse ${query.slice(0, 40)} and name the field`, async (t) => {
      const { get } = await createSite(t);
      for (const url of [json, csv]) {
        const response = await get(`${url}?${query}`);
        assert.equal(response.status, 400);
        assert.deepEqual(Object.keys(response.json<{ data: object }>().data), [field]);
      }
    });
  }

  it("reject an unknown list", async (t) => {
    const response = await (await createSite(t)).get(`${csv}?list=names`);
    assert.equal(response.status, 400);
    assert.match(response.json<{ message: string }>().message, /list must be one of pages, entry_pages/);
  });

  for (const [list, text] of [
    ["pages", "name,views\r\n/,1\r\n/prices,1\r\n"],
    ["entry_pages", "name,visitor_days,sessions,bounces\r\n/,1,1,0\r\n"],
    ["referrers", "name,visitor_days,views\r\nsearch.example,1,2\r\n"],
    ["browsers", "name,visitor_days,views\r\nFirefox,1,2\r\n"],
    ["operating_systems", "name,visitor_days,views\r\nLinux,1,2\r\n"],
    ["devices", "name,visitor_days,views\r\ndesktop,1,2\r\n"],
    ["days", "day,visitors,views\r\n2026-11-14,0,0\r\n2026-11-15,1,2\r\n"],
  ] as const) {
    it(`give ${list} as a file`, async (t) => {
      const response = await (await createSite(t, views)).get(`${csv}?list=${list}`);
      assert.equal(response.body, text);
      assert.equal(response.headers["content-type"], "text/csv; charset=utf-8");
      assert.equal(response.headers["content-disposition"], `attachment; filename="visitors-${list}.csv"`);
    });
  }

  it("return hostile input as plain, truncated text", async (t) => {
    const hostile = [
      ["/<script>alert(1)</script>", "<b>.example", "<script>alert(2)</script>"],
      ["/%00%0d%0aSet-Cookie:%20x", "a\u0007b", "\u0001\u0002"],
      [`/${"%E6%BC%A2".repeat(80)}`, "x".repeat(300), "y".repeat(512)],
      ["/%FF%C0%80", "\u00ff\u00fe", "\u00ff\u00fe"],
      ["/=cmd|' /C calc'!A0", "=1+1", "=1+1"],
    ].map(([path, referrer, agent], index) =>
      viewAt(sunday + 11 * hour, { path: path!, referrer: referrer!, agent: agent!, ip: `192.0.2.${index}` }),
    );
    const { get } = await createSite(t, hostile);
    const all: { name: string }[] = [];
    for (const kind of ["human", "bot"]) {
      const response = await get(`${json}?kind=${kind}`);
      assert.equal(response.headers["content-type"], "application/json; charset=utf-8");
      const lists = response.json<Record<string, { name: string }[]>>();
      for (const list of ["pages", "referrers", "browsers", "operating_systems", "devices", "entry_pages"]) {
        all.push(...lists[list]!);
      }
    }
    for (const { name } of all) assert.match(name, /^[^\p{Cc}]{1,200}$/u);
    const names = new Set(all.map(({ name }) => name));
    assert.ok(names.has("/<script>alert(1)</script>"));
    assert.ok(names.has("/\ufffd\ufffd\ufffdSet-Cookie: x"));
    assert.ok(names.has("/%FF%C0%80"));
    assert.ok(names.has("x".repeat(100)));
    assert.equal(
      [...names].some((name) => name.startsWith("=") || name.includes("alert(2)")),
      false,
    );
  });

  it("return an error if statistics are disabled", async (t) => {
    const { get } = await createSite(t, [], false);
    assert.deepEqual((await get(json)).json(), { enabled: false });
    assert.equal((await get(csv)).status, 404);
  });
});
