import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { increase, put, type SampleValues } from "./sample-values.ts";

describe("a sampled value", () => {
  it("is unchanged, even if it is zero", () => {
    const values: SampleValues = {};
    put(values, "swap", 0);
    put(values, "load", 0.5);
    assert.deepEqual(values, { swap: 0, load: 0.5 });
  });

  it("is left out when it is none", () => {
    const values: SampleValues = {};
    for (const none of [NaN, Infinity, -Infinity, -1]) put(values, "memory", none);
    assert.deepEqual(values, {});
  });
});

describe("the increase of a counter", () => {
  it("is the difference", () => {
    assert.equal(increase(5, 12), 7);
    assert.equal(increase(5, 5), 0);
  });

  it("is unknown the first time, after a new beginning, and when either cannot be read", () => {
    assert.equal(increase(undefined, 12), NaN);
    assert.equal(increase(12, 5), NaN);
    assert.equal(increase(NaN, 5), NaN);
    assert.equal(increase(5, NaN), NaN);
  });
});
