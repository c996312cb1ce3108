import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { estimateBefore, RemovalReport } from "./removal.ts";

describe("a removal", () => {
  it("is shown while its work lasts, also if that fails", async () => {
    const report = new RemovalReport();
    const work = report.during(async (show) => {
      assert.equal(report.current, undefined);
      show({ done: 1, total: 3, unit: "runs" });
      assert.deepEqual(report.current, { done: 1, total: 3, unit: "runs" });
      throw new Error("disk is full");
    });
    await assert.rejects(work, /disk is full/);
    assert.equal(report.current, undefined);
  });

  it("is estimated by the share of the time", () => {
    assert.equal(estimateBefore(25, 1_000, 0, 100), 250);
    assert.equal(estimateBefore(100, 1_000, 0, 50), 1_000);
    assert.equal(estimateBefore(100, 1_000, 100, 200), 0);
    assert.equal(estimateBefore(100, 1_000, 50, 50), 1_000);
  });
});
