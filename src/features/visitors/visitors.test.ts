import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createEvents } from "../../feature/index.ts";
import type { InjectRequest } from "../../http/index.ts";
import { createListener } from "../../http/testing/listener.ts";
import { Wire } from "../../http/testing/wire.ts";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import { createTestOptions } from "../../lib/testing/options.ts";
import { createLocalCaller } from "../../lib/worker/testing/local-caller.ts";
import { createBackground } from "../../storage/index.ts";
import { createTemporaryFolder } from "../../storage/testing/temporary-folder.ts";
import { readViews } from "./collect/view-codec.ts";
import type { PageView, TidyStep, VisitorCalls } from "./messages.ts";
import { visitorsOptions } from "./options.ts";
import { agents, sunday, wholeDay } from "./testing/views.ts";
import { createVisitors, type VisitorsOptions, visitorsService } from "./visitors.ts";

/** A visitors feature whose background only records messages. */
function createParts(given: Partial<VisitorsOptions> = {}) {
  const clock = new FakeClock(sunday);
  const batches: PageView[][] = [];
  const steps: TidyStep[] = [];
  let transferred: readonly ArrayBuffer[] = [];
  const service = createLocalCaller<VisitorCalls>(
    {
      add(batch) {
        assert.deepEqual(transferred, [batch.bytes]);
        const views = [...readViews(batch.bytes)].map(({ view }) => view);
        assert.equal(views.length, batch.count);
        batches.push(views);
      },
      tidy: () => steps.shift() ?? { did: "nothing" },
    },
    {
      onSend(_message, transfer = []) {
        transferred = transfer;
      },
    },
  );
  const options = createTestOptions(visitorsOptions, given);
  const visitors = createVisitors({ service, clock, options });
  return { visitors, options, clock, batches, steps };
}

async function createSite(t: TestContext, options: Partial<VisitorsOptions> = {}, trusted: string[] = []) {
  const parts = createParts(options);
  const register: Parameters<typeof createListener>[1] = (router, { observer, routes }) => {
    parts.visitors.observe(createEvents(observer));
    router.get("/page", (e) => e.html(200, "<p>Hello"));
    router.get("/pages/{rest...}", (e) => e.html(200, "<p>Hello"));
    router.get("/gone", (e) => e.html(404, "<p>Gone"));
    router.get("/moved", (e) => e.redirect(302, "/page"));
    router.get("/none", (e) => e.noContent());
    router.get("/unchanged", (e) => {
      e.response.writeHead(304).end();
    });
    router.get("/data", (e) => e.json(200, {}));
    router.get("/style.css", (e) => e.bytes(200, "text/css", Buffer.from("")));
    router.get("/streamed", (e) => {
      e.response.setHeader("content-type", "Text/HTML; charset=utf-8");
      e.response.end("<p>Hello");
    });
    router.post("/page", (e) => e.html(200, "<p>Hello"));
    routes.router("Annex").get("/ours", (e) => e.html(200, "<p>Ours"));
  };
  const site = await createListener(t, register, { trusted });
  const views = () => {
    parts.clock.advance(1_000);
    return parts.batches.flat();
  };
  const count = async (request: InjectRequest) => {
    await site.inject(request);
    return views().length;
  };
  return { ...parts, ...site, views, count };
}

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8", "user-agent": agents.firefox };
const navigation = { ...browser, "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" };

describe("a page view", () => {
  for (const [what, request] of [
    ["a page that a browser was sent to", { url: "/page", headers: navigation }],
    ["a page that an older browser wants", { url: "/page", headers: browser }],
    ["a page that a crawler wants", { url: "/page", headers: { accept: "*/*" } }],
    ["a page without headers", { url: "/page" }],
    ["a page written by hand", { url: "/streamed", headers: navigation }],
    ["a page that has not changed", { url: "/unchanged", headers: navigation }],
    ["a page that has not changed, to an older browser", { url: "/unchanged", headers: browser }],
  ] as const) {
    it(`is ${what}`, async (t) => assert.equal(await (await createSite(t)).count(request), 1));
  }

  for (const [what, request] of [
    ["data", { url: "/data", headers: browser }],
    ["a style sheet", { url: "/style.css", headers: browser }],
    ["a page that is not there", { url: "/gone", headers: navigation }],
    ["no route at all", { url: "/nothing", headers: navigation }],
    ["a redirection", { url: "/moved", headers: navigation }],
    ["an empty response", { url: "/none", headers: navigation }],
    ["a page of Annex", { url: "/ours", headers: navigation }],
    ["a form that was sent", { method: "POST", url: "/page", headers: navigation }],
    ["the head of a page", { method: "HEAD", url: "/page", headers: navigation }],
    ["data that has not changed", { url: "/unchanged", headers: { accept: "*/*" } }],
    ["a frame", { url: "/page", headers: { ...navigation, "sec-fetch-dest": "iframe" } }],
    [
      "a piece of a page",
      { url: "/page", headers: { ...browser, "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" } },
    ],
    [
      "a piece of a page, for an older browser",
      { url: "/page", headers: { accept: "*/*", "x-requested-with": "XMLHttpRequest" } },
    ],
    ["a page as data", { url: "/page", headers: { accept: "application/json" } }],
    [
      "a page fetched ahead",
      { url: "/page", headers: { ...navigation, "sec-purpose": "prefetch;prerender" } },
    ],
    [
      "a page fetched ahead by an older browser",
      { url: "/page", headers: { ...navigation, purpose: "prefetch" } },
    ],
  ] as const) {
    it(`is not ${what}`, async (t) => assert.equal(await (await createSite(t)).count(request), 0));
  }

  for (const header of ["dnt", "sec-gpc"]) {
    it(`is not what comes with ${header}, if the option says so`, async (t) => {
      const request = (value: string) => ({ url: "/page", headers: { ...navigation, [header]: value } });
      const { count } = await createSite(t, { honourDoNotTrack: true });
      assert.equal(await count(request("1")), 0);
      assert.equal(await count(request("0")), 1);
      assert.equal(await (await createSite(t)).count(request("1")), 1);
    });
  }

  it("is counted for included paths of any type, but not for excluded ones", async (t) => {
    const { inject, views } = await createSite(t, {
      honourDoNotTrack: true,
      include: ["/da*"],
      exclude: ["/pages/private/*", "*zz"],
    });
    for (const url of ["/data", "/style.css", "/pages/private/1", "/pages/fizz", "/pages/private"]) {
      await inject({ url, headers: { accept: "*/*" } });
    }
    await inject({ url: "/data", headers: { "sec-purpose": "prefetch" } });
    await inject({ url: "/data", headers: { dnt: "1" } });
    assert.deepEqual(
      views().map(({ path }) => path),
      ["/data", "/pages/private"],
    );
  });

  it("is not counted if counting is disabled", async (t) => {
    const { count, visitors } = await createSite(t, { enabled: false });
    assert.equal(await count({ url: "/page", headers: navigation }), 0);
    assert.deepEqual(visitors.status(), { enabled: false, dropped: 0, waiting: 0 });
  });

  it("follows later configuration changes", async (t) => {
    const { inject, views, options } = await createSite(t, { enabled: false, exclude: ["/pages/*"] });
    const look = async () => {
      await inject({ url: "/page", headers: { ...navigation, dnt: "1" } });
      await inject({ url: "/pages/one", headers: navigation });
      return views().map(({ path }) => path);
    };
    assert.deepEqual(await look(), []);
    options.change("enabled", true);
    assert.deepEqual(await look(), ["/page"]);
    options.change("honourDoNotTrack", true);
    assert.deepEqual(await look(), ["/page"]);
    options.change("exclude", []);
    assert.deepEqual(await look(), ["/page", "/pages/one"]);
    options.change("enabled", false);
    assert.deepEqual(await look(), ["/page", "/pages/one"]);
  });

  it("contains only the necessary parts of the request", async (t) => {
    const { inject, views, clock } = await createSite(t);
    await inject({
      url: "/pages/a%20b?token=secret",
      headers: {
        ...navigation,
        host: "shop.example.com",
        referer: "https://me:pass@news.example:8080/x?y#z",
      },
      remoteAddress: "203.0.113.9",
    });
    assert.deepEqual(views(), [
      {
        time: clock.now() - 1_000,
        path: "/pages/a%20b",
        referrer: "me:pass@news.example:8080",
        host: "shop.example.com",
        ip: "203.0.113.9",
        agent: agents.firefox,
      },
    ]);
  });

  for (const [peer, trusted, host] of [
    ["any client", [], "shop.example.com"],
    ["a trusted proxy", ["203.0.113.9"], "forwarded.example"],
  ] as const) {
    it(`counts for ${host} when ${peer} forwards another host`, async (t) => {
      const { inject, views } = await createSite(t, {}, [...trusted]);
      const headers = {
        ...navigation,
        host: "shop.example.com",
        "x-forwarded-host": "forwarded.example, inner.example",
      };
      await inject({ url: "/page", headers, remoteAddress: "203.0.113.9" });
      assert.equal(views()[0]!.host, host);
    });
  }

  it("is truncated if a client sends too much, and unchanged if it is not text", async (t) => {
    const { listen, views } = await createSite(t);
    const wire = await Wire.connect(t, await listen());
    const long = "x".repeat(3_500);
    wire.send(
      Buffer.from(
        [
          `GET /pages/${long} HTTP/1.1`,
          `Host: ${long}`,
          `User-Agent: \xff\xfe<script>${long}`,
          `Referer: https://${long}`,
          "\r\n",
        ].join("\r\n"),
        "latin1",
      ),
    );
    await wire.response();
    const [view] = views();
    assert.deepEqual(
      [view!.path.length, view!.host.length, view!.agent.length, view!.referrer.length],
      [800, 300, 512, 300],
    );
    assert.ok(view!.agent.startsWith("\xff\xfe<script>xx"));
  });
});

describe("visitors", () => {
  it("are sent together, a second after the first", async (t) => {
    const { inject, clock, batches, visitors } = await createSite(t);
    await inject("/page");
    clock.advance(600);
    await inject("/page");
    assert.equal(visitors.status().waiting, 2);
    clock.advance(399);
    assert.equal(batches.length, 0);
    clock.advance(1);
    assert.deepEqual(
      batches.map((batch) => batch.length),
      [2],
    );
    await inject("/page");
    clock.advance(1_000);
    assert.equal(batches.length, 2);
    clock.advance(10_000);
    assert.equal(batches.length, 2);
  });

  it("are sent on close, and not counted afterwards", async (t) => {
    const { inject, clock, batches, visitors } = await createSite(t);
    await inject("/page");
    visitors.close();
    await inject("/page");
    clock.advance(5_000);
    assert.deepEqual(
      batches.map((batch) => batch.length),
      [1],
    );
    assert.equal(visitors.status().dropped, 1);
  });

  it("are maintained by a job that runs until nothing is left to do", async () => {
    const { visitors, steps } = createParts();
    steps.push(
      { did: "closed", day: "2026-11-14" },
      { did: "deleted", rows: 2_000 },
      { did: "deleted", rows: 1 },
    );
    const said: string[] = [];
    const log = { info: (text: string) => said.push(text), complete: (text: string) => said.push(text) };
    const [job] = visitors.jobs;
    await job!.run({ ...log, signal: new AbortController().signal });
    assert.deepEqual(said, ["Closed 2026-11-14", "Deleted 2001 rows"]);
    assert.deepEqual(steps, []);
    await assert.rejects(job!.run({ ...log, signal: AbortSignal.abort(new Error("stopped")) }), /stopped/);
  });

  it("are counted by the thread that loads the service", { timeout: 180_000 }, async (t) => {
    const background = createBackground({
      database: { dataDir: createTemporaryFolder() },
      services: { visitors: visitorsService },
    });
    const clock = new FakeClock(Date.now());
    const service = background.service("visitors");
    const visitors = createVisitors({ service, clock, options: createTestOptions(visitorsOptions) });
    const { inject } = await createListener(t, (router, { observer }) => {
      visitors.observe(createEvents(observer));
      router.get("/page", (e) => e.html(200, "<p>Hello"));
    });
    await inject({ url: "/page", headers: navigation });
    await inject({ url: "/page", headers: { ...navigation, "user-agent": agents.gptbot } });
    clock.advance(1_000);
    const summary = await service.call("summarize", wholeDay(clock.now()));
    assert.equal(summary.totals.visits?.visitorDays, 1);
    assert.deepEqual(summary.lists.pages, [{ name: "/page", views: 1 }]);
    assert.deepEqual(
      summary.kinds.map(({ views }) => views),
      [1, 0, 1],
    );
    assert.deepEqual(await service.call("tidy"), { did: "nothing" });
    visitors.close();
    // The thread alone would not keep the process alive until it has ended.
    const alive = setInterval(() => {}, 1_000);
    await background.close();
    clearInterval(alive);
  });
});

describe("a flood of views", () => {
  it("is dropped above the limit per second, and counted as dropped", async () => {
    const { visitors, clock, batches } = createParts();
    let report: (request: never) => void = () => {};
    visitors.observe({ on: (_, listener) => (report = listener as typeof report) });
    const request = {
      method: "GET",
      statusCode: 200,
      route: undefined,
      path: "/page",
      contentType: "text/html",
      client: { ip: "192.0.2.1", userAgent: "x".repeat(8_192) },
      host: "127.0.0.1",
      requestHeader: () => undefined,
    };
    for (let index = 0; index < 12_000; index++) report(request as never);
    const { dropped, waiting } = visitors.status();
    assert.equal(dropped + waiting, 12_000);
    assert.ok(waiting > 2_000 && waiting <= 10_000, `${waiting} waiting`);
    clock.advance(1_000);
    assert.equal(batches[0]!.length, waiting);
    for (let index = 0; index < 20_000; index++) {
      report({ ...request, client: { ip: "192.0.2.1", userAgent: "x" } } as never);
    }
    assert.equal(visitors.status().waiting, 10_000);
  });
});
