import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findPastSystem } from "./past-system.ts";

const delays = (...mean: (number | null)[]) => ({ "loop.delay_p99_ms": { mean, max: mean } }) as never;

describe("the system in the past", () => {
  it("has issues from their first to their last time, as severe as they were", () => {
    const found = findPastSystem(delays(5, 250, 1_200, 300, 5), 0, 60_000);
    assert.deepEqual(
      found.map(({ id, status, since, until }) => ({ id, status, since, until })),
      [{ id: "event loop", status: "failing", since: 60_000, until: 240_000 }],
    );
    assert.match(found[0]!.message, /1,200 ms/);
  });

  it("is not evaluated in the first step after a start", () => {
    assert.deepEqual(findPastSystem(delays(900, 5, null, 900, 5), 0, 60_000), []);
  });

  it("has none without data", () => {
    assert.deepEqual(findPastSystem({}, 0, 60_000), []);
  });
});
