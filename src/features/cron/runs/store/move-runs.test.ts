import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { until } from "../../../../lib/testing/until.ts";
import { type Database, openDatabase } from "../../../../storage/index.ts";
import { createTemporaryFolder } from "../../../../storage/testing/temporary-folder.ts";
import { type CronTables, cronMigrations } from "../../tables.ts";
import { earlierMigrations, firstStart, insertOldRuns } from "../../testing/old-runs.ts";
import { createRunLog } from "../history/run-log.ts";
import { toRun } from "../run.ts";
import { RunMover } from "./move-runs.ts";
import { createRunStore } from "./run-store.ts";

describe("runs of an earlier release", () => {
  it("are all there after they were moved, exactly as they were", async (t) => {
    const { database, before } = await openOld(t, 2_500);
    const { mover, messages } = await createMover(database);
    assert.equal(mover.isMoving, true);
    mover.start();
    await until(
      "the runs are moved",
      async () => mover.isMoving,
      (is) => !is,
    );
    assert.deepEqual(await readRuns(database), before);
    assert.deepEqual(messages, [
      "Moving job runs to a smaller table. Until then, older runs are not shown",
      "Moved job runs to a smaller table",
    ]);
    const next = await createMover(database);
    assert.equal(next.mover.isMoving, false, "the next start has nothing to do");
    await mover.stop();
  });

  it("are found by their ticks, and those in progress are there at once", async (t) => {
    const { database } = await openOld(t, 1_500);
    const [store, log] = [createRunStore(database), createRunLog(database)];
    assert.deepEqual(await store.running(), [{ id: "run2", instance: "one" }]);
    assert.deepEqual(await store.findBusyJobs(["job2"]), new Set(["job2"]));
    const newest = await log.page({
      page: 1,
      perPage: 1,
      sort: [{ field: "start_time", isDescending: true }],
    });
    assert.equal(newest.items[0]!.id, "run1500");
    const at = (number: number) => `job${number % 3} ${firstStart + number * 60_000}`;
    // Run 1441 is a retry, and run 1440 has no tick.
    const ticks = [at(1_499), `${at(1_441)} 2`];
    const others = [at(1_441), at(1_440), `${at(1_499)} 2`];
    assert.deepEqual(await store.findTicks([...ticks, ...others]), new Set(ticks));
  });

  it("continue to be moved after a stop", async (t) => {
    const { database, before } = await openOld(t, 3_000);
    const first = await createMover(database);
    first.mover.start();
    await until(
      "some are moved",
      async () => (await readRuns(database)).length,
      (count) => count > 1_001,
    );
    await first.mover.stop();
    const { mover } = await createMover(database);
    assert.equal(mover.isMoving, true);
    mover.start();
    await until(
      "the runs are moved",
      async () => mover.isMoving,
      (is) => !is,
    );
    assert.deepEqual(await readRuns(database), before);
  });

  it("need no move if there are none", async (t) => {
    const { database } = await openOld(t, 0);
    assert.equal((await createMover(database)).mover.isMoving, false);
  });

  it("need no move if they are few", async (t) => {
    const { database, before } = await openOld(t, 900);
    assert.equal((await createMover(database)).mover.isMoving, false);
    assert.deepEqual(await readRuns(database), before);
  });
});

async function openOld(t: TestContext, count: number) {
  const database = await openDatabase({ dataDir: createTemporaryFolder() });
  t.after(() => database.close());
  await database.migrate([earlierMigrations]);
  await insertOldRuns(database, count);
  const before = await readRuns(database);
  assert.equal(before.length, count);
  await database.migrate([cronMigrations]);
  return { database, before };
}

async function createMover(database: Database) {
  const messages: string[] = [];
  const log = (message: string) => void messages.push(message);
  const logger = { debug: log, info: log, warn: log, error: log };
  const mover = new RunMover({ database, logger });
  await mover.open();
  return { mover, messages };
}

/** All columns, apart from the names of ticks. */
async function readRuns(database: Database) {
  const rows = await database
    .tables<CronTables>()
    .selectFrom("annex_cron_runs")
    .selectAll()
    .orderBy("scheduled_at")
    .execute();
  return rows.map((row) => ({
    run: toRun(row),
    rest: [row.instance, row.exclusive, row.job_group, row.cancelled_by, row.retry_plan, row.tick !== null],
  }));
}
