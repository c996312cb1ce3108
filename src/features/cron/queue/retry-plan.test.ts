import assert from "node:assert/strict";
import { test } from "node:test";
import { createRetry, planForInterruption } from "./retry-plan.ts";

const plan = { count: 4, delayMs: 1_000, factor: 3, maxDelayMs: 10_000 };

function retryAfter(attempt: number) {
  const run = {
    id: "run",
    job_id: "job",
    actor: null,
    trace_id: "trace",
    scheduled_at: 0,
    attempt,
    parameters: null,
    tick: null,
    first_run_id: null,
  };
  return createRetry(run, plan, { now: 500, reason: "failed" });
}

test("each retry waits longer, up to a limit", () => {
  const delays = [1, 2, 3, 4].map((attempt) => retryAfter(attempt)!.run_at - 500);
  assert.deepEqual(delays, [1_000, 3_000, 9_000, 10_000]);
});

test("there are as many retries as planned", () => {
  assert.equal(retryAfter(4)?.attempt, 5);
  assert.equal(retryAfter(5), undefined);
});

test("an interrupted run is retried if the job wants it, with its own plan if it has one", () => {
  assert.equal(planForInterruption({ onInterrupt: "ignore", retries: plan }), undefined);
  assert.equal(planForInterruption({ onInterrupt: "retry", retries: plan }), plan);
  assert.equal(planForInterruption({ onInterrupt: "retry", retries: { ...plan, count: 0 } })?.count, 3);
});
