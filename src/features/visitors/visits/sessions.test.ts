import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRandom } from "../testing/views.ts";
import { countBounces, formatSpans, mergeSpans, parseSpans, type Span, spansOf } from "./sessions.ts";

const minute = 60_000;

describe("sessions", () => {
  it("end when nothing comes for more than half an hour", () => {
    const spans = spansOf([0, 30 * minute, 60 * minute + 1]);
    assert.deepEqual(spans, [
      { start: 0, end: 30 * minute, views: 2 },
      { start: 60 * minute + 1, end: 60 * minute + 1, views: 1 },
    ]);
    assert.equal(countBounces(spans), 1);
  });

  it("are merged when a late view is between them", () => {
    const spans = mergeSpans(spansOf([0, 50 * minute]), spansOf([25 * minute]));
    assert.deepEqual(spans, [{ start: 0, end: 50 * minute, views: 3 }]);
  });

  it("are the same in whatever order views come, alone or in batches", () => {
    const random = createRandom(7);
    for (let round = 0; round < 200; round++) {
      const times = Array.from({ length: 1 + random(30) }, () => random(24 * 60 * minute));
      let merged: Span[] = [];
      const left = [...times];
      while (left.length > 0) {
        const batch = left.splice(random(left.length), 1 + random(4));
        merged = parseSpans(formatSpans(mergeSpans(merged, spansOf(batch))));
      }
      assert.deepEqual(merged, spansOf(times));
      assert.equal(
        merged.reduce((sum, { views }) => sum + views, 0),
        times.length,
      );
    }
  });

  it("are formatted compactly and parsed back", () => {
    const spans = spansOf([86_399_999, 12, 13]);
    assert.equal(formatSpans(spans), "c.1.2 1ffunz.0.1");
    assert.deepEqual(parseSpans(formatSpans(spans)), spans);
    assert.deepEqual(parseSpans(""), []);
  });
});
