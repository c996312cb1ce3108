import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { engines, openTestDatabase } from "../../../storage/testing/test-database.ts";
import type { NewRun } from "../runs/store/begin-runs.ts";
import { createRunStore } from "../runs/store/run-store.ts";
import { cronMigrations } from "../tables.ts";
import { recordStatements } from "../testing/record-statements.ts";

const newRun = (id: string, group: string | null, rest: Partial<NewRun> = {}): NewRun => ({
  id,
  job_id: id,
  job_name: id,
  trigger: "schedule",
  actor: null,
  trace_id: "trace",
  scheduled_at: 1,
  attempt: 1,
  started_at: 1,
  instance: "one",
  instance_name: "one",
  tick: id,
  exclusive: id,
  job_group: group,
  ...rest,
});

const endOf = (id: string) => ({
  id,
  jobId: id,
  status: "success" as const,
  startedAt: 1,
  endedAt: 2,
  durationMs: 1,
  progress: null,
  output: "[]",
});

for (const engine of engines) {
  describe(`the limit of a group on ${engine}`, () => {
    it("holds when many transactions begin runs at the same time", async (t) => {
      const database = await openTestDatabase(t, engine, cronMigrations);
      const store = createRunStore(database, { limits: { a: 3, b: 5 } });
      const begun = new Set<string>();
      let full = 0;
      const claims = Array.from({ length: 10 }, async (_, index) => {
        const runs = ["b", "a", null].flatMap((group) =>
          [1, 2].map((number) => newRun(`${group} ${index} ${number}`, group)),
        );
        const claim = await store.begin(runs);
        for (const id of claim.begun) begun.add(id);
        full += claim.full.size;
      });
      await Promise.all(claims);
      const count = (group: string) => [...begun].filter((id) => id.startsWith(group)).length;
      assert.deepEqual([count("a"), count("b"), count("null"), full], [3, 5, 20, 32]);
    });

    it("begins the runs that were due first, and others in the place of those that have run", async (t) => {
      const store = createRunStore(await openTestDatabase(t, engine, cronMigrations), { limits: { a: 2 } });
      await store.begin([newRun("done", "a")]);
      await store.end([endOf("done")]);
      const runs = [
        newRun("late", "a", { scheduled_at: 4 }),
        newRun("second", "a", { scheduled_at: 3 }),
        newRun("again", "a", { job_id: "done", tick: "done", scheduled_at: 1 }),
        newRun("first", "a", { scheduled_at: 2 }),
      ];
      const { begun, full } = await store.begin(runs);
      assert.deepEqual([...begun].toSorted(), ["first", "second"]);
      assert.deepEqual([...full], ["late"]);
      await store.interrupt(["first"], { at: 5, now: 5, reason: "the process ended" });
      assert.deepEqual([...(await store.begin([runs[0]!])).begun], ["late"]);
    });
  });
}

describe("many runs of a full group on postgres", () => {
  const far = Date.parse("2100-01-01");
  const ticks = Array.from({ length: 50 }, (_, index) =>
    newRun(`tick${index}`, "a", { scheduled_at: far + index }),
  );

  it("need one statement without a lease", async (t) => {
    const { database, statements } = recordStatements(await openTestDatabase(t, "postgres", cronMigrations));
    const store = createRunStore(database, { limits: { a: 1, b: 1 }, needsLease: true });
    const { begun, hasLease } = await store.begin([...ticks, newRun("other", "b"), newRun("free", null)]);
    assert.deepEqual([begun.size, hasLease], [0, false]);
    assert.equal(statements.filter((text) => text.includes("given as")).length, 1);
  });

  it("need few statements if they are ticks that are not due yet, and leave room for other runs", async (t) => {
    const { database, statements } = recordStatements(await openTestDatabase(t, "postgres", cronMigrations));
    const store = createRunStore(database, { limits: { a: 2 } });
    const due = newRun("due", "a");
    const manual = newRun("manual", "a", { tick: null, scheduled_at: far + 1_000 });
    const { begun, early, full } = await store.begin([...ticks, due, manual]);
    assert.deepEqual([...begun].toSorted(), ["due", "manual"]);
    assert.deepEqual([...early].toSorted(), ticks.map(({ id }) => id).toSorted());
    assert.equal(full.size, 0);
    // One for the runs that fit, one for the manual run.
    assert.equal(statements.filter((text) => text.includes("given as")).length, 2);
  });
});
