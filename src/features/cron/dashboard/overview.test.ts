import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { eventually } from "../../../lib/testing/until.ts";
import type { Engine } from "../../../storage/index.ts";
import { engines } from "../../../storage/testing/test-database.ts";
import { createRunStore } from "../runs/store/run-store.ts";
import { insertManyRuns } from "../testing/many-runs.ts";
import { createLatch, createTestManager, type TestManagerOptions } from "../testing/test-manager.ts";
import { createOverview } from "./overview.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

async function createTestOverview(t: TestContext, options: TestManagerOptions) {
  const test = await createTestManager(t, options);
  const { manager, clock, readRuns } = test;
  const overview = createOverview(manager, clock);
  const list = (given: { removed?: boolean; search?: string } = {}) =>
    overview.list({ removed: false, ...given });
  /** Advances to the next tick and waits for the end of its run. */
  const tick = async (milliseconds: number) => {
    const ended = async () => (await readRuns({ status: "success,failed" })).length;
    const before = await ended();
    clock.advance(milliseconds);
    await eventually(async () => (await ended()) > before);
  };
  /** The reported missed ticks, as times of day. */
  const missed = async () => {
    const { missed } = await overview.timeline(clock.now() - day, clock.now() + day);
    return missed.items.map(({ time }) => new Date(time).toISOString().slice(11, 16));
  };
  return { ...test, overview, list, tick, missed };
}

/** Inserts finished runs with the given durations, one minute apart, the last one now. */
async function insertRuns(
  { database, clock }: Awaited<ReturnType<typeof createTestOverview>>,
  jobId: string,
  durations: readonly number[],
) {
  const store = createRunStore(database);
  const runs = durations.map((durationMs, index) => {
    const startedAt = clock.now() - (durations.length - index) * minute;
    return { id: `${jobId}-${index}`, jobId, startedAt, durationMs };
  });
  await store.begin(
    runs.map(({ id, startedAt }) => ({
      id,
      job_id: jobId,
      job_name: jobId,
      trigger: "schedule",
      actor: null,
      trace_id: "trace",
      scheduled_at: startedAt,
      attempt: 1,
      started_at: startedAt,
      instance: "other",
      instance_name: "web-2",
      tick: null,
      exclusive: null,
      job_group: null,
    })),
  );
  await store.end(
    runs.map((run, index) => ({
      ...run,
      status: index % 4 === 0 ? "failed" : "success",
      endedAt: run.startedAt + run.durationMs,
      progress: null,
      output: "[]",
    })),
  );
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

for (const engine of engines as readonly Engine[]) {
  describe(`the overview of jobs on ${engine}`, () => {
    it("has the last runs of each job, their durations and the trend", async (t) => {
      const test = await createTestOverview(t, { engine });
      for (const id of ["much", "some", "never"]) test.register(id, "*/5 * * * *", () => {});
      await insertRuns(test, "much", upTo(40));
      await insertRuns(test, "some", upTo(8));
      const { jobs, analytics, isTruncated } = await test.list();
      const [much, some, never] = jobs;
      assert.equal(much!.scheduleWords, "every 5 minutes");
      assert.deepEqual(
        much!.history.recent.map(({ id, durationMs }) => [id, durationMs]),
        upTo(40)
          .toReversed()
          .slice(0, 30)
          .map((duration) => [`much-${duration - 1}`, duration]),
      );
      assert.deepEqual(much!.history.spread, { p50: 20, p95: 38 });
      // The median of 31 to 40 over that of 11 to 20.
      assert.equal(much!.trend, 2.29);
      assert.deepEqual([much!.runsKept, much!.failedKept], [40, 10]);
      assert.equal(some!.history.recent.length, 8);
      assert.deepEqual(some!.history.spread, { p50: 4, p95: 8 });
      assert.ok(!("trend" in some!));
      assert.deepEqual([never!.history, never!.runsKept], [{ recent: [] }, 0]);
      assert.equal(analytics.totalExecutions, 48);
      assert.equal(isTruncated, false);
    });

    it("follows runs that begin and end", async (t) => {
      const { manager, register, list } = await createTestOverview(t, { engine });
      const latch = createLatch();
      register("job", "0 0 1 1 *", latch.run);
      const read = async () => (await list()).jobs[0]!;
      assert.deepEqual((await read()).running, []);
      for (const count of [1, 2]) {
        const { id, startedAt } = await manager.run("job");
        const { running } = await read();
        assert.deepEqual(
          running.map((run) => [run.id, run.startedAt]),
          [[id, startedAt.getTime()]],
        );
        await eventually(() => latch.count === count);
        latch.release();
        await eventually(async () => (await manager.findRun(id)).status === "success");
        const { history, runsKept } = await read();
        assert.ok(history.recent.some((run) => run.id === id));
        assert.deepEqual([history.recent.length, runsKept], [count, count]);
      }
    });

    it("includes removed jobs on request, and the actors of removals and pauses", async (t) => {
      const { manager, register, list, overview, clock } = await createTestOverview(t, { engine });
      for (const id of ["gone", "quiet", "usual"]) register(id, "0 6 * * *", () => {});
      await manager.remove("gone", { actor: "ada" });
      await manager.pause("quiet", { actor: "bob" });
      const ids = async (options: Parameters<typeof list>[0]) =>
        (await list(options)).jobs.map(({ job }) => job.id);
      assert.deepEqual(await ids({}), ["quiet", "usual"]);
      assert.deepEqual(await ids({ removed: true }), ["gone", "quiet", "usual"]);
      assert.deepEqual(await ids({ search: "JOB USU" }), ["usual"]);
      const [gone, quiet] = (await list({ removed: true })).jobs.map(({ job }) => job);
      assert.deepEqual([gone!.removedAt?.getTime(), gone!.removedBy], [clock.now(), "ada"]);
      assert.deepEqual([quiet!.pausedAt?.getTime(), quiet!.pausedBy], [clock.now(), "bob"]);
      assert.deepEqual((await overview.job("gone")).nextRuns, []);
      assert.equal((await overview.job("quiet")).nextRuns.length, 10);
      await assert.rejects(overview.job("nothing"), { code: "JOB_UNKNOWN" });
    });

    it("has the latest runs of one job as dots", async (t) => {
      const test = await createTestOverview(t, { engine });
      test.register("job", "0 6 * * *", () => {});
      test.register("other", "0 6 * * *", () => {});
      await insertManyRuns(test.database, { count: 20, jobs: 1, until: test.clock.now() });
      await insertRuns(test, "job", upTo(600));
      const { runs, summary } = await test.overview.job("job");
      assert.equal(runs.length, 500);
      assert.deepEqual(runs[0], {
        id: "job-599",
        status: "success",
        startedAt: test.clock.now() - minute,
        durationMs: 600,
        trigger: "schedule",
        attempt: 1,
      });
      // Of the last hundred runs.
      assert.deepEqual(summary.history.spread, { p50: 550, p95: 595 });
      assert.equal(summary.runsKept, 600);
    });
  });

  describe(`the time line on ${engine}`, () => {
    it("has all runs that were in progress in the period", async (t) => {
      const { manager, register, clock, overview, tick } = await createTestOverview(t, { engine });
      const latch = createLatch();
      register("long", "0 0 1 1 *", latch.run);
      register("short", "0 * * * *", () => {});
      await manager.start();
      const { id } = await manager.run("long");
      await tick(hour);
      const begin = clock.now() + 1;
      await tick(hour);
      const now = clock.now();
      const { runs } = await overview.timeline(begin, now + hour);
      assert.deepEqual(
        runs.items.map(({ jobId, status }) => [jobId, status]),
        [
          ["short", "success"],
          ["long", "running"],
        ],
      );
      assert.equal(runs.items[1]!.id, id);
      assert.ok(!("endedAt" in runs.items[1]!));
      latch.release();
      await eventually(async () => (await manager.findRun(id)).status === "success");
      const later = await overview.timeline(begin, now + hour);
      assert.deepEqual(
        later.runs.items.map(({ jobId, status }) => [jobId, status]),
        [
          ["short", "success"],
          ["long", "success"],
        ],
        "also when it has ended",
      );
      const afterAll = await overview.timeline(clock.now() + 1, clock.now() + hour);
      assert.deepEqual(afterAll.runs.items, []);
      assert.equal((await overview.timeline(now - day, now + 1)).runs.items.length, 3);
    });

    it("reports ticks that were missed while no instance was running", async (t) => {
      const first = await createTestOverview(t, { engine });
      first.register("job", "*/20 * * * *", () => {});
      await first.manager.start();
      await first.tick(20 * minute);
      await first.tick(20 * minute);
      assert.deepEqual(await first.missed(), []);
      await first.manager.stop(0);

      first.clock.jump(65 * minute);
      const { database, clock } = first;
      const second = await createTestOverview(t, { engine, database, clock });
      second.register("job", "*/20 * * * *", () => {});
      await second.manager.start();
      assert.deepEqual(await second.missed(), ["11:00", "11:20", "11:40"]);
      await second.tick(15 * minute);
      second.clock.advance(5 * minute);
      assert.deepEqual(await second.missed(), ["11:00", "11:20", "11:40"], "the tick of 12:00 has run");
      await second.manager.pause("job");
      assert.deepEqual(await second.missed(), [], "a job that is paused now");
    });

    it("does not report ticks that wait for room", async (t) => {
      const limits = { concurrency: 1, groups: {} };
      const test = await createTestOverview(t, { engine, limits });
      const latch = createLatch();
      test.register("slow", "1 10 * * *", latch.run);
      test.register("job", "2 10 * * *", () => {});
      await test.manager.start();
      test.clock.advance(minute / 2);
      await eventually(() => latch.count === 1);
      test.clock.advance(minute);
      await eventually(async () => (await test.manager.find("job")).waiting === 1);
      await test.clock.elapse(10 * minute, minute);
      assert.deepEqual(await test.missed(), []);
      latch.release();
    });

    it("reports nothing for a time with another schedule or time zone, or without the job", async (t) => {
      let test = await createTestOverview(t, { engine });
      const { clock, database } = test;
      const restart = async (schedule: string | undefined) => {
        await test.manager.stop(0);
        clock.jump(65 * minute);
        test = await createTestOverview(t, { engine, database, clock });
        if (schedule) test.register("job", schedule, () => {});
        await test.manager.start();
      };
      test.register("job", "*/20 * * * *", () => {});
      await test.manager.start();
      await test.tick(20 * minute);
      await restart("*/20 * * * *");
      assert.equal((await test.missed()).length, 3);
      await restart("*/10 * * * *");
      assert.deepEqual(await test.missed(), []);
      await restart(undefined);
      await restart("*/10 * * * *");
      assert.deepEqual(await test.missed(), []);
      await test.tick(10 * minute);
      await restart("*/10 * * * *");
      assert.equal((await test.missed()).length, 6);
      await test.manager.setTimezone("Asia/Kolkata");
      assert.deepEqual(await test.missed(), []);
    });

    // On SQLite, only one process can use the folder.
    const onlyInAFleet = engine === "postgres" ? it : () => {};
    onlyInAFleet("reports a job even if another instance without it has been started", async (t) => {
      const worker = await createTestOverview(t, { engine });
      const { database, clock } = worker;
      worker.register("job", "*/20 * * * *", () => {});
      await worker.manager.start();
      await worker.tick(20 * minute);
      const web = await createTestOverview(t, { engine, database, clock });
      await web.manager.start();
      await worker.manager.stop(0);
      clock.jump(65 * minute);
      const next = await createTestOverview(t, { engine, database, clock });
      next.register("job", "*/20 * * * *", () => {});
      await next.manager.start();
      assert.deepEqual(await next.missed(), ["10:40", "11:00", "11:20"]);
    });

    it("reports nothing for a past pause", async (t) => {
      const { manager, register, clock, tick, missed } = await createTestOverview(t, { engine });
      register("job", "*/20 * * * *", () => {});
      await manager.start();
      await tick(20 * minute);
      await manager.pause("job");
      clock.advance(hour);
      await manager.resume("job");
      await tick(20 * minute);
      assert.deepEqual(await missed(), []);
    });

    it("reports nothing for a period whose runs may have been deleted", async (t) => {
      const { manager, register, tick, missed } = await createTestOverview(t, { engine });
      register("job", "*/20 * * * *", () => {});
      await manager.start();
      for (let count = 0; count < 3; count++) await tick(20 * minute);
      const { signal } = new AbortController();
      assert.equal(await manager.pruneRuns({ retentionMs: 30 * minute, maxRuns: 100, signal }), 1);
      assert.deepEqual(await missed(), []);
    });

    it("distinguishes skipped ticks from missed ones", async (t) => {
      const { manager, register, clock, overview, tick, records } = await createTestOverview(t, { engine });
      const latch = createLatch();
      let isSlow = false;
      register("job", "*/20 * * * *", () => (isSlow ? latch.run() : undefined));
      await manager.start();
      await tick(20 * minute);
      clock.advance(minute);
      isSlow = true;
      const { id } = await manager.run("job");
      await eventually(() => latch.count === 1);
      clock.advance(25 * minute);
      await eventually(() => records.some(({ message }) => message.startsWith("Skipped job")));
      const read = async (reach: number) =>
        (await overview.timeline(clock.now() - reach, clock.now())).missed.items;
      const missed = [{ jobId: "job", time: Date.parse("2026-03-02T10:40:00Z"), isOverlap: true }];
      assert.deepEqual(await read(hour), missed);
      latch.release();
      await eventually(async () => (await manager.findRun(id)).status === "success");
      assert.deepEqual(await read(hour), missed);
      assert.deepEqual(await read(10 * minute), missed, "the run began before the window");
    });

    it("does not report a tick that waits for the previous run", async (t) => {
      const { manager, register, clock, tick, missed, readRuns } = await createTestOverview(t, { engine });
      const latch = createLatch();
      let isSlow = false;
      register("job", "*/20 * * * *", () => (isSlow ? latch.run() : undefined), { overlap: "queue" });
      await manager.start();
      await tick(20 * minute);
      isSlow = true;
      clock.advance(20 * minute);
      await eventually(() => latch.count === 1);
      clock.advance(25 * minute);
      assert.deepEqual(await missed(), []);
      latch.release();
      await eventually(async () => (await readRuns()).length === 3);
      assert.deepEqual(await missed(), []);
    });
  });
}

describe("another zone", () => {
  it("is reported with the affected jobs, the first change first", async (t) => {
    const { overview, register, manager } = await createTestOverview(t, {});
    register("noon", "0 12 * * *", () => {});
    register("late", "0 23 * * *", () => {});
    register("always", "*/5 * * * *", () => {});
    register("own", "0 12 * * *", () => {}, { timezone: "Asia/Tokyo" });
    register("quiet", "0 12 * * *", () => {});
    await manager.pause("quiet");
    const { affected, examples, timezone, current } = await overview.zoneChange("europe/berlin");
    assert.deepEqual([timezone, current, affected], ["Europe/Berlin", "UTC", 2]);
    assert.deepEqual(
      examples.map(({ job }) => job.id),
      ["noon", "late"],
    );
    const [noon] = examples;
    const times = (ticks: readonly number[]) =>
      ticks.map((tick) => new Date(tick).toISOString().slice(5, 16));
    const days = ["02", "03", "04", "05", "06"];
    assert.deepEqual(
      times(noon!.before),
      days.map((day) => `03-${day}T12:00`),
    );
    assert.deepEqual(
      times(noon!.after),
      days.map((day) => `03-${day}T11:00`),
    );
    assert.equal((await overview.zoneChange("UTC")).affected, 0);
    await assert.rejects(overview.zoneChange("Mars/X"), { code: "INVALID_TIMEZONE" });
  });

  it("affects jobs at a clock change even if both timezones are equal today", async (t) => {
    const { overview, register } = await createTestOverview(t, {});
    register("noon", "0 12 * * *", () => {});
    register("always", "*/5 * * * *", () => {});
    register("winter", "0 12 * 1 *", () => {});
    register("half", "30 0-23 * * *", () => {});
    const { affected, examples } = await overview.zoneChange("Europe/London");
    const firstTwo = (ticks: readonly number[]) =>
      ticks.slice(0, 2).map((tick) => new Date(tick).toISOString().slice(5, 16));
    assert.equal(affected, 2);
    assert.deepEqual(
      examples.map(({ job, before, after }) => [job.id, firstTwo(before), firstTwo(after)]),
      [
        // In London, the clock skips 01:30; the run follows right after the change.
        ["half", ["03-29T01:30", "03-29T02:30"], ["03-29T01:00", "03-29T01:30"]],
        ["noon", ["03-29T12:00", "03-30T12:00"], ["03-29T11:00", "03-30T11:00"]],
      ],
    );
    assert.equal((await overview.zoneChange("Africa/Abidjan")).affected, 0, "UTC by another name");
  });

  it("is reported for jobs whose next runs are the same", async (t) => {
    const { overview, register } = await createTestOverview(t, {});
    register("office", "*/5 8-17 * * *", () => {});
    register("workdays", "*/5 * * * 1-5", () => {});
    register("even", "0 */2 * * *", () => {});
    const { affected, examples } = await overview.zoneChange("Africa/Johannesburg");
    assert.equal(affected, 2);
    const first = ([tick]: readonly number[]) => new Date(tick!).toISOString().slice(5, 16);
    assert.deepEqual(
      examples.map(({ job, before, after }) => [job.id, first(before), first(after)]),
      [
        ["office", "03-02T16:00", "03-03T06:00"],
        ["workdays", "03-06T22:00", "03-08T22:00"],
      ],
    );
  });
});
