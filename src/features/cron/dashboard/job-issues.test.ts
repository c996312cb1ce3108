import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, settle } from "../../../lib/testing/fake-clock.ts";
import type { Job } from "../jobs/job-manager.ts";
import { createJobIssues } from "./job-issues.ts";
import type { JobOutcome } from "./overview.ts";

const minute = 60_000;

function outcome(statuses: string, more: Partial<JobOutcome> = {}): JobOutcome {
  const names = { s: "success", f: "failed", t: "timeout", i: "interrupted" } as const;
  const recent = [...statuses].map((letter, index) => ({
    id: String(index),
    status: names[letter as keyof typeof names],
    startedAt: 1_000_000 - index * minute,
    durationMs: 5,
  }));
  return { job: { id: "report", name: "Nightly report" } as Job, recent, intervalMs: minute, ...more };
}

/** The newest run first. */
const cases: [name: string, given: JobOutcome, message?: string, since?: number][] = [
  ["has not run", outcome("")],
  ["succeeds", outcome("sss")],
  ["succeeded after failures", outcome("sfff")],
  ["failed once, and runs every minute", outcome("fss")],
  ["failed twice", outcome("ffs"), 'Job "Nightly report" failed 2 times in a row.', 1_000_000 - minute],
  [
    "timed out or was interrupted",
    outcome("tif"),
    'Job "Nightly report" failed 3 times in a row.',
    1_000_000 - 2 * minute,
  ],
  [
    "failed once, and runs every hour",
    outcome("fs", { intervalMs: 60 * minute }),
    'Job "Nightly report" failed in its last run.',
    1_000_000,
  ],
  [
    "failed in all runs that are read",
    outcome("f".repeat(30)),
    'Job "Nightly report" failed at least 30 times in a row.',
    1_000_000 - 29 * minute,
  ],
  [
    "missed its last tick",
    outcome("s", { missedAt: 2_000_000 }),
    'Job "Nightly report" did not run at its last scheduled time.',
    2_000_000,
  ],
];

describe("the issues of a job", () => {
  for (const [name, given, message, since] of cases) {
    it(`that ${name}: ${message ?? "none"}`, async () => {
      const clock = new FakeClock(0);
      const issues = createJobIssues({ clock, outcomes: async () => [given] });
      issues.start();
      await clock.elapse(1_000);
      const link = { page: "cron", params: { job: "report" } };
      assert.deepEqual(
        issues.list(),
        message ? [{ id: "job report", status: "degraded", message, since, link }] : [],
      );
      issues.stop();
    });
  }

  it("are read a second after a failed run, even if they are being read at that time", async () => {
    const clock = new FakeClock(0);
    let statuses = "s";
    let gate = Promise.withResolvers<void>();
    let reads = 0;
    const issues = createJobIssues({
      clock,
      async outcomes() {
        reads++;
        const found = [outcome(statuses)];
        await gate.promise;
        return found;
      },
    });
    issues.start();
    await clock.elapse(1_000);
    assert.equal(reads, 1);
    statuses = "ff";
    issues.runEnded("report", "failed");
    gate.resolve();
    gate = Promise.withResolvers<void>();
    gate.resolve();
    await settle();
    assert.deepEqual(issues.list(), []);
    await clock.elapse(1_000);
    assert.equal(issues.list().length, 1);
    statuses = "sff";
    issues.runEnded("report", "success");
    await clock.elapse(1_000);
    assert.deepEqual(issues.list(), []);
    issues.runEnded("report", "success");
    const before = reads;
    await clock.elapse(59_000);
    assert.equal(reads, before, "a success of a healthy job changes nothing");
    await clock.elapse(1_000);
    assert.equal(reads, before + 1);
    issues.stop();
  });

  it("stay as they are while the database fails", async () => {
    const clock = new FakeClock(0);
    let isBroken = false;
    const issues = createJobIssues({
      clock,
      outcomes: () => (isBroken ? Promise.reject(new Error("away")) : Promise.resolve([outcome("ff")])),
    });
    issues.start();
    await clock.elapse(1_000);
    isBroken = true;
    await clock.elapse(60_000);
    assert.equal(issues.list().length, 1);
    issues.stop();
  });
});
