import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { FakeClock, settle } from "../../../lib/testing/fake-clock.ts";
import { eventually } from "../../../lib/testing/until.ts";
import { traceContext } from "../../../lib/trace-context.ts";
import type { Database } from "../../../storage/index.ts";
import { engines } from "../../../storage/testing/test-database.ts";
import type { JobFunction } from "../runs/runnable-job.ts";
import { createRunStore } from "../runs/store/run-store.ts";
import { createLatch, createTestManager, type TestManagerOptions } from "../testing/test-manager.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

async function startManager(t: TestContext, options?: TestManagerOptions) {
  const test = await createTestManager(t, options);
  await test.manager.start();
  return test;
}

describe("registration", () => {
  const refused: [what: string, parts: unknown[], error: object][] = [
    ["a reserved id", ["analytics", "A", "", "* * * * *", () => {}], { code: "JOB_ID_RESERVED" }],
    ["an id of Annex", ["__svcMine", "A", "", "* * * * *", () => {}], { code: "JOB_ID_RESERVED" }],
    ["an empty id", ["", "A", "", "* * * * *", () => {}], { code: "INVALID_JOB" }],
    [
      "an id with a slash",
      ["a/b", "A", "", "* * * * *", () => {}],
      { message: /without spaces, slashes or invisible characters; got "a\/b"/ },
    ],
    ["an id with a space", ["a b", "A", "", "* * * * *", () => {}], { code: "INVALID_JOB" }],
    ["dots", ["..", "A", "", "* * * * *", () => {}], { code: "INVALID_JOB" }],
    ["no text", [7, "A", "", "* * * * *", () => {}], { message: /a value of type number/ }],
    ["no name", ["a", "", "", "* * * * *", () => {}], { message: /Job "a": name must be/ }],
    [
      "a name of two lines",
      ["a", "A\nB", "", "* * * * *", () => {}],
      { message: /Job "a": name must be a single line/ },
    ],
    [
      "a name with a tab",
      ["a", "A\tB", "", "* * * * *", () => {}],
      { message: /name must be a single line/ },
    ],
    ["no description", ["a", "A", undefined, "* * * * *", () => {}], { message: /description must be/ }],
    ["no function", ["a", "A", "", "* * * * *", "run"], { message: /must be a function/ }],
    ["a wrong schedule", ["a", "A", "", "61 * * * *", () => {}], { code: "INVALID_SCHEDULE" }],
    [
      "an unknown option",
      ["a", "A", "", "* * * * *", () => {}, { timeout: 5 }],
      { message: /unknown option "timeout"/ },
    ],
    [
      "a wrong timeout",
      ["a", "A", "", "* * * * *", () => {}, { timeoutMs: 0 }],
      { message: /timeoutMs must be/ },
    ],
    [
      "a timeout too long for a timer",
      ["a", "A", "", "* * * * *", () => {}, { timeoutMs: 2 ** 31 }],
      { message: /timeoutMs/ },
    ],
    [
      "a wrong overlap",
      ["a", "A", "", "* * * * *", () => {}, { overlap: "maybe" }],
      { message: /overlap must be/ },
    ],
    [
      "a wrong catch-up",
      ["a", "A", "", "* * * * *", () => {}, { catchUp: true }],
      { message: /catchUp must be/ },
    ],
    ["wrong retries", ["a", "A", "", "* * * * *", () => {}, { retries: -1 }], { message: /retries/ }],
    [
      "a wrong factor",
      ["a", "A", "", "* * * * *", () => {}, { retries: { count: 1, factor: 0.5 } }],
      { message: /factor/ },
    ],
    [
      "a wrong zone",
      ["a", "A", "", "* * * * *", () => {}, { timezone: "Mars" }],
      { code: "INVALID_TIMEZONE" },
    ],
  ];
  for (const [what, parts, error] of refused) {
    it(`refuses ${what}`, async (t) => {
      const { manager } = await createTestManager(t);
      assert.throws(() => manager.registerJob(...(parts as Parameters<typeof manager.registerJob>)), error);
    });
  }

  it("replaces a job of the same id", async (t) => {
    const { manager, register, clock } = await startManager(t);
    const calls: string[] = [];
    register("job", "* * * * *", () => calls.push("old"));
    register("job", "*/2 * * * *", () => calls.push("new"));
    await clock.elapse(4 * minute, minute);
    assert.deepEqual(calls, ["new", "new"]);
    const jobs = await manager.list();
    assert.deepEqual(
      jobs.map(({ id, schedule }) => [id, schedule]),
      [["job", "*/2 * * * *"]],
    );
  });

  it("warns about an ID that is registered twice before the start, and names both places", async (t) => {
    const { manager, records } = await createTestManager(t);
    const warnings = () => records.filter(({ level }) => level === "warn").map(({ message }) => message);
    manager.registerJob("cleanup", "Sessions", "", "0 3 * * *", () => {});
    manager.registerJob("report", "Report", "", "0 4 * * *", () => {});
    assert.deepEqual(warnings(), []);
    manager.registerJob("cleanup", "Files", "", "0 5 * * *", () => {});
    const [message, ...others] = warnings();
    const place = String.raw`\S*src/features/cron/jobs/manager\.test\.ts:(\d+):\d+`;
    const named = new RegExp(
      `^Job "cleanup" is registered twice: at ${place} and at ${place}\\. The second registration replaces the first\\. Use different IDs\\.$`,
    ).exec(message!);
    assert.ok(named, message);
    assert.equal(Number(named[2]) - Number(named[1]), 3);
    assert.deepEqual(others, []);
    await manager.start();
    manager.registerJob("cleanup", "Files", "", "0 6 * * *", () => {});
    assert.equal(warnings().length, 1, "a change at run time is intended");
  });

  it("is rejected after the manager is stopped", async (t) => {
    const { manager, register } = await startManager(t);
    register("job", "* * * * *", () => {});
    await manager.stop(0);
    const refusal = { code: "JOB_MANAGER_NOT_INITIALIZED" };
    assert.throws(() => register("other", "* * * * *", () => {}), refusal);
    await assert.rejects(manager.list(), refusal);
    await assert.rejects(manager.run("job"), refusal);
  });

  it("works before the start and after it, and system jobs come last", async (t) => {
    const { manager, register } = await createTestManager(t);
    manager.registerSystemJob({
      id: "__svcX__",
      name: "X",
      description: "",
      schedule: "* * * * *",
      run: () => {},
    });
    register("before", "* * * * *", () => {});
    await manager.start();
    register("after", "0 12 * * *", () => {});
    const jobs = await manager.list();
    assert.deepEqual(
      jobs.map(({ id, isSystem, nextRun }) => [id, isSystem, nextRun!.toISOString()]),
      [
        ["before", false, "2026-03-02T10:01:00.000Z"],
        ["after", false, "2026-03-02T12:00:00.000Z"],
        ["__svcX__", true, "2026-03-02T10:01:00.000Z"],
      ],
    );
  });
});

for (const engine of engines) {
  describe(`runs on ${engine}`, () => {
    it("are written when they begin and when they end", async (t) => {
      const { manager, register, clock, readRuns } = await startManager(t, { engine });
      const latch = createLatch();
      register("job", "* * * * *", (log) => {
        log.start("here we go");
        return latch.run();
      });
      clock.advance(30 * second);
      await eventually(() => latch.count === 1);
      const [running] = await readRuns();
      assert.partialDeepStrictEqual(running, {
        jobId: "job",
        jobName: "Job job",
        status: "running",
        trigger: "schedule",
        attempt: 1,
        scheduledAt: new Date("2026-03-02T10:01:00Z"),
        startedAt: new Date("2026-03-02T10:01:00Z"),
      });
      assert.ok(!("endedAt" in running!) && !("durationMs" in running!));
      assert.match(running!.traceId, /^[A-Za-z0-9]{18}$/);
      assert.equal((await manager.find("job")).lastRun, undefined);

      clock.advance(5 * second);
      latch.release();
      await eventually(async () => (await readRuns())[0]!.status === "success");
      const [ended] = await readRuns();
      assert.partialDeepStrictEqual(ended, {
        id: running!.id,
        endedAt: new Date("2026-03-02T10:01:05Z"),
        durationMs: 5_000,
        output: '[{"level":"start","message":"here we go"}]',
      });
      const { lastRun, lastStatus } = await manager.find("job");
      assert.deepEqual([lastRun, lastStatus], [new Date("2026-03-02T10:01:00Z"), "success"]);
    });

    it("of a process that died are interrupted at the next start, with what they had written", async (t) => {
      const first = await startManager(t, { engine });
      const latch = createLatch();
      first.register("job", "* * * * *", (log) => {
        log.info("working");
        log.progress(0.25);
        return latch.run();
      });
      const { id } = await first.manager.run("job", { actor: "ada@example.com" });
      await eventually(() => latch.count === 1);
      first.clock.advance(2 * second);
      await eventually(async () => (await first.readRuns())[0]!.output !== "[]");

      const next = await createTestManager(t, {
        database: first.database,
        clock: new FakeClock(first.clock.now()),
      });
      next.register("job", "0 0 1 1 *", () => {});
      await next.manager.start();
      if (engine === "postgres") assert.equal((await next.manager.findRun(id)).status, "running");
      await first.expire();
      await eventually(async () => {
        next.clock.advance(engine === "postgres" ? 3 * second : 0);
        return (await next.manager.findRun(id)).status === "interrupted";
      });
      const run = await next.manager.findRun(id);
      assert.partialDeepStrictEqual(run, { trigger: "manual", actor: "ada@example.com", progress: 0.25 });
      const messages = (JSON.parse(run.output) as { message: string }[]).map(({ message }) => message);
      const reason =
        engine === "postgres"
          ? "no heartbeat from the instance for 15 s"
          : "the process ended during the run";
      assert.deepEqual(messages, ["working", "25%", `Interrupted: ${reason}`]);
      assert.equal((await next.manager.find("job")).lastStatus, "interrupted");
      await next.manager.run("job");
    });

    it("of one tick happen once, even with two instances or a clock that is set back", async (t) => {
      const { manager, register, clock, readRuns } = await startManager(t, { engine });
      let calls = 0;
      register("job", "* * * * *", () => calls++);
      const isQuiet = async () => (await readRuns()).every(({ status }) => status === "success");
      for (const expected of [1, 2]) {
        clock.advance(minute);
        await eventually(() => calls === expected);
        await eventually(isQuiet);
      }
      clock.jump(-5 * minute);
      // The new time counts when it has lasted for a minute. The database needs time, too.
      for (const tick of ["10:03", "09:58", "09:59", "10:00"])
        await eventually(async () => {
          clock.advance(second);
          const runs = await readRuns({ status: "success" });
          return runs.some(({ scheduledAt }) => scheduledAt.toISOString().includes(tick));
        });
      for (let passed = 0; passed < 3 * minute; passed += second) {
        clock.advance(second);
        await readRuns();
      }
      await eventually(isQuiet);
      const ticks = (await readRuns())
        .map(({ scheduledAt }) => scheduledAt.toISOString().slice(11, 16))
        .sort();
      assert.deepEqual(ticks, [...new Set(ticks)], "none twice");
      assert.deepEqual(ticks, ["09:58", "09:59", "10:00", "10:01", "10:02", "10:03"]);
      assert.equal((await manager.analytics()).totalExecutions, 6);
    });
  });
}

describe("overlap", () => {
  it("skip: a tick is skipped and logged while a run is in progress", async (t) => {
    const { manager, register, clock, readRuns, records } = await startManager(t);
    const latch = createLatch();
    register("job", "* * * * *", latch.run);
    await clock.elapse(150 * second, 10 * second);
    assert.equal(latch.count, 1);
    assert.ok(records.some(({ level, message }) => level === "warn" && /Skipped job "job"/.test(message)));
    await assert.rejects(manager.run("job"), { code: "JOB_IS_RUNNING", status: 409 });
    latch.release();
    await settle(20);
    await clock.elapse(minute, 10 * second);
    assert.equal(latch.count, 2);
    assert.equal((await readRuns()).length, 2);
  });

  it("queue: every tick is run, one after the other", async (t) => {
    const { manager, register, clock, readRuns } = await startManager(t);
    const latch = createLatch();
    const ticks: string[] = [];
    const run: JobFunction = ({ scheduledAt }) => {
      ticks.push(scheduledAt.toISOString().slice(11, 16));
      return latch.run();
    };
    register("job", "* * * * *", run, { overlap: "queue" });
    await clock.elapse(150 * second, 10 * second);
    assert.equal(latch.count, 1);
    await assert.rejects(manager.run("job"), { code: "JOB_IS_RUNNING" });
    for (const expected of [2, 3]) {
      latch.release();
      await eventually(() => latch.count === expected);
    }
    latch.release();
    await eventually(async () => (await readRuns()).every(({ status }) => status === "success"));
    assert.deepEqual(ticks, ["10:01", "10:02", "10:03"]);
  });

  it("allow: scheduled and manual runs execute in parallel", async (t) => {
    const { manager, register, clock } = await startManager(t);
    const latch = createLatch();
    register("job", "* * * * *", latch.run, { overlap: "allow" });
    await clock.elapse(150 * second, 10 * second);
    await manager.run("job");
    await eventually(() => latch.count === 4);
  });

  it("a job that hangs or throws does not affect others", async (t) => {
    const { register, clock } = await startManager(t);
    let calls = 0;
    register("hangs", "* * * * *", () => new Promise(() => {}));
    register("throws", "* * * * *", () => {
      throw new Error("at once");
    });
    register("good", "* * * * *", () => calls++);
    await clock.elapse(5 * minute, 10 * second);
    assert.equal(calls, 5);
  });
});

describe("retries", () => {
  it("follow with growing delays, up to their count, each as a separate run", async (t) => {
    const { register, clock, readRuns, manager } = await startManager(t);
    register(
      "job",
      "1 10 * * *",
      () => {
        throw new Error("no luck");
      },
      { retries: { count: 3, delayMs: 10 * second, maxDelayMs: 30 * second } },
    );
    await clock.elapse(5 * minute, second);
    const runs = await readRuns();
    const shown = runs.map(({ trigger, attempt, startedAt }) => [
      trigger,
      attempt,
      startedAt.toISOString().slice(14, 19),
    ]);
    assert.deepEqual(shown, [
      ["schedule", 1, "01:00"],
      ["retry", 2, "01:10"],
      ["retry", 3, "01:30"],
      ["retry", 4, "02:00"],
    ]);
    assert.equal(new Set(runs.map(({ traceId }) => traceId)).size, 1);
    assert.equal((await manager.find("job")).lastStatus, "failed");
  });

  it("end with the first success, and a new run replaces a pending retry", async (t) => {
    const { register, clock, readRuns } = await startManager(t);
    let calls = 0;
    const run = () => {
      calls++;
      if (calls < 3) throw new Error("not yet");
    };
    register("job", "* * * * *", run, { retries: { count: 5, delayMs: 90 * second } });
    await clock.elapse(5 * minute, second);
    const triggers = (await readRuns()).map(({ trigger, status }) => `${trigger} ${status}`);
    assert.deepEqual(triggers.slice(0, 3), ["schedule failed", "schedule failed", "schedule success"]);
    assert.ok(!triggers.some((text) => text.startsWith("retry")));
  });

  it("do not follow a cancelled run", async (t) => {
    const { manager, register, clock, readRuns } = await startManager(t);
    register(
      "job",
      "0 0 1 1 *",
      ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
      {
        retries: 3,
      },
    );
    const { id } = await manager.run("job");
    await manager.cancel(id, { actor: "ada@example.com" });
    await settle(20);
    await clock.elapse(minute);
    const runs = await readRuns();
    assert.equal(runs.length, 1);
    assert.equal(runs[0]!.status, "failed");
    assert.match(runs[0]!.output, /Cancelled by ada@example.com/);
    await assert.rejects(manager.cancel(id), { code: "RUN_NOT_RUNNING", status: 409 });
    await assert.rejects(manager.cancel("nothing"), { code: "RUN_UNKNOWN", status: 404 });
  });
});

describe("catch-up", () => {
  async function restartAfter(t: TestContext, downMs: number, catchUp: "skip" | "once") {
    const first = await startManager(t);
    const daily = "0 12 * * *";
    first.register("daily", daily, () => {}, { catchUp });
    first.register("minutely", "* * * * *", () => {}, { catchUp });
    await first.clock.elapse(minute, second);
    await first.manager.stop(0);
    first.clock.advance(downMs);
    const next = await createTestManager(t, { database: first.database, clock: first.clock });
    next.register("daily", daily, () => {}, { catchUp });
    next.register("minutely", "* * * * *", () => {}, { catchUp });
    next.register("new", "* * * * *", () => {}, { catchUp });
    await next.manager.start();
    await settle(20);
    const runs = (await next.readRuns()).filter(({ trigger }) => trigger === "catch-up");
    return runs.map(({ jobId, scheduledAt }) => `${jobId} ${scheduledAt.toISOString().slice(0, 16)}`).sort();
  }

  it("once: runs the last missed tick of each known job", async (t) => {
    assert.deepEqual(await restartAfter(t, 50 * hour, "once"), [
      "daily 2026-03-04T12:00",
      "minutely 2026-03-04T12:01",
    ]);
  });

  it("once: runs nothing if no tick was missed", async (t) => {
    assert.deepEqual(await restartAfter(t, 10 * second, "once"), []);
  });

  it("skip: runs nothing", async (t) => {
    assert.deepEqual(await restartAfter(t, 50 * hour, "skip"), []);
  });

  it("does not repeat a tick that ran before a kill", async (t) => {
    const first = await startManager(t);
    first.register("job", "* * * * *", () => {}, { catchUp: "once" });
    await first.clock.elapse(40 * second, second);
    assert.equal((await first.readRuns()).length, 1);
    const next = await createTestManager(t, { database: first.database, clock: first.clock });
    next.register("job", "* * * * *", () => {}, { catchUp: "once" });
    await next.manager.start();
    await settle(20);
    assert.equal((await next.readRuns()).length, 1);
  });
});

describe("catch-up at the edges", () => {
  it("finds a tick that was due during a graceful stop", async (t) => {
    const first = await startManager(t);
    first.register("deaf", "0 0 1 1 *", () => new Promise(() => {}));
    first.register("job", "1 10 * * *", () => {}, { catchUp: "once" });
    await first.manager.run("deaf");
    await first.clock.elapse(25 * second, second);
    const stopping = first.manager.stop(20 * second);
    await settle();
    await first.clock.elapse(20 * second, second);
    await stopping;
    const next = await createTestManager(t, { database: first.database, clock: first.clock });
    next.register("job", "1 10 * * *", () => {}, { catchUp: "once" });
    await next.manager.start();
    assert.equal((await next.readRuns({ jobId: "job" }))[0]?.trigger, "catch-up");
  });

  it("includes a job that is registered after the start", async (t) => {
    const first = await startManager(t);
    first.register("job", "* * * * *", () => {}, { catchUp: "once" });
    await settle();
    await first.manager.stop(0);
    first.clock.advance(hour);
    const next = await startManager(t, { database: first.database, clock: first.clock });
    next.register("job", "* * * * *", () => {}, { catchUp: "once" });
    await eventually(async () => (await next.readRuns()).length === 1);
    const [run] = await next.readRuns();
    assert.deepEqual([run!.trigger, run!.scheduledAt.toISOString().slice(11, 16)], ["catch-up", "11:00"]);
  });

  it("waits until the run of a dead instance is interrupted", async (t) => {
    const first = await startManager(t, { engine: "postgres" });
    first.register("job", "0 * * * *", () => new Promise(() => {}), { catchUp: "once" });
    await settle(50);
    await first.manager.run("job");
    const clock = new FakeClock(first.clock.now() + 2 * hour);
    const next = await createTestManager(t, { database: first.database, clock });
    let calls = 0;
    next.register("job", "0 * * * *", () => calls++, { catchUp: "once" });
    await next.manager.start();
    assert.equal(calls, 0);
    await first.expire();
    await eventually(() => {
      clock.advance(second);
      return calls === 1;
    });
    assert.deepEqual(
      (await next.readRuns()).map(({ trigger }) => trigger),
      ["manual", "catch-up"],
    );
  });
});

describe("an instance without a lease", () => {
  it("starts no runs, and makes up for the last tick when it is back", async (t) => {
    const { manager, register, clock, fence, readRuns } = await startManager(t);
    let calls = 0;
    register("job", "* * * * *", () => calls++);
    fence(true);
    await clock.elapse(3 * minute, 10 * second);
    assert.equal(calls, 0);
    await assert.rejects(manager.run("job"), { code: "INSTANCE_FENCED", status: 503 });
    fence(false);
    await clock.elapse(5 * second);
    assert.equal(calls, 1);
    const [run] = await readRuns();
    assert.deepEqual(run!.scheduledAt, new Date("2026-03-02T10:03:00Z"));
  });
});

describe("an instance whose clock is wrong", () => {
  for (const [side, offset, times] of [
    ["ahead", -5 * minute, [4 * minute, 40 * second]],
    ["behind", 5 * minute, [23 * hour + 53 * minute, 2 * minute]],
  ] as const) {
    it(`runs jobs by the time of the database if it is 5 minutes ${side}`, async (t) => {
      const { register, clock, readRuns } = await startManager(t, { clockOffset: offset });
      let calls = 0;
      register("job", "0 10 * * *", () => calls++);
      clock.advance(times[0]);
      await settle(20);
      assert.equal(calls, 0);
      await clock.elapse(times[1], second);
      assert.equal(calls, 1);
      const [run] = await readRuns();
      assert.equal(run!.startedAt.toISOString().slice(11, 16), "10:00");
    });
  }
});

describe("a run that went wrong", () => {
  it("that was interrupted does not count the time until the next start", async (t) => {
    const first = await startManager(t);
    const latch = createLatch();
    first.register("job", "0 0 1 1 *", latch.run);
    const { id } = await first.manager.run("job");
    await first.clock.elapse(minute, second);
    const clock = new FakeClock(first.clock.now() + 8 * hour);
    const next = await createTestManager(t, { database: first.database, clock });
    const { status, durationMs } = await next.manager.findRun(id);
    assert.equal(status, "interrupted");
    assert.ok(durationMs! >= 50 * second && durationMs! <= minute, `${durationMs}`);
  });

  it("of a job that was removed in the meantime is not retried", async (t) => {
    const { manager, register, clock, readRuns } = await startManager(t);
    const latch = createLatch();
    register("job", "0 0 1 1 *", latch.run, { retries: 3 });
    await manager.run("job");
    await eventually(() => latch.count === 1);
    await manager.remove("job");
    latch.fail(new Error("no luck"));
    await clock.elapse(minute, second);
    assert.equal((await readRuns()).length, 1);
  });

  it("of a job that was paused when it failed is not retried after the job is resumed", async (t) => {
    const { manager, register, clock, readRuns } = await startManager(t);
    const latch = createLatch();
    register("job", "0 0 1 1 *", latch.run, { retries: { count: 3, delayMs: 30 * second } });
    await manager.run("job");
    await eventually(() => latch.count === 1);
    await manager.pause("job");
    latch.fail(new Error("no luck"));
    await eventually(async () => (await readRuns({ status: "failed" })).length === 1);
    await manager.resume("job");
    await clock.elapse(2 * minute, second);
    assert.equal((await readRuns()).length, 1);
    assert.deepEqual(await manager.listQueued(), []);
  });

  it("is retried with the currently registered function", async (t) => {
    const { manager, register, clock } = await startManager(t);
    const calls: string[] = [];
    register(
      "job",
      "0 0 1 1 *",
      () => {
        calls.push("old");
        throw new Error("no luck");
      },
      { retries: 1 },
    );
    await manager.run("job");
    await settle(20);
    register("job", "0 0 1 1 *", () => calls.push("new"));
    await clock.elapse(minute, second);
    assert.deepEqual(calls, ["old", "new"]);
  });

  it("is stopped when other instances consider this one dead", async (t) => {
    const { manager, register, clock, database } = await startManager(t, { engine: "postgres" });
    let signal: AbortSignal | undefined;
    register("job", "0 0 1 1 *", (log) => {
      signal = log.signal;
      return new Promise(() => {});
    });
    const { id } = await manager.run("job");
    await eventually(() => signal !== undefined);
    await createRunStore(database).interrupt([id], {
      at: clock.now(),
      now: clock.now(),
      reason: "no heartbeat",
    });
    await eventually(() => {
      clock.advance(second);
      return signal!.aborted;
    });
    assert.match(signal!.reason.message, /no heartbeat from this instance/);
  });
});

describe("what is decided at run time", () => {
  it("a paused job runs only manually, and is still paused after a restart", async (t) => {
    const { manager, register, clock, database } = await startManager(t);
    let calls = 0;
    register("job", "* * * * *", () => calls++);
    await manager.pause("job", { actor: "ada@example.com" });
    await clock.elapse(3 * minute, 10 * second);
    assert.equal(calls, 0);
    assert.partialDeepStrictEqual(await manager.find("job"), { isPaused: true });
    assert.equal((await manager.find("job")).nextRun, undefined);
    await manager.run("job");
    await eventually(() => calls === 1);
    await manager.stop(0);

    const next = await createTestManager(t, { database, clock });
    next.register("job", "* * * * *", () => calls++);
    await next.manager.start();
    await clock.elapse(3 * minute, 10 * second);
    assert.equal(calls, 1);
    await next.manager.resume("job");
    await clock.elapse(minute, 10 * second);
    assert.equal(calls, 2);
    await assert.rejects(next.manager.pause("nothing"), { code: "JOB_UNKNOWN" });
  });

  it("a removed job stays removed after a restart, until it is restored", async (t) => {
    const { manager, register, clock, database } = await startManager(t);
    register("job", "* * * * *", () => {});
    await manager.remove("job");
    assert.deepEqual(await manager.list(), []);
    await assert.rejects(manager.run("job"), { code: "JOB_UNKNOWN", status: 404 });
    await assert.rejects(manager.remove("job"), { code: "JOB_UNKNOWN" });
    register("job", "* * * * *", () => {});
    assert.deepEqual(await manager.list(), []);
    await manager.stop(0);

    const second = await createTestManager(t, { database, clock });
    second.register("job", "* * * * *", () => {});
    assert.deepEqual(await second.manager.list(), []);
    await second.manager.restore("job");
    assert.equal((await second.manager.list()).length, 1);
    await second.manager.remove("job");
    await second.manager.stop(0);

    const third = await createTestManager(t, { database, clock });
    third.register("job", "* * * * *", () => {}, { restore: true });
    assert.equal((await third.manager.list()).length, 1);
    await third.manager.stop(0);

    const fourth = await createTestManager(t, { database, clock });
    fourth.register("job", "* * * * *", () => {});
    assert.equal((await fourth.manager.list()).length, 1);
  });

  it("is reported as a change with its actor, except without an effect or for runs started by code", async (t) => {
    const { manager, register, changes } = await startManager(t);
    register("job", "0 0 1 1 *", () => {}, { overlap: "allow" });
    const actor = "ada@example.com";
    for (const _ of [1, 2]) await manager.pause("job", { actor });
    await manager.resume("job");
    await manager.setTimezone("Asia/Kolkata", { actor });
    const { id } = await manager.run("job", { actor });
    await manager.run("job");
    assert.deepEqual(changes, [
      { kind: "pause", subject: "job", actor },
      { kind: "resume", subject: "job", actor: undefined },
      { kind: "timezone", subject: "timezone", actor, before: "UTC", after: "Asia/Kolkata" },
      { kind: "run", subject: "job", actor, runId: id },
    ]);
  });

  it("a system job cannot be removed", async (t) => {
    const { manager } = await startManager(t);
    manager.registerSystemJob({
      id: "__svcX__",
      name: "X",
      description: "",
      schedule: "* * * * *",
      run: () => {},
    });
    await assert.rejects(manager.remove("__svcX__"), { code: "JOB_IS_SYSTEM", status: 403 });
    assert.equal((await manager.list()).length, 1);
  });

  it("a new timezone applies immediately to jobs without their own and survives a restart", async (t) => {
    const { manager, register, clock, database } = await startManager(t);
    register("job", "0 12 * * *", () => {});
    register("own", "0 12 * * *", () => {}, { timezone: "Asia/Tokyo" });
    const nextRuns = async (of: typeof manager) =>
      (await of.list()).map(({ nextRun }) => nextRun!.toISOString().slice(0, 16));
    assert.deepEqual(await nextRuns(manager), ["2026-03-02T12:00", "2026-03-03T03:00"]);
    assert.equal(await manager.setTimezone("america/new_york"), "America/New_York");
    assert.deepEqual(await nextRuns(manager), ["2026-03-02T17:00", "2026-03-03T03:00"]);
    await assert.rejects(manager.setTimezone("Mars/Olympus"), { code: "INVALID_TIMEZONE", status: 400 });
    assert.equal((await manager.status()).timezone, "America/New_York");
    await manager.stop(0);

    const next = await createTestManager(t, { database, clock });
    next.register("job", "0 12 * * *", () => {});
    next.register("own", "0 12 * * *", () => {}, { timezone: "Asia/Tokyo" });
    assert.deepEqual(await nextRuns(next.manager), ["2026-03-02T17:00", "2026-03-03T03:00"]);
    assert.equal((await next.manager.status()).timezone, "America/New_York");
  });

  it("the status contains the scheduler's state, number of jobs and uptime", async (t) => {
    const { manager, register, clock } = await createTestManager(t);
    register("job", "* * * * *", () => {});
    assert.deepEqual(await manager.status(), {
      isRunning: false,
      jobsCount: 1,
      timezone: "UTC",
      uptimeSeconds: 0,
    });
    await manager.start();
    clock.advance(90 * second);
    assert.deepEqual(await manager.status(), {
      isRunning: true,
      jobsCount: 1,
      timezone: "UTC",
      uptimeSeconds: 90,
    });
    const hour = 3_600 * second;
    for (const jump of [3 * hour, -5 * hour]) {
      clock.jump(jump);
      assert.equal((await manager.status()).uptimeSeconds, 90, "changes to the system clock do not count");
    }
    clock.advance(second);
    assert.equal((await manager.status()).uptimeSeconds, 91);
    await manager.stop(0);
  });

  it("the next runs of a job and of any schedule are available", async (t) => {
    const { manager, register } = await startManager(t);
    register("job", "0 12 * * *", () => {});
    const show = (dates: Date[]) => dates.map((date) => date.toISOString().slice(0, 16));
    assert.deepEqual(show(manager.nextRuns("job", 2)), ["2026-03-02T12:00", "2026-03-03T12:00"]);
    assert.deepEqual(show(manager.preview("0 12 * * *", { timezone: "Asia/Tokyo", count: 1 })), [
      "2026-03-03T03:00",
    ]);
    assert.throws(() => manager.preview("nonsense"), { code: "INVALID_SCHEDULE" });
  });
});

describe("a graceful stop", () => {
  it("aborts runs, waits for them and stores their results", async (t) => {
    const { manager, register, database, clock } = await startManager(t);
    register("good", "0 0 1 1 *", async ({ signal, success }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      success("put away");
    });
    register("deaf", "0 0 1 1 *", () => new Promise(() => {}));
    await manager.run("good");
    await manager.run("deaf");
    await settle();
    const stopping = manager.stop(3 * second);
    await settle();
    await clock.elapse(3 * second);
    await stopping;
    const next = await createTestManager(t, { database, clock });
    const runs = await next.readRuns({ sort: "-job_id" });
    assert.deepEqual(
      runs.map(({ jobId, status, output }) => [jobId, status, JSON.parse(output).at(-1).message]),
      [
        ["good", "success", "put away"],
        ["deaf", "interrupted", "Interrupted: the application was stopped"],
      ],
    );
  });
});

describe("when the store cannot be written", () => {
  it("a tick runs only after it is stored, and its end is stored when the store recovers", async (t) => {
    const { register, clock, database, records, readRuns } = await startManager(t);
    const latch = createLatch();
    register("job", "* * * * *", latch.run);
    const tables = database.tables<{ annex_cron_runs: object }>();
    const hide = () => tables.schema.alterTable("annex_cron_runs").renameTo("hidden").execute();
    const show = () => tables.schema.alterTable("hidden").renameTo("annex_cron_runs").execute();
    await hide();
    await clock.elapse(35 * second);
    assert.equal(latch.count, 0);
    assert.ok(
      records.some(({ level, message }) => level === "error" && /Failed to store job runs/.test(message)),
    );
    await show();
    await clock.elapse(3 * second);
    assert.equal(latch.count, 1);
    await hide();
    latch.release();
    await clock.elapse(5 * second);
    await show();
    await clock.elapse(3 * second);
    const runs = await readRuns();
    assert.deepEqual(
      runs.map(({ status, scheduledAt }) => [status, scheduledAt.toISOString().slice(11, 16)]),
      [["success", "10:01"]],
    );
  });

  it("a run that was stored although the confirmation was lost is executed", async (t) => {
    const { manager, register, clock, database, readRuns } = await startManager(t);
    let calls = 0;
    register("job", "* * * * *", () => calls++);
    loseResponses(database, 1);
    await clock.elapse(35 * second, second);
    assert.equal(calls, 1);
    assert.deepEqual(
      (await readRuns()).map(({ status }) => status),
      ["success"],
    );
    loseResponses(database, 1);
    await assert.rejects(manager.run("job"), /lost/);
    assert.equal((await readRuns()).length, 2);
    await clock.elapse(15 * second, second);
    assert.deepEqual(
      (await readRuns()).map(({ status }) => status),
      ["success", "interrupted"],
      "no instance executes it, so it is interrupted",
    );
    await manager.run("job");
  });

  it("pending ticks keep their order", async (t) => {
    const { register, clock, database } = await startManager(t);
    const ticks: string[] = [];
    const run: JobFunction = ({ scheduledAt }) => ticks.push(scheduledAt.toISOString().slice(11, 16));
    register("job", "* * * * *", run, { overlap: "queue" });
    const { transaction } = database;
    Object.assign(database, { transaction: () => Promise.reject(new Error("The disk is full")) });
    await clock.elapse(4 * minute, second);
    Object.assign(database, { transaction });
    await clock.elapse(10 * second, second);
    assert.deepEqual(ticks, ["10:01", "10:02", "10:03", "10:04"]);
  });
});

/** Commits the next transactions, but rejects their promises. */
function loseResponses(database: Database, count: number): void {
  const { transaction } = database;
  let left = count;
  Object.assign(database, {
    async transaction(...args: Parameters<typeof transaction>) {
      const response = await transaction(...args);
      if (left-- > 0) throw new Error("The connection was lost");
      Object.assign(database, { transaction });
      return response;
    },
  });
}

describe("errors in background work after the end of a run", () => {
  it("are added to the output of the run, up to ten, and do not change its status", async (t) => {
    const { manager, register, records } = await startManager(t);
    let throwLate = (_error: Error) => {};
    register("job", "0 0 1 1 *", (log) => {
      throwLate = traceContext.getStore()!.onUnhandled!;
      log.info("done");
    });
    const { id } = await manager.run("job");
    await eventually(async () => (await manager.findRun(id)).status === "success");
    const readOutput = async (): Promise<{ level: string; message: string }[]> =>
      JSON.parse((await manager.findRun(id)).output);
    throwLate(new Error("too late"));
    await eventually(async () => (await readOutput()).length === 2);
    assert.deepEqual(await readOutput(), [
      { level: "info", message: "done" },
      { level: "error", message: "After the end of the run: too late" },
    ]);
    assert.equal((await manager.findRun(id)).status, "success");
    for (let count = 0; count < 20; count++) throwLate(new Error("again"));
    await eventually(async () => (await readOutput()).length === 11);
    await settle(20);
    assert.equal((await readOutput()).length, 11);
    assert.equal(records.filter(({ message }) => message.startsWith("Unhandled error")).length, 21);
  });
});
