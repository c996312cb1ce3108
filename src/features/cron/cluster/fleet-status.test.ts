import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { settle } from "../../../lib/testing/fake-clock.ts";
import { eventually } from "../../../lib/testing/until.ts";
import type { Database } from "../../../storage/index.ts";
import { openTestDatabase } from "../../../storage/testing/test-database.ts";
import { createJobStore } from "../jobs/job-store.ts";
import { createSchedulerSettings } from "../scheduler-settings.ts";
import { type CronTables, cronMigrations } from "../tables.ts";
import { recordStatements } from "../testing/record-statements.ts";
import { createTestManager } from "../testing/test-manager.ts";
import { readFleetStatus } from "./fleet-status.ts";

const second = 1_000;

/** Two instances of 20 jobs, and the statements of the second one. */
async function startTwo(t: TestContext) {
  const first = await createTestManager(t, { engine: "postgres" });
  const { database, statements } = recordStatements(first.database);
  const second = await createTestManager(t, { database, clock: first.clock, among: first.database });
  for (const { register, manager } of [first, second]) {
    for (let index = 0; index < 20; index++) register(`job${index}`, "0 0 1 1 *", () => {});
    await manager.start();
  }
  return { first, second, clock: first.clock, statements };
}

describe("a round of an idle instance", () => {
  it("is one statement, and reads no jobs unless they changed", async (t) => {
    const { first, second: other, clock, statements } = await startTwo(t);
    const rounds = () => statements.filter((text) => text.startsWith("with leases")).length;
    const pass = async (count: number) => {
      for (const until = rounds() + count; rounds() < until; ) {
        clock.advance(second);
        await settle();
      }
      await settle();
    };
    await pass(2);
    statements.length = 0;
    const from = clock.elapsed();
    await pass(10);
    const seconds = (clock.elapsed() - from) / second;
    const rest = statements.filter((text) => !text.startsWith("with leases"));
    const isHeartbeat = (text: string) => text.startsWith('insert into "annex_cron_settings"');
    assert.deepEqual(
      rest.filter((text) => !isHeartbeat(text)),
      [],
    );
    assert.ok(rest.length <= seconds / 6 + 1, `${rest.length} heartbeats in ${seconds} seconds`);

    statements.length = 0;
    await first.manager.pause("job7");
    await eventually(async () => {
      clock.advance(second);
      return (await other.manager.find("job7")).isPaused;
    });
    await pass(3);
    const reads = statements.filter((text) => text.includes('"paused_at" is not null'));
    assert.equal(reads.length, 1);
  });
});

describe("the status of a fleet", () => {
  async function open(t: TestContext) {
    const database = await openTestDatabase(t, "postgres", cronMigrations);
    const tables = database.tables<CronTables>();
    const lease = (id: string, expires_at: number) =>
      tables
        .insertInto("annex_cron_instances")
        .values({ id, name: id, runs_jobs: 1, renewed_at: 0, expires_at })
        .execute();
    const run = (id: string, instance: string, cancelled_by: string | null = null) =>
      insertRun(database, { id, instance, cancelled_by });
    const read = () => readFleetStatus(database, "b");
    return {
      database,
      jobs: createJobStore(database),
      settings: createSchedulerSettings(database),
      lease,
      run,
      read,
    };
  }
  const far = 4_000_000_000_000;

  it("has the place of an instance among those that are alive", async (t) => {
    const { lease, read } = await open(t);
    assert.partialDeepStrictEqual(await read(), { instanceCount: 0, rank: 0, hasDead: false });
    for (const id of ["a", "b", "c"]) await lease(id, far);
    assert.partialDeepStrictEqual(await read(), { instanceCount: 3, rank: 1, hasDead: false });
    await lease("aa", 1);
    assert.partialDeepStrictEqual(await read(), { instanceCount: 3, rank: 1, hasDead: true });
  });

  it("has the runs of this instance, and whether others left some", async (t) => {
    const { lease, run, read } = await open(t);
    for (const id of ["a", "b"]) await lease(id, far);
    await run("1", "a", "ada");
    await run("2", "b");
    assert.partialDeepStrictEqual(await read(), { ownRuns: ["2"], hasCancelRequests: false, hasDead: false });
    await run("3", "b", "ada");
    assert.deepEqual((await read()).ownRuns.toSorted(), ["2", "3"]);
    assert.partialDeepStrictEqual(await read(), {
      hasCancelRequests: true,
      hasDead: false,
    });
    await run("4", "gone");
    assert.partialDeepStrictEqual(await read(), { hasDead: true });
  });

  it("changes with the state of jobs and the time zone, whoever stored it, and with nothing else", async (t) => {
    const { database, jobs, settings, read } = await open(t);
    const seen = new Set([(await read()).changes]);
    const isNew = async () => {
      const { changes } = await read();
      const is = !seen.has(changes);
      seen.add(changes);
      return is;
    };
    await jobs.noteKnown(["one", "two"], 5);
    await jobs.notePlanned([{ id: "one", plannedAs: "* * * * * UTC" }], 7);
    await settings.set("alive_until", "9");
    assert.equal(await isNew(), false);
    await jobs.turn("paused", "one", { at: 10, actor: "ada" });
    assert.equal(await isNew(), true);
    await jobs.turn("paused", "two", { at: 10, actor: null });
    await jobs.turn("paused", "one", null);
    assert.equal(await isNew(), true, "another job, at the same time");
    await jobs.turn("removed", "two", { at: 11, actor: null });
    assert.equal(await isNew(), true);
    await settings.set("timezone", "Asia/Tokyo");
    assert.equal(await isNew(), true);
    await database
      .tables<CronTables>()
      .updateTable("annex_cron_jobs")
      .set({ last_run: 3, success_count: 4 })
      .execute();
    assert.equal(await isNew(), false);
    await database.tables<CronTables>().updateTable("annex_cron_jobs").set({ removed_at: null }).execute();
    assert.equal(await isNew(), true, "without Annex");
  });
});

function insertRun(database: Database, given: { id: string; instance: string; cancelled_by: string | null }) {
  const times = { scheduled_at: 0, started_at: 0, ended_at: 0, duration_ms: 0 };
  const run = { job_id: given.id, job_name: "", status: "running", trigger: "manual", trace_id: "" } as const;
  return database
    .tables<CronTables>()
    .insertInto("annex_cron_runs")
    .values({ ...run, ...times, attempt: 1, output: "[]", ...given })
    .execute();
}
