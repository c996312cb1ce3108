import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Incident } from "./incident.ts";
import { toHtml } from "./to-html.ts";
import { toNdjson } from "./to-ndjson.ts";

const from = Date.parse("2026-03-01T12:00:00Z");
const hostile = `<script>alert("1")</script> & 'quoted' \u202e`;

const stats = {
  ...{ count: 10, status_1xx: 0, status_2xx: 7, status_3xx: 0, status_4xx: 0, status_5xx: 3, aborted: 0 },
  ...{ bytes_in: 0, bytes_out: 0, total_ms: 100, p95_ms: 40 },
};

const incident: Incident = {
  from,
  to: from + 120_000,
  address: "https://shop.example/_/_?from=1&to=2",
  savedAt: from + 200_000,
  health: {
    from,
    to: from + 120_000,
    status: "degraded",
    reasons: [{ id: "1", status: "degraded", message: `POST /checkout fails ${hostile}`, since: from }],
  },
  requests: {
    ...{ from, to: from + 120_000, step_ms: 60_000, latency_step_ms: 60_000, first_point: 0 },
    totals: stats,
    points: [stats, { ...stats, p95_ms: undefined }],
  },
  routes: { from, to: from + 120_000, totals: stats, routes: [{ ...stats, route: hostile }] },
  errors: [
    {
      ...{
        fingerprint: "f",
        type: "Timeout",
        message: hostile,
        origin: "POST /checkout",
        routes: [],
        jobs: [],
      },
      ...{
        first_seen: from,
        last_seen: from,
        total: 3,
        is_new: true,
        count: 3,
        series: [3],
        has_earlier: true,
      },
      ...{ from, to: from + 60_000, step_ms: 60_000 },
      stack: "Error: x\n    at pay (/app/pay.ts:1:1)",
      causes: [{ relation: "cause", type: "Error", message: "ETIMEDOUT", stack: "Error: ETIMEDOUT" }],
      instances: [{ instance: "web-1", count: 3 }],
      samples: [{ time: from, trace_id: "AbCdEfGhIjKlMnOpQr", instance: "web-1", message: "" }],
    },
  ],
  slowest: [
    {
      instance: "web-1",
      ...{ time: from, trace_id: "t", method: "GET", path: `/${hostile}`, route: "/x", status: 200 },
      duration_ms: 900,
    },
  ],
  stalls: [
    {
      ...{ started_at: from, duration_ms: 320, instance: "web-1", is_certain: false, function: hostile },
      ...{ location: "src/pay.ts:1:1", stack: [], in_flight: [], in_flight_count: 0 },
      cause: { kind: "run", trace_id: "t", job_id: "backup", run_id: "r", started_at: from },
    },
  ],
  records: [{ time: new Date(from).toISOString(), level: "ERROR", msg: hostile, event: "x" }],
  runs: [{ id: "r", job_id: "j", job_name: hostile, status: "failed", trigger: "manual", start_time: from }],
  changes: [
    {
      ...{ id: 1, at: from + 5_000, actor: null, instance: "web-1", kind: "start", subject: "application" },
      ...{ before: null, after: { release: "1.4.2", annex: "0.1.0", pid: 1 }, detail: null },
    },
  ],
};

describe("the file of an incident", () => {
  it("is a page without scripts, in which everything is text", () => {
    const html = toHtml(incident);
    assert.doesNotMatch(html, /<script/i);
    assert.doesNotMatch(html, /\u202e/);
    assert.match(html, /default-src 'none'/);
    assert.equal(html.split("&lt;script&gt;").length - 1, 7, "as text, wherever it was");
    for (const text of [
      "Degraded",
      "release 1.4.2",
      "ETIMEDOUT",
      "AbCdEfGhIjKlMnOpQr",
      "30 % errors",
      "Probably Job backup",
    ])
      assert.ok(html.includes(text), text);
    assert.equal(html.match(/<polyline/g)?.length, 3);
    assert.equal(html.match(/<line/g)?.length, 3, "the start is marked in every chart");
  });

  it("is also one JSON object per line", () => {
    const lines = toNdjson(incident)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { kind: string; time?: number });
    assert.deepEqual(
      lines.map(({ kind }) => kind),
      [
        ...["incident", "health", "requests", "point", "point"],
        ...["route", "error", "slow-request", "stall", "record", "run", "change"],
      ],
    );
    assert.deepEqual(
      lines.filter(({ kind }) => kind === "point").map(({ time }) => time),
      [from, from + 60_000],
    );
  });
});
