import assert from "node:assert/strict";
import { it } from "node:test";
import { describeFit } from "./describe-fit.ts";

it("says how much of a period fits", () => {
  assert.equal(describeFit(11.9, 30, "day"), "11 of 30 days");
  assert.equal(describeFit(0.5, 1, "day"), "less than 1 of 1 day");
  assert.equal(describeFit(1_200, 8_760, "hour"), "1,200 of 8,760 hours");
});
