import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { eventually } from "../../../lib/testing/until.ts";
import { openTestDatabase } from "../../../storage/testing/test-database.ts";
import { withPlugin } from "../../../storage/testing/with-plugin.ts";
import { Manager } from "../jobs/manager.ts";
import { cronMigrations } from "../tables.ts";
import { Execution } from "./execution.ts";
import type { Run } from "./run.ts";
import type { JobFunction } from "./runnable-job.ts";

const second = 1_000;
const storingMs = 700;

/** A manager whose database takes time to store the begin and the end of a run. */
async function createSlowManager(t: TestContext) {
  const clock = new FakeClock("2026-03-02T10:00:30Z");
  const database = withPlugin(await openTestDatabase(t, "sqlite", cronMigrations), {
    transformQuery({ node }) {
      if (node.kind === "InsertQueryNode" || node.kind === "RawNode") clock.advance(storingMs);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const manager = new Manager({ database: async () => database, clock, logger, timezone: "UTC" });
  t.after(() => manager.stop(0));
  const calls: number[] = [];
  const register = (run: JobFunction, options: object = {}) =>
    manager.registerJob(
      "job",
      "Job",
      "",
      "0 0 1 1 *",
      (log) => {
        calls.push(clock.now());
        return run(log);
      },
      options,
    );
  const isEnded = async (count: number) => {
    const { items } = await manager.logs({ sort: "start_time" });
    return items.length >= count && items.every(({ status }) => status !== "running") && items;
  };
  const ended = async (count = 1): Promise<readonly Run[]> => {
    let runs: readonly Run[] = [];
    await eventually(async () => {
      const items = await isEnded(count);
      if (items) runs = items;
      else clock.advance(100);
      return items !== false;
    });
    return runs;
  };
  return { manager, clock, calls, register, ended };
}

/** Each time is that of the function, not of the database. */
function check(runs: readonly Run[], calls: readonly number[], durations: readonly number[]): void {
  assert.deepEqual(
    runs.map(({ startedAt }) => startedAt.getTime()),
    calls,
  );
  assert.deepEqual(
    runs.map(({ durationMs }) => durationMs),
    durations,
  );
  for (const { startedAt, endedAt, durationMs } of runs)
    assert.equal(endedAt!.getTime() - startedAt.getTime(), durationMs);
}

describe("the start, the end and the duration of a run agree", () => {
  it("if it succeeds, while storing it takes time", async (t) => {
    const { manager, clock, calls, register, ended } = await createSlowManager(t);
    register(() => clock.advance(3 * second));
    await manager.run("job");
    check(await ended(), calls, [3 * second]);
    const { averageDurationMs } = await manager.analytics();
    assert.equal(averageDurationMs, 3 * second);
    const { lastRun } = await manager.find("job");
    assert.equal(lastRun!.getTime(), calls[0]);
  });

  it("if it fails and is retried", async (t) => {
    const { manager, clock, calls, register, ended } = await createSlowManager(t);
    register(
      () => {
        clock.advance(second);
        throw new Error("no luck");
      },
      { retries: 1 },
    );
    await manager.start();
    await manager.run("job");
    check(await ended(2), calls, [second, second]);
  });

  it("if it times out", async (t) => {
    const { manager, calls, register, ended, clock } = await createSlowManager(t);
    register(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          setImmediate(() => clock.advance(2 * second));
        }),
      { timeoutMs: 2 * second },
    );
    await manager.run("job");
    const runs = await ended();
    assert.equal(runs[0]!.status, "timeout");
    // The test may have let some more time pass while it waited.
    const { durationMs } = runs[0]!;
    assert.ok(durationMs! >= 2 * second && durationMs! < 3 * second, `${durationMs}`);
    check(runs, calls, [durationMs!]);
  });

  it("if it is cancelled", async (t) => {
    const { manager, clock, calls, register, ended } = await createSlowManager(t);
    register(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    const { id } = await manager.run("job");
    await eventually(() => calls.length === 1);
    clock.advance(5 * second);
    const ranMs = clock.now() - calls[0]!;
    await manager.cancel(id);
    check(await ended(), calls, [ranMs]);
  });

  it("if it is cancelled before its function is called", async () => {
    const clock = new FakeClock("2026-03-02T10:00:30Z");
    const execution = new Execution({
      clock,
      run: () => assert.fail("called"),
      ...{ jobId: "job", runId: "run", traceId: "trace", scheduledAt: 0, timeoutMs: undefined },
    });
    clock.advance(second);
    execution.cancel(undefined);
    assert.equal((await execution.ended).status, "failed");
    assert.equal(execution.durationMs, 0);
  });
});
