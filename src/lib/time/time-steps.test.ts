import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseStep } from "./time-steps.ts";

describe("the step of a chart", () => {
  for (const [wanted, step] of [
    [0, 1_000],
    [1_000, 1_000],
    [1_001, 2_000],
    [61_000, 120_000],
    [86_400_000, 86_400_000],
    [86_400_001, 172_800_000],
  ] as const) {
    it(`is ${step} ms where ${wanted} ms are wanted`, () => assert.equal(chooseStep(wanted), step));
  }
});
