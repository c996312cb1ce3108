import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HealthIssue } from "../../../feature/index.ts";
import { HealthEvaluation } from "./health-status.ts";

const issue = (id: string, more: Partial<HealthIssue> = {}): HealthIssue => ({
  id,
  status: "degraded",
  message: `${id} is bad.`,
  ...more,
});

describe("the health status", () => {
  it("is the worst of all issues, which come first", () => {
    const evaluation = new HealthEvaluation();
    const statusOf = (...issues: HealthIssue[]) => {
      const { status, reasons } = evaluation.evaluate(false, issues, 1);
      return [status, reasons.map(({ id }) => id)];
    };
    assert.deepEqual(statusOf(), ["healthy", []]);
    assert.deepEqual(statusOf(issue("one"), issue("two")), ["degraded", ["one", "two"]]);
    assert.deepEqual(statusOf(issue("one"), issue("two", { status: "failing" })), [
      "failing",
      ["two", "one"],
    ]);
  });

  it("is draining during a shutdown, with the other reasons", () => {
    const { status, reasons } = new HealthEvaluation().evaluate(true, [issue("one")], 1);
    assert.equal(status, "draining");
    assert.deepEqual(
      reasons.map(({ message }) => message),
      ["The server is shutting down and accepts no new requests.", "one is bad."],
    );
  });

  it("remembers since when an issue has existed, until it is gone", () => {
    const evaluation = new HealthEvaluation();
    const sinceAt = (now: number, ...issues: HealthIssue[]) =>
      evaluation.evaluate(false, issues, now).reasons.map(({ since }) => since);
    assert.deepEqual(sinceAt(10, issue("one")), [10]);
    assert.deepEqual(sinceAt(20, issue("one"), issue("two")), [10, 20]);
    assert.deepEqual(sinceAt(30, issue("two"), issue("three", { since: 5 })), [20, 5]);
    assert.deepEqual(sinceAt(40, issue("one")), [40]);
  });
});
