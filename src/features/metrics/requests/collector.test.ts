import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Client } from "../../../http/index.ts";
import { defaultRedactor } from "../../../lib/redaction/redactor.ts";
import { VarintReader } from "../../../lib/varints.ts";
import { finishedRequest, routeNamed } from "../testing/traffic.ts";
import { type Interval, RequestCollector } from "./collector.ts";
import { createRecentFilter, type RecentFilter } from "./recent-filter.ts";
import { RecentRequests } from "./recent-requests.ts";
import { RequestStats } from "./request-stats.ts";

function readInterval({ routes, requests }: Interval): Map<string, RequestStats> {
  const reader = new VarintReader(requests);
  return new Map(
    routes.map((route) => {
      const stats = new RequestStats();
      stats.read(reader);
      return [route, stats];
    }),
  );
}

describe("the collector", () => {
  it("counts by method and pattern, with HEAD separate from GET", () => {
    const collector = new RequestCollector();
    const todo = routeNamed(1, "/todos/{id}");
    collector.add(finishedRequest({ route: todo, path: "/todos/1" }));
    collector.add(finishedRequest({ route: todo, path: "/todos/2", statusCode: 404 }));
    collector.add(finishedRequest({ route: todo, method: "HEAD" }));
    collector.add(finishedRequest({ route: routeNamed(2, "/todos", "POST"), statusCode: 201 }));
    const interval = collector.turn();
    const counts = [...readInterval(interval)].map(([route, { count }]) => [route, count]);
    assert.deepEqual(counts, [
      ["GET /todos/{id}", 2],
      ["HEAD /todos/{id}", 1],
      ["POST /todos", 1],
    ]);
    assert.equal(interval.totals.count, 4);
  });

  it("counts statuses by class, and invalid ones as failures", () => {
    const collector = new RequestCollector();
    for (const statusCode of [101, 200, 204, 304, 404, 499, 500, 0, 999]) {
      collector.add(finishedRequest({ statusCode, aborted: statusCode === 499 }));
    }
    const { totals } = collector.turn();
    assert.deepEqual([...totals.classes], [0, 1, 2, 1, 2, 3]);
    assert.equal(totals.aborted, 1);
  });

  it("counts all requests without a matching route together", () => {
    const collector = new RequestCollector();
    for (let index = 0; index < 1_000; index++) {
      collector.add(finishedRequest({ path: `/wp-admin/${index}`, statusCode: 404 }));
    }
    assert.deepEqual(collector.turn().routes, ["(no route)"]);
    assert.equal(collector.routes.length, 1);
  });

  it("counts routes beyond 4,000 together, and reports their number", () => {
    const collector = new RequestCollector();
    for (let index = 1; index <= 4_100; index++) collector.add(finishedRequest({ route: routeNamed(index) }));
    const found = readInterval(collector.turn());
    assert.equal(found.get("(other routes)")!.count, 101);
    assert.equal(collector.overflowed, 101);
    assert.equal(found.size, 4_000);
  });

  it("resets after each turn, and retains the totals", () => {
    const collector = new RequestCollector();
    const route = routeNamed(1);
    collector.add(finishedRequest({ route, bytesSent: 7, contentLength: 3 }));
    collector.turn();
    collector.add(finishedRequest({ route, bytesSent: 5 }));
    const found = readInterval(collector.turn()).get("GET /things/1")!;
    assert.deepEqual([found.count, found.bytesOut], [1, 5]);
    assert.deepEqual(collector.turn().routes, []);
    const { sofar } = collector.routes.find(({ name }) => name === "GET /things/1")!;
    assert.deepEqual([sofar.count, sofar.bytesOut, sofar.bytesIn], [2, 12, 3]);
  });

  it("ignores an impossible content length", () => {
    const collector = new RequestCollector();
    for (const contentLength of [Number.NaN, -5, 1e300, Number.POSITIVE_INFINITY, 4]) {
      collector.add(finishedRequest({ contentLength }));
    }
    assert.equal(collector.turn().totals.bytesIn, 4);
  });

  it("keeps the slowest few of each interval", () => {
    const collector = new RequestCollector();
    for (const durationMs of [3, 9, 1, 7, 2, 8, 5, 6, 4, 12, 11, 10]) {
      collector.add(
        finishedRequest({ durationMs, route: routeNamed(durationMs), path: `/${"x".repeat(10_000)}` }),
      );
    }
    const { slowest } = collector.turn();
    assert.deepEqual(
      slowest.map(({ durationMs }) => durationMs),
      [12, 11, 10, 9, 8, 7, 6, 5, 4, 3],
    );
    assert.ok(slowest.every(({ path }) => path.length <= 257));
    assert.deepEqual(collector.turn().slowest, []);
  });

  it("describes only requests that are listed, even if there is one route", () => {
    let described = 0;
    const path = (text: string) => {
      described++;
      return text;
    };
    const collector = new RequestCollector({ ...defaultRedactor, path });
    for (let durationMs = 50; durationMs > 0; durationMs--)
      collector.add(finishedRequest({ durationMs, route: routeNamed(1, "/only") }));
    assert.equal(collector.turn().slowest.length, 3);
    assert.equal(described, 3);
  });

  it("keeps at most three slow requests of a route", () => {
    const collector = new RequestCollector();
    for (const durationMs of [5, 9, 7, 8, 6])
      collector.add(finishedRequest({ durationMs, route: routeNamed(1, "/slow") }));
    collector.add(finishedRequest({ durationMs: 1, route: routeNamed(2, "/fast") }));
    assert.deepEqual(
      collector.turn().slowest.map(({ route, durationMs }) => [route, durationMs]),
      [
        ["/slow", 9],
        ["/slow", 8],
        ["/slow", 7],
        ["/fast", 1],
      ],
    );
  });
});

describe("the recent requests", () => {
  it("are the last ones, the newest first", () => {
    const recent = new RecentRequests(3);
    for (let index = 1; index <= 5; index++) recent.add(finishedRequest({ path: `/${index}` }));
    const paths = (options: { limit: number; after?: number }) =>
      recent.list(options).map(({ path, number }) => [path, number]);
    assert.deepEqual(paths({ limit: 10 }), [
      ["/5", 5],
      ["/4", 4],
      ["/3", 3],
    ]);
    assert.deepEqual(paths({ limit: 1 }), [["/5", 5]]);
    assert.deepEqual(paths({ limit: 10, after: 4 }), [["/5", 5]]);
    assert.deepEqual(paths({ limit: 10, after: 5 }), []);
  });

  it("are limited under heavy load, with a separate limit for failed requests", () => {
    const recent = new RecentRequests();
    for (let index = 0; index < 1_000; index++) recent.add(finishedRequest({ statusCode: 200 }));
    for (let index = 0; index < 1_000; index++) recent.add(finishedRequest({ statusCode: 500 }));
    const counts = () => Map.groupBy(recent.list({ limit: 1_000 }), ({ statusCode }) => statusCode);
    assert.deepEqual([counts().get(200)!.length, counts().get(500)!.length], [200, 200]);
    recent.turn();
    recent.add(finishedRequest({ statusCode: 201 }));
    assert.equal(counts().get(201)!.length, 1);
  });

  it("truncate client text, before and after the end of a second", () => {
    const recent = new RecentRequests(1);
    const client = new Client("203.0.113.9", "a".repeat(8_000));
    recent.add(finishedRequest({ path: `/${"p".repeat(8_000)}\ud800`, client }));
    for (let round = 0; round < 2; round++, recent.turn()) {
      const [found] = recent.list({ limit: 1 });
      assert.deepEqual([found!.path.length, found!.userAgent.length, found!.ip], [513, 513, client.ip]);
    }
    assert.equal(client.userAgent.length, 8_000, "the client of the connection stays as it was");
  });

  const traceId = "aaaaaaaaaaaaaaaaa1";
  const others: Parameters<typeof finishedRequest>[0][] = [
    { route: routeNamed(1, "/todos/{id}"), path: "/todos/1", durationMs: 5 },
    { route: routeNamed(2, "/todos", "POST"), path: "/todos", statusCode: 422, durationMs: 250.5 },
    { path: "/wp-admin/x.php", statusCode: 404, durationMs: 1, traceId },
    { route: routeNamed(3, "/slow"), path: "/slow", statusCode: 503, durationMs: 2_000 },
  ];
  const filters: [filter: RecentFilter, paths: string[]][] = [
    [{}, ["/slow", "/wp-admin/x.php", "/todos", "/todos/1"]],
    [{ status: "404" }, ["/wp-admin/x.php"]],
    [{ status: "4xx" }, ["/wp-admin/x.php", "/todos"]],
    [{ status: "40x" }, []],
    [{ method: "POST" }, ["/todos"]],
    [{ path: "/todos/*" }, ["/todos/1"]],
    [{ path: "*.php" }, ["/wp-admin/x.php"]],
    [{ path: "/todos/{id}" }, ["/todos/1"]],
    [{ route: "GET /todos/{id}" }, ["/todos/1"]],
    [{ route: "/todos" }, ["/todos"]],
    [{ route: "GET /todos" }, []],
    [{ route: "(no route)" }, ["/wp-admin/x.php"]],
    [{ minDurationMs: 250.5 }, ["/slow", "/todos"]],
    [{ minDurationMs: 2, maxDurationMs: 250.5 }, ["/todos", "/todos/1"]],
    [{ traceId }, ["/wp-admin/x.php"]],
    [{ status: "4xx", method: "GET" }, ["/wp-admin/x.php"]],
  ];
  for (const [filter, paths] of filters) {
    it(`can be asked for by ${JSON.stringify(filter)}`, () => {
      const recent = new RecentRequests();
      for (const request of others) recent.add(finishedRequest(request));
      const found = recent.list({ limit: 10, matches: createRecentFilter(filter) });
      assert.deepEqual(
        found.map(({ path }) => path),
        paths,
      );
    });
  }

  it("fill the limit with matching requests and return the number of the last one", () => {
    const recent = new RecentRequests();
    for (let index = 1; index <= 9; index++)
      recent.add(finishedRequest({ statusCode: index % 3 ? 200 : 500 }));
    const matches = createRecentFilter({ status: "500" });
    const numbers = recent.list({ limit: 2, matches }).map(({ number }) => number);
    assert.deepEqual([numbers, recent.newest], [[9, 6], 9]);
  });

  it("are found by their trace ID, with those under way at the same time, until they are too old", () => {
    const recent = new RecentRequests(6);
    const add = (id: string, startedAt: number, endedAt: number) =>
      recent.add(
        finishedRequest({
          traceId: id.repeat(18),
          path: `/${id}`,
          startedAt,
          durationMs: endedAt - startedAt,
          rawHeaders: ["Host", id],
        }),
      );
    add("a", 0, 10);
    add("b", 5, 25);
    add("c", 12, 18);
    add("d", 0, 40);
    add("e", 20, 30);
    add("x", 10, 20);
    const found = recent.find("x".repeat(18))!;
    assert.deepEqual([found.path, found.time - found.startedAt], ["/x", 10]);
    assert.deepEqual(found.headers, [{ name: "host", value: "x" }]);
    assert.deepEqual(
      found.inFlight.map(({ path }) => path),
      ["/d", "/b", "/c"],
      "neither who had ended nor who began when it ended",
    );
    recent.turn();
    assert.deepEqual(recent.find("x".repeat(18)), found, "the end of a second changes nothing");
    add("y", 100, 101);
    assert.equal(recent.find("a".repeat(18)), undefined);
    assert.equal(recent.find("b".repeat(18))!.number, 2);
  });

  it("list at most fifty concurrent requests", () => {
    const recent = new RecentRequests();
    for (let index = 0; index < 150; index++)
      recent.add(finishedRequest({ traceId: `${index}`.padEnd(18, "x") }));
    assert.equal(recent.find("7".padEnd(18, "x"))!.inFlight.length, 50);
  });
});
