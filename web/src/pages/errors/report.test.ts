import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ErrorDetail } from "../../../../src/features/metrics/wire.ts";
import { toMarkdown } from "./report.ts";

const at = Date.parse("2026-03-01T12:00:00Z");

const error: ErrorDetail = {
  ...{ fingerprint: "f", type: "Timeout", message: "too late", origin: "GET /", routes: ["GET /"], jobs: [] },
  ...{ first_seen: at, last_seen: at, total: 3, is_new: false, count: 3, series: [3], has_earlier: true },
  ...{ from: at, to: at + 60_000, step_ms: 60_000, stack: "Timeout: too late", causes: [], samples: [] },
  instances: [
    { instance: "web-1", count: 2 },
    { instance: "web-2", count: 1 },
  ],
};

describe("the report of an error", () => {
  it("names the instances if there are several", () => {
    assert.match(toMarkdown(error, "/"), /^- Instances: `web-1` ×2, `web-2` ×1$/m);
  });

  it("does without them if an older version responds", () => {
    const { instances, ...old } = error;
    assert.doesNotMatch(toMarkdown(old as ErrorDetail, "/"), /Instances/);
  });
});
