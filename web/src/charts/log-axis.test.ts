import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { logRange, logTicks } from "./log-axis.ts";

describe("a logarithmic axis", () => {
  it("starts at a power of ten, and ends above the largest value", () => {
    assert.deepEqual(logRange(0.4, 1_000), [0.1, 1_150]);
    assert.deepEqual(logRange(100, 100), [100, 200]);
  });

  it("has a range without values, and for values that are shorter than a microsecond", () => {
    assert.deepEqual(logRange(null, null), [1, 2]);
    assert.deepEqual(logRange(0.000_01, 1), [0.001, 1.15]);
  });

  it("has as many ticks as there is room for", () => {
    assert.deepEqual(logTicks(1, 115, 8), [1, 2, 5, 10, 20, 50, 100]);
    assert.deepEqual(logTicks(1, 115, 4), [1, 10, 100]);
    assert.deepEqual(logTicks(0.001, 11_500, 4), [0.001, 0.1, 10, 1_000]);
    assert.deepEqual(logTicks(100, 200, 4), [100, 200]);
  });
});
