import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createScale } from "./duration-scale.ts";

describe("the axis of durations", () => {
  it("is linear if durations are similar", () => {
    const { ticks, place, isLogarithmic } = createScale([80, 120, 140]);
    assert.deepEqual({ ticks, isLogarithmic }, { ticks: [0, 50, 100, 150], isLogarithmic: false });
    assert.equal(place(75), 0.5);
  });

  it("is logarithmic if they are far apart", () => {
    const { ticks, place, isLogarithmic } = createScale([12, 90_000]);
    assert.deepEqual(
      { ticks, isLogarithmic },
      { ticks: [10, 100, 1_000, 10_000, 60_000, 600_000], isLogarithmic: true },
    );
    assert.deepEqual([place(10), place(600_000)], [0, 1]);
  });

  it("keeps a duration of zero on the axis", () => {
    for (const durations of [[], [0], [0, 0], [0, 1], [0, 5_000], [0.2, 7]]) {
      const { place, ticks } = createScale(durations);
      for (const place01 of durations.map(place))
        assert.ok(place01 >= 0 && place01 <= 1, `${durations}: ${place01}`);
      assert.ok(ticks.length >= 2 && ticks.every(Number.isFinite), `${durations}: ${ticks}`);
    }
  });
});
