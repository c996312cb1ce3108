import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { eventually } from "../../../lib/testing/until.ts";
import { createTestFleet, type TestInstance } from "../testing/test-fleet.ts";
import { createTestManager } from "../testing/test-manager.ts";

const second = 1_000;
const minute = 60 * second;
const start = "2026-03-02T10:00:30Z";

interface Begin {
  readonly job: string;
  readonly tick: number;
  /** When the function was called. */
  readonly at: number;
}

const jobs = ["a", "b", "c"];

/** Jobs of every minute on one or several instances, and what began when, by the clock of the database. */
async function startFleet(t: TestContext, size: number) {
  const test = await createTestFleet(t, { size, start });
  const begins: Begin[] = [];
  for (const { manager } of test.fleet) {
    for (const job of jobs)
      manager.registerJob(job, job, "", "* * * * *", ({ scheduledAt }) => {
        begins.push({ job, tick: scheduledAt.getTime(), at: test.now() });
      });
    await manager.start();
  }
  if (size > 1) await test.meet();
  const first = Date.parse(start) + minute / 2;
  const ranIn = (minutes: number) => begins.filter(({ tick }) => tick === first + minutes * minute).length;
  const passTo = (minutes: number, beforeMs = 0) =>
    test.pass(first + minutes * minute - beforeMs - test.now());
  /** Lets time pass until this minute, and waits for its ticks. */
  const passTick = async (minutes: number) => {
    await passTo(minutes);
    await eventually(() => ranIn(minutes) === jobs.length);
  };
  /** Stops the fleet. In each of these minutes, each job has run once. */
  const check = async (minutes: number) => {
    await test.stop();
    const ticks = begins.map(({ job, tick }) => `${job} ${(tick - first) / minute}`);
    const expected = jobs.flatMap((job) => Array.from({ length: minutes }, (_, index) => `${job} ${index}`));
    assert.deepEqual(ticks.toSorted(), expected.toSorted());
    assert.deepEqual(
      begins.filter(({ tick, at }) => at < tick),
      [],
      "none early",
    );
  };
  /** Each job began within a step of the time. */
  const checkOnTime = () => {
    for (const { tick, at } of begins) assert.ok(at <= tick + second, `${at - tick} ms late`);
  };
  return { ...test, begins, ranIn, passTick, passTo, check, checkOnTime };
}

const moments = [
  ["just before a tick", 300],
  ["between two heartbeats", 20 * second],
  ["just after a tick", 59_700],
] as const;

describe("a fleet in which the clock of a machine is set", () => {
  for (const size of [1, 2])
    for (const jump of [5 * minute, -5 * minute])
      for (const [moment, beforeMs] of moments)
        it(`by ${jump / second} s ${moment} runs each tick once and on time: 1 of ${size}`, async (t) => {
          const { fleet, passTick, passTo, check, checkOnTime } = await startFleet(t, size);
          await passTick(0);
          await passTo(1, beforeMs);
          fleet[0]!.clock.jump(jump);
          await passTick(1);
          await passTo(2, beforeMs);
          fleet[0]!.clock.jump(-jump);
          for (const tick of [2, 3]) await passTick(tick);
          await check(4);
          checkOnTime();
        });

  it("catches up on no tick of the future", async (t) => {
    const { fleet, pass, passTick, check } = await startFleet(t, 1);
    await passTick(0);
    const { clock, manager } = fleet[0]!;
    clock.jump(5 * minute);
    manager.registerJob("caught", "caught", "", "* * * * *", () => {}, { catchUp: "once" });
    await pass(5 * second);
    await passTick(1);
    await eventually(async () => (await manager.logs({ jobId: "caught" })).totalItems === 1);
    const [run] = (await manager.logs({ jobId: "caught" })).items;
    assert.equal(run!.scheduledAt.toISOString(), "2026-03-02T10:02:00.000Z");
    await check(2);
  });
});

describe("a fleet in which the clock of the database is set", () => {
  for (const size of [1, 2])
    for (const backMs of [500, 5 * second])
      it(`begins no tick early before it notices, and none twice: ${size} by ${backMs} ms`, async (t) => {
        const { passTick, passTo, pass, ranIn, setClock, now, check } = await startFleet(t, size);
        await passTick(0);
        await passTo(1, 300);
        await setClock(now() - backMs);
        await eventually(async () => {
          await pass(100);
          return ranIn(1) === jobs.length;
        });
        await passTick(2);
        await check(3);
      });

  it("goes on with the ticks of the new time, and repeats none", async (t) => {
    const { passTick, passTo, pass, ranIn, setClock, now, check } = await startFleet(t, 2);
    for (const tick of [0, 1, 2, 3]) await passTick(tick);
    await passTo(4, 300);
    await setClock(now() - 2 * minute);
    await eventually(async () => {
      await pass(second);
      return ranIn(4) === jobs.length;
    });
    await check(5);
  });
});

describe("a machine that is suspended, and both of its clocks", () => {
  it("begins nothing before its lease is renewed, and runs no tick of the others", async (t) => {
    const { fleet, passTick, passTo, pass, check } = await startFleet(t, 2);
    await passTick(0);
    await passTo(1, 300);
    const one = fleet[0]!;
    one.isSuspended = true;
    for (const tick of [1, 2]) await passTick(tick);
    one.isCut = true;
    one.isSuspended = false;
    await pass(2 * second);
    // It believes that it has a lease, and that its next tick is the one after the suspension.
    await assert.rejects(one.manager.run("a"), { code: "INSTANCE_FENCED" });
    one.isCut = false;
    for (const tick of [3, 4]) await passTick(tick);
    await check(5);
  });

  it("has runs that end with its last heartbeat, not with that of the others", async (t) => {
    const { fleet, passTick, pass, now } = await startFleet(t, 3);
    const [one, other] = fleet as [TestInstance, TestInstance];
    for (const { manager } of fleet)
      manager.registerJob("long", "long", "", "0 0 1 1 *", () => new Promise(() => {}));
    await passTick(0);
    const { id } = await one.manager.run("long");
    await pass(7 * second);
    one.isSuspended = true;
    const suspendedAt = now();
    await eventually(async () => {
      await pass(second);
      return (await other.manager.findRun(id)).status === "interrupted";
    });
    const { endedAt, startedAt, durationMs } = await other.manager.findRun(id);
    const beforeMs = suspendedAt - endedAt!.getTime();
    assert.ok(beforeMs >= 0 && beforeMs <= 3 * second, `${beforeMs} ms before the end`);
    assert.equal(durationMs, endedAt!.getTime() - startedAt.getTime());
    const { byJob } = await other.manager.analytics();
    assert.equal(byJob.find(({ jobId }) => jobId === "long")!.averageDurationMs, durationMs);
  });

  it("aborts the runs that others have given up", async (t) => {
    const { fleet, passTick, pass, now } = await startFleet(t, 2);
    const one = fleet[0]!;
    const signals: AbortSignal[] = [];
    for (const { manager } of fleet)
      manager.registerJob("long", "long", "", "0 0 1 1 *", ({ signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      });
    const begun = now();
    const { id } = await one.manager.run("long");
    await eventually(() => signals.length === 1);
    one.isSuspended = true;
    await passTick(0);
    await eventually(async () => {
      await pass(second);
      return (await fleet[1]!.manager.findRun(id)).status === "interrupted";
    });
    assert.ok(now() - begun > 15 * second);
    one.isSuspended = false;
    await eventually(async () => {
      await pass(second);
      return signals[0]!.aborted;
    });
  });
});

describe("a single instance on SQLite", () => {
  async function startSingle(t: TestContext) {
    const { manager, clock, register } = await createTestManager(t);
    const begins: { readonly tick: string; readonly at: number }[] = [];
    register("job", "* * * * *", ({ scheduledAt }) => {
      begins.push({ tick: scheduledAt.toISOString().slice(11, 16), at: clock.elapsed() });
    });
    await manager.start();
    /** Until the start of a minute, on the monotonic clock, which begins at 10:00:30. */
    const passTo = (minutes: number, beforeMs = 0) =>
      clock.elapse(minutes * minute - 30 * second - beforeMs - clock.elapsed(), 100);
    return { clock, begins, passTo };
  }

  for (const [moment, beforeMs] of moments)
    for (const jump of [5 * minute, -5 * minute])
      it(`whose clock is set by ${jump / second} s and back ${moment} runs each tick on time`, async (t) => {
        const { clock, begins, passTo } = await startSingle(t);
        await passTo(2, beforeMs);
        clock.jump(jump);
        await clock.elapse(59 * second, 100);
        clock.jump(-jump);
        await passTo(5, -second);
        assert.deepEqual(
          begins.map(({ tick }) => tick),
          ["10:01", "10:02", "10:03", "10:04", "10:05"],
        );
        for (const [index, { at }] of begins.entries()) {
          const lateMs = at - (index * minute + 30 * second);
          assert.ok(lateMs >= 0 && lateMs < second, `${lateMs} ms`);
        }
      });

  it("runs the last missed tick once a clock that was set forward has lasted for a minute", async (t) => {
    const { clock, begins, passTo } = await startSingle(t);
    await passTo(2, 300);
    clock.jump(5 * minute);
    await passTo(4, -second);
    const ticks = begins.map(({ tick }) => tick);
    assert.deepEqual(ticks, ["10:01", "10:02", "10:08", "10:09"]);
  });

  it("runs the ticks of a clock that was set back, and none twice", async (t) => {
    const { clock, begins, passTo } = await startSingle(t);
    await passTo(2, 20 * second);
    clock.jump(-10 * minute);
    await passTo(5, -second);
    const ticks = begins.map(({ tick }) => tick);
    assert.deepEqual(ticks, ["10:01", "10:02", "09:52", "09:53", "09:54", "09:55"]);
  });

  it("runs the last missed tick after the machine slept, whatever the monotonic clock did", async (t) => {
    for (const sleep of ["suspend", "jump"] as const) {
      const { clock, begins, passTo } = await startSingle(t);
      await passTo(2, 300);
      clock[sleep](8 * 60 * minute);
      await clock.elapse(90 * second, 100);
      const ticks = begins.map(({ tick }) => tick);
      assert.deepEqual(
        ticks.filter((tick) => tick > "10:03" && tick < "18:01"),
        [],
        sleep,
      );
      assert.match(ticks.at(-1)!, /^18:0[23]$/, sleep);
    }
  });
});
