import assert from "node:assert/strict";
import { test } from "node:test";
import { createPlan } from "./plan.ts";

test("the same seed gives the same plan of faults, and another seed another one", () => {
  const create = (seed: number) => createPlan({ seed, instances: 5, seconds: 360 });
  assert.deepEqual(create(1), create(1));
  assert.notDeepEqual(create(1), create(2));
});

test("a plan contains all kinds of faults, and ends before the calm", () => {
  const plan = createPlan({ seed: 1, instances: 5, seconds: 360 });
  const count = (kind: string) => plan.filter((fault) => fault.kind === kind).length;
  assert.deepEqual(["silence", "block", "outage", "stop"].map(count), [1, 1, 3, 1]);
  assert.ok(count("kill") >= 13);
  assert.ok(plan.every(({ at }) => at > 0 && at < 300));
});
