import assert from "node:assert/strict";
import { describe, it } from "node:test";
import parseText from "parse-prometheus-text-format";
import { type Exposed, renderMetrics } from "./prometheus.ts";
import { RequestCollector } from "./requests/collector.ts";
import { finishedRequest, routeNamed } from "./testing/traffic.ts";

function exposed(changes: Partial<Exposed> = {}): Exposed {
  const collector = new RequestCollector();
  const route = routeNamed(1, "/things/{id}");
  for (const durationMs of [0.1, 0.6, 3, 40, 90_000]) collector.add(finishedRequest({ route, durationMs }));
  collector.add(finishedRequest({ statusCode: 404, durationMs: 1 }));
  collector.turn();
  return {
    routes: collector.routes,
    system: {
      "cpu.ratio": 0.25,
      "cpu.core.0.ratio": 0.5,
      "cpu.core.1.ratio": 0,
      'network.we"ird\\if.in_bytes_per_second': 12,
      "network.in_bytes_per_second": 12,
      "process.heap_space.old_space.used_bytes": 1_000_000,
    },
    errors: 3,
    counters: [
      {
        name: "access_events",
        help: "Access events by kind.",
        label: "kind",
        values: { "sign-in": 0, "sign-out": 7 },
      },
    ],
    outcomes: new Map([['back"up\n', new Map([["success", 2]])]]),
    cost: { collecting_ms: 12, dropped: { log_records: 4 } },
    description: {
      platform: "linux",
      nodeVersion: "24.0.0",
      annexVersion: "1.2.3",
    } as Exposed["description"],
    isOpenMetrics: false,
    ...changes,
  };
}

const families = () => new Map(parseText(renderMetrics(exposed())).map((family) => [family.name, family]));

describe("the exposition", () => {
  it("is accepted by a parser, with a type and a help text for every metric", () => {
    const all = [...families().values()];
    assert.ok(all.length > 10);
    for (const { name, type, help, metrics } of all) {
      assert.match(name, /^annex_[a-z0-9_]+$/);
      assert.ok(["COUNTER", "GAUGE", "HISTOGRAM"].includes(type), `${name} ${type}`);
      assert.ok(help.length > 10 && metrics.length > 0, name);
    }
  });

  it("counts requests by method, route and class", () => {
    assert.deepEqual(families().get("annex_http_requests_total")!.metrics, [
      { labels: { method: "", route: "(no route)", status: "4xx" }, value: "1" },
      { labels: { method: "GET", route: "/things/{id}", status: "2xx" }, value: "5" },
    ]);
  });

  it("has the counters of other features, including zeros", () => {
    assert.deepEqual(families().get("annex_access_events_total")!.metrics, [
      { labels: { kind: "sign-in" }, value: "0" },
      { labels: { kind: "sign-out" }, value: "7" },
    ]);
  });

  it("has histograms whose buckets grow and end with all", () => {
    const text = renderMetrics(exposed());
    const sampleOf = (suffix: string, le = "") => {
      const labels = `{method="GET",route="/things/{id}"${le && `,le="${le}"`}} `;
      const line = text.split("\n").find((each) => each.startsWith(`${family}${suffix}${labels}`));
      return Number(line!.split("} ")[1]);
    };
    const family = "annex_http_request_duration_seconds";
    assert.equal(sampleOf("_count"), 5);
    assert.ok(Math.abs(sampleOf("_sum") - 90.0437) < 1e-6);
    const reported = ["0.000512", "0.001024", "0.004096", "0.065536", "33.554432", "+Inf"];
    assert.deepEqual(
      reported.map((le) => sampleOf("_bucket", le)),
      [1, 2, 3, 4, 4, 5],
    );
    const bounds = [...text.matchAll(/route="\/things\/\{id\}",le="([^"]+)"/g)].map(([, le]) => le!);
    const values = bounds.map((le) => sampleOf("_bucket", le));
    assert.equal(bounds.at(-1), "+Inf");
    assert.deepEqual(
      values,
      values.toSorted((one, other) => one - other),
    );
  });

  it("converts object names within metric names to labels", () => {
    const found = families();
    assert.deepEqual(
      found.get("annex_cpu_core_ratio")!.metrics.map(({ labels }) => labels),
      [{ core: "0" }, { core: "1" }],
    );
    assert.deepEqual(found.get("annex_network_interface_in_bytes_per_second")!.metrics[0]!.labels, {
      interface: 'we"ird\\if',
    });
    assert.deepEqual(found.get("annex_cron_runs_total")!.metrics[0]!.labels, {
      job: 'back"up\n',
      status: "success",
    });
  });

  it("follows OpenMetrics on request", () => {
    const text = renderMetrics(exposed({ isOpenMetrics: true }));
    assert.ok(text.endsWith("\n# EOF\n"));
    assert.match(text, /^# TYPE annex_http_requests counter$/m);
    assert.match(text, /^annex_http_requests_total\{/m);
    assert.equal(text.includes("\n\n"), false);
    const titles = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    assert.equal(new Set(titles).size, titles.length, "each family once");
  });
});
