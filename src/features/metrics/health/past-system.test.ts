import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Stall } from "../wire/stalls.ts";
import { findPastSystem, type PastSystem } from "./past-system.ts";

const delays = (...mean: (number | null)[]) => ({ "loop.delay_p99_ms": { mean, max: mean } }) as never;

const findIn = (series: PastSystem["series"], stalls: readonly Stall[] = []) =>
  findPastSystem({ series, from: 0, stepMs: 60_000, stalls });

describe("the system in the past", () => {
  it("has issues from their first to their last time, as severe as they were", () => {
    const found = findIn(delays(5, 250, 1_200, 300, 5));
    assert.deepEqual(
      found.map(({ id, status, since, until }) => ({ id, status, since, until })),
      [{ id: "event loop", status: "failing", since: 60_000, until: 240_000 }],
    );
    assert.match(found[0]!.message, /1,200 ms/);
  });

  it("names what blocked the event loop most", () => {
    const cause = { kind: "run", trace_id: "t", job_id: "backup", run_id: "r", started_at: 0 } as const;
    const stall = { started_at: 70_000, duration_ms: 1_500, instance: "web-1", stack: [], in_flight: [] };
    const [found] = findIn(delays(5, 250), [{ ...stall, cause, in_flight_count: 0 }]);
    assert.match(found!.message, /Job "backup" blocked it for 1\.5 s in one stall\.$/);
  });

  it("is not evaluated in the first step after a start", () => {
    assert.deepEqual(findIn(delays(900, 5, null, 900, 5)), []);
  });

  it("has none without data", () => {
    assert.deepEqual(findIn({}), []);
  });
});
