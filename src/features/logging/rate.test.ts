import assert from "node:assert/strict";
import { it } from "node:test";
import { createRate } from "./rate.ts";

function countFor(rate: ReturnType<typeof createRate>, second: number, requests: number): number {
  const value = rate.at(second);
  for (let request = 0; request < requests; request++) rate.count();
  return value;
}

it("the first request results in one per second", () => {
  assert.equal(createRate().at(1_000), 1);
});

it("a steady load equals its mean, except for the current request", () => {
  const rate = createRate();
  for (let second = 1_000; second < 1_030; second++) countFor(rate, second, 50);
  assert.equal(rate.at(1_030), 50.1);
});

it("idle seconds count: a burst fades within ten seconds", () => {
  const rate = createRate();
  for (let second = 1_000; second < 1_010; second++) countFor(rate, second, 10);
  countFor(rate, 1_010, 100);
  assert.equal(rate.at(1_015), 15.1);
  assert.equal(rate.at(1_100), 0.1);
});

it("a clock that is set back has no effect", () => {
  const rate = createRate();
  countFor(rate, 1_000, 5);
  assert.ok(Number.isFinite(rate.at(900)));
});
