import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { createRedactor } from "../../../lib/redaction/redactor.ts";
import type { FoundStall } from "./stall.ts";
import { redactStall, toStall } from "./to-stall.ts";

const request = { kind: "request", traceId: "t1", method: "GET", startedAt: 5, route: "/r/{token}" } as const;
const run = { kind: "run", traceId: "t2", jobId: "backup", runId: "r1", startedAt: 6 } as const;
const found: FoundStall = {
  startedAt: 10,
  durationMs: 300,
  blocker: {
    work: { ...request, path: "/r/secret" },
    isCertain: true,
    frames: [
      { name: "pbkdf2Sync", file: "node:internal/crypto/pbkdf2", line: 8, column: 1 },
      { file: pathToFileURL("src/report.ts").href, line: 12, column: 3 },
      { name: "Array.map", line: 1, column: 1 },
    ],
    shownFrame: 1,
  },
  inFlight: [run, { ...request, path: "/r/other" }],
  inFlightCount: 7,
};

describe("a stall in the API", () => {
  it("has its cause, its location and what else was in flight", () => {
    assert.deepEqual(JSON.parse(JSON.stringify(toStall(found, "web-1"))), {
      started_at: 10,
      duration_ms: 300,
      instance: "web-1",
      cause: {
        kind: "request",
        trace_id: "t1",
        method: "GET",
        path: "/r/secret",
        route: "/r/{token}",
        started_at: 5,
      },
      is_certain: true,
      location: "src/report.ts:12:3",
      stack: ["pbkdf2Sync (node:internal/crypto/pbkdf2:8:1)", "src/report.ts:12:3", "Array.map"],
      in_flight: [
        { kind: "run", trace_id: "t2", job_id: "backup", run_id: "r1", started_at: 6 },
        {
          kind: "request",
          trace_id: "t1",
          method: "GET",
          path: "/r/other",
          route: "/r/{token}",
          started_at: 5,
        },
      ],
      in_flight_count: 7,
    });
  });

  it("blames nothing if nothing is known", () => {
    const { blocker, ...rest } = found;
    assert.deepEqual(Object.keys(toStall(rest, "web-1")), [
      ...["started_at", "duration_ms", "instance", "stack", "in_flight", "in_flight_count"],
    ]);
  });

  it("has no secrets in paths", () => {
    const { blocker, inFlight } = redactStall(found, createRedactor([]));
    assert.doesNotMatch(JSON.stringify([blocker, inFlight]), /secret|other/);
  });
});
