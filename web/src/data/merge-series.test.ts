import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RequestSeries, SystemSeries } from "../../../src/features/metrics/wire.ts";
import { mergeRequests, mergeSystem } from "./merge-series.ts";

const series = (from: number, first_point: number, counts: readonly number[]) =>
  ({
    from,
    step_ms: 5,
    first_point,
    points: counts.map((count) => ({ count })),
  }) as unknown as RequestSeries;

const counts = (merged: RequestSeries | undefined) => merged?.points.map(({ count }) => count);

describe("the newest points of a series", () => {
  it("follow the older ones, and replace those that have changed", () => {
    const merged = mergeRequests(series(100, 0, [1, 2, 3, 4, 5]), series(110, 2, [50, 6, 7]));
    assert.deepEqual(counts(merged), [3, 4, 50, 6, 7]);
    assert.equal(merged!.first_point, 0);
  });

  it("can all be new, right after the older ones", () => {
    assert.deepEqual(counts(mergeRequests(series(100, 0, [1, 2]), series(105, 1, [3]))), [2, 3]);
    assert.deepEqual(counts(mergeRequests(series(100, 0, [1, 2]), series(100, 2, [3]))), [1, 2, 3]);
  });

  it("do not fit to another step, an earlier window or a window after a gap", () => {
    assert.equal(mergeRequests(series(100, 0, [1, 2]), { ...series(100, 1, [2]), step_ms: 10 }), undefined);
    assert.equal(mergeRequests(series(100, 0, [1, 2]), series(95, 1, [2])), undefined);
    assert.equal(mergeRequests(series(100, 0, [1, 2]), series(102, 1, [2])), undefined);
    assert.equal(mergeRequests(series(100, 0, [1, 2]), series(110, 2, [2])), undefined);
  });

  it("of the system are merged by instance and metric", () => {
    const line = (...values: (number | null)[]) => ({ mean: values, max: values });
    const system = (from: number, first_point: number, instances: SystemSeries["instances"]) =>
      ({ from, step_ms: 5, first_point, instances, summary: {} }) as unknown as SystemSeries;
    const merged = mergeSystem(
      system(100, 0, { a: { cpu: line(1, 2, 3) }, gone: { cpu: line(1, 1, 1) } }),
      system(105, 2, { a: { cpu: line(4), load: line(9) }, b: { cpu: line(7) } }),
    );
    assert.deepEqual(merged!.instances, {
      a: { cpu: line(2, 3, 4), load: line(null, null, 9) },
      b: { cpu: line(null, null, 7) },
    });
  });
});
