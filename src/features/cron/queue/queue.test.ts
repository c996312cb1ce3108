import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { z } from "zod";
import { FakeClock, settle } from "../../../lib/testing/fake-clock.ts";
import { eventually } from "../../../lib/testing/until.ts";
import type { Engine } from "../../../storage/index.ts";
import { createLatch, createTestManager, type TestManagerOptions } from "../testing/test-manager.ts";

const second = 1_000;
const minute = 60 * second;
const never = "0 0 1 1 *";
const engines: Engine[] = ["sqlite", "postgres"];

async function startManager(t: TestContext, options?: TestManagerOptions) {
  const started = await createTestManager(t, options);
  await started.manager.start();
  return started;
}

/** What runs look like: trigger, attempt and status. */
const describeRuns = (runs: readonly { trigger: string; attempt: number; status: string }[]) =>
  runs.map(({ trigger, attempt, status }) => `${trigger} ${attempt} ${status}`);

for (const engine of engines) {
  describe(`the queue of runs on ${engine}`, () => {
    it("keeps a pending retry when the process is killed", async (t) => {
      const first = await startManager(t, { engine });
      const fail = () => {
        throw new Error("no luck");
      };
      first.register("job", never, fail, { retries: { count: 1, delayMs: minute } });
      await first.manager.run("job");
      await eventually(async () => (await first.manager.listQueued()).length === 1);
      const [pending] = await first.manager.listQueued("job");
      assert.partialDeepStrictEqual(pending, {
        jobId: "job",
        attempt: 2,
        trigger: "retry",
        reason: "failed",
      });

      // The clock of the first one stands still from here on.
      await first.expire();
      const clock = new FakeClock(first.clock.now());
      const second = await createTestManager(t, { database: first.database, clock });
      second.register("job", never, () => {});
      await second.manager.start();
      await eventually(async () => {
        clock.advance(10_000);
        return (await second.readRuns({ status: "success" })).length === 1;
      });
      const runs = await second.readRuns();
      assert.deepEqual(describeRuns(runs), ["manual 1 failed", "retry 2 success"]);
      assert.equal(runs[1]!.id, pending!.id);
      assert.equal(runs[1]!.traceId, runs[0]!.traceId);
      assert.deepEqual(await second.manager.listQueued(), []);
    });

    it("retries a run that a shutdown interrupted, with its parameters", async (t) => {
      const first = await startManager(t, { engine });
      const latch = createLatch();
      first.register("job", never, latch.run, { onInterrupt: "retry" });
      await first.manager.run("job", { parameters: { day: "2026-03-01" } });
      await eventually(() => latch.count === 1);
      const stopping = first.manager.stop(second);
      await settle();
      first.clock.advance(2 * second);
      await stopping;

      const next = await createTestManager(t, { database: first.database, clock: first.clock });
      const seen: unknown[] = [];
      next.register("job", never, ({ parameters, attempt }) => seen.push([parameters, attempt]));
      await next.manager.start();
      await eventually(() => {
        next.clock.advance(second);
        return seen.length === 1;
      });
      assert.deepEqual(seen, [[{ day: "2026-03-01" }, 2]]);
      await eventually(async () => (await next.readRuns({ status: "success" })).length === 1);
      assert.deepEqual(describeRuns(await next.readRuns()), ["manual 1 interrupted", "retry 2 success"]);
    });

    it("does not retry an interrupted run by default", async (t) => {
      const first = await startManager(t, { engine });
      const latch = createLatch();
      first.register("job", never, latch.run, { retries: 3 });
      await first.manager.run("job");
      await eventually(() => latch.count === 1);
      await first.manager.stop(0);
      const next = await startManager(t, { database: first.database, clock: first.clock });
      assert.deepEqual(await next.manager.listQueued(), []);
      assert.deepEqual(describeRuns(await next.readRuns()), ["manual 1 interrupted"]);
    });

    it("starts a single run at its time, with its ID, on an instance that has the job", async (t) => {
      const { manager, register, clock, readRuns } = await startManager(t, { engine });
      const seen: unknown[] = [];
      register("mail", never, ({ parameters, scheduledAt }) =>
        seen.push([parameters, scheduledAt.toISOString()]),
      );
      const time = new Date(clock.now() + 90 * second);
      const queued = await manager.runAt("mail", time, { parameters: { to: 7 }, actor: "ada@example.com" });
      assert.partialDeepStrictEqual(queued, {
        jobId: "mail",
        runAt: time,
        attempt: 1,
        parameters: { to: 7 },
      });
      await clock.elapse(89 * second);
      await settle(20);
      assert.deepEqual(seen, []);
      await eventually(() => {
        clock.advance(second);
        return seen.length === 1;
      });
      assert.deepEqual(seen, [[{ to: 7 }, time.toISOString()]]);
      await eventually(async () => (await readRuns({ status: "success" })).length === 1);
      const [run] = await readRuns();
      assert.partialDeepStrictEqual(run, {
        id: queued.id,
        trigger: "manual",
        actor: "ada@example.com",
        parameters: { to: 7 },
      });
    });

    it("lets a single run wait for the run in progress", async (t) => {
      const { manager, register, clock, readRuns } = await startManager(t, { engine });
      const latch = createLatch();
      register("job", never, latch.run);
      await manager.run("job");
      await eventually(() => latch.count === 1);
      await manager.runAt("job", new Date(clock.now()));
      await clock.elapse(5 * second);
      assert.equal(latch.count, 1);
      latch.release(0);
      await eventually(() => {
        clock.advance(second);
        return latch.count === 2;
      });
      latch.release(1);
      await eventually(async () => (await readRuns({ status: "success" })).length === 2);
    });

    it("removes a run on request, and all runs of a removed job, but pauses only retries", async (t) => {
      const { manager, register, clock, readRuns, changes } = await startManager(t, { engine });
      register(
        "job",
        never,
        () => {
          throw new Error("no luck");
        },
        { retries: { count: 1, delayMs: minute } },
      );
      const later = new Date(clock.now() + minute);
      const { id } = await manager.runAt("job", later);
      await manager.cancelQueued(id, { actor: "ada@example.com" });
      await assert.rejects(manager.cancelQueued(id), { code: "RUN_NOT_QUEUED", status: 404 });
      assert.partialDeepStrictEqual(changes, [{ kind: "cancel", subject: "job", actor: "ada@example.com" }]);

      await manager.runAt("job", later);
      await manager.run("job");
      await eventually(async () => (await manager.listQueued()).length === 2);
      await manager.pause("job");
      assert.deepEqual(
        (await manager.listQueued()).map(({ trigger }) => trigger),
        ["manual"],
      );
      await manager.remove("job");
      assert.deepEqual(await manager.listQueued(), []);
      await clock.elapse(2 * minute, 10 * second);
      assert.equal((await readRuns()).length, 1);
    });

    it("keeps runs that an instance or a group has no room for, and starts them all later", async (t) => {
      const limits = { concurrency: 2, groups: { exports: 1 } };
      const { manager, register, clock, readRuns } = await startManager(t, { engine, limits });
      const latch = createLatch();
      register("free", never, latch.run, { overlap: "allow" });
      register("export", never, latch.run, { overlap: "allow", group: "exports" });
      for (const id of ["export", "export", "free", "free"]) await manager.runAt(id, new Date(clock.now()));
      for (let ended = 0; ended < 4; ended++) {
        await eventually(() => {
          clock.advance(second);
          return latch.count > ended;
        });
        await clock.elapse(3 * second);
        const running = (await readRuns({ status: "running" })).map(({ jobId }) => jobId);
        assert.ok(running.length <= 2 && running.filter((id) => id === "export").length <= 1, `${running}`);
        latch.release(ended);
      }
      await eventually(async () => (await readRuns({ status: "success" })).length === 4);
      assert.deepEqual(await manager.listQueued(), []);
    });

    it("starts a run that another job keeps from its place only later, and the others at once", async (t) => {
      const limits = { concurrency: 2, groups: {} };
      const { manager, register, clock } = await startManager(t, { engine, limits });
      const [long, quick] = [createLatch(), createLatch()];
      register("long", never, long.run);
      register("quick", never, quick.run);
      await manager.run("long");
      await eventually(() => long.count === 1);
      await manager.runAt("long", new Date(clock.now() - second));
      await manager.runAt("quick", new Date(clock.now()));
      await eventually(() => {
        clock.advance(second);
        return quick.count === 1;
      });
      assert.equal(long.count, 1);
    });

    it("starts runs once whose confirmation was lost", async (t) => {
      const { manager, register, clock, readRuns, database } = await startManager(t, { engine });
      const calls: string[] = [];
      register("job", never, ({ runId }) => calls.push(runId), { overlap: "allow" });
      const queued = [];
      for (let count = 0; count < 5; count++)
        queued.push(await manager.runAt("job", new Date(clock.now() + second)));
      // The transaction is committed, and the response does not arrive.
      const { transaction } = database;
      let hasFailed = false;
      t.mock.method(database, "transaction", async (work: never) => {
        const result = await transaction.call(database, work);
        const isBegin = typeof result === "object" && result !== null && "begun" in result;
        if (!isBegin || hasFailed) return result;
        hasFailed = true;
        throw new Error("connection lost");
      });
      await eventually(async () => {
        clock.advance(second);
        return (await readRuns({ status: "success" })).length === 5;
      });
      assert.ok(hasFailed);
      assert.deepEqual(calls.toSorted(), queued.map(({ id }) => id).toSorted());
    });

    it("keeps overdue runs of registered jobs, and removes those of unknown ones", async (t) => {
      const first = await createTestManager(t, { engine });
      first.register("known", never, () => {});
      first.register("gone", never, () => {});
      for (const id of ["known", "gone"]) await first.manager.runAt(id, new Date(first.clock.now()));
      await first.manager.stop(0);
      const clock = new FakeClock(first.clock.now() + 30 * 86_400_000);
      const next = await createTestManager(t, { database: first.database, clock });
      next.register("known", never, () => {});
      const signal = AbortSignal.timeout(180_000);
      await next.manager.pruneRuns({ retentionMs: 72 * 3_600_000, maxRuns: 1_000, signal });
      assert.deepEqual(
        (await next.manager.listQueued()).map(({ jobId }) => jobId),
        ["known"],
      );
    });

    it("replaces a retry only by a newer run with the same parameters", async (t) => {
      const { manager, register, clock, readRuns } = await startManager(t, { engine });
      const seen: unknown[] = [];
      const fail = (log: { attempt: number; parameters: unknown }) => {
        seen.push([log.attempt, log.parameters]);
        if (log.attempt === 1) throw new Error("no luck");
      };
      register("job", never, fail, { retries: { count: 1, delayMs: 10 * second } });
      for (const [index, parameters] of [1, 2, 2].entries()) {
        await manager.run("job", { parameters });
        await eventually(async () => (await readRuns({ status: "failed" })).length === index + 1);
        await clock.elapse(second);
      }
      await eventually(() => {
        clock.advance(second);
        return seen.length >= 5;
      });
      await clock.elapse(minute, 5 * second);
      assert.deepEqual(seen, [
        [1, 1],
        [1, 2],
        [1, 2],
        [2, 1],
        [2, 2],
      ]);
    });

    it("does not take runs of one request for attempts of each other", async (t) => {
      const { manager, register, clock, readRuns } = await startManager(t, { engine });
      register("job", never, () => {}, { overlap: "allow" });
      const traceId = "abcdefghijklmnopqr";
      const time = new Date(clock.now() + second);
      for (let count = 0; count < 3; count++) await manager.runAt("job", time, { traceId });
      await eventually(async () => {
        clock.advance(second);
        return (await readRuns({ status: "success" })).length === 3;
      });
      const [run] = await readRuns();
      assert.deepEqual(
        (await manager.runDetails(run!.id)).attempts.map(({ id }) => id),
        [run!.id],
      );
    });

    it("ends after the last attempt", async (t) => {
      const { manager, register, clock, readRuns } = await startManager(t, { engine });
      const fail = () => Promise.reject(new Error("no luck"));
      register("job", never, fail, { retries: { count: 2, delayMs: second, factor: 1 } });
      await manager.run("job");
      await eventually(async () => {
        clock.advance(second);
        return (await readRuns({ status: "failed" })).length === 3;
      });
      await clock.elapse(minute, 5 * second);
      assert.deepEqual(describeRuns(await readRuns()), [
        "manual 1 failed",
        "retry 2 failed",
        "retry 3 failed",
      ]);
    });
  });
}

describe("the queue of a fleet", () => {
  async function startFleet(t: TestContext, size: number) {
    const first = await createTestManager(t, { engine: "postgres" });
    const { database, clock } = first;
    const others = await Promise.all(
      Array.from({ length: size - 1 }, () => createTestManager(t, { database, clock })),
    );
    return [first, ...others] as const;
  }

  it("retries the run of a crashed instance on another one, up to the limit", async (t) => {
    const [first, other] = await startFleet(t, 2);
    const latch = createLatch();
    for (const { register, manager } of [first, other!]) {
      register("job", never, latch.run, { onInterrupt: "retry" });
      await manager.start();
    }
    const { id } = await first.manager.run("job", { parameters: [1] });
    await eventually(() => latch.count === 1);
    await first.expire();
    first.fence(true);
    await eventually(() => {
      first.clock.advance(second);
      return latch.count === 2;
    });
    const runs = await other!.readRuns();
    assert.deepEqual(describeRuns(runs), ["manual 1 interrupted", "retry 2 running"]);
    assert.equal(runs[0]!.id, id);
    assert.deepEqual(runs[1]!.parameters, [1]);
    assert.equal(runs[1]!.traceId, runs[0]!.traceId);
  });

  it("drops the retry of a run that succeeds after others had given it up", async (t) => {
    const [first, other] = await startFleet(t, 2);
    const latch = createLatch();
    for (const { register, manager } of [first, other!]) {
      register("job", never, latch.run, {
        onInterrupt: "retry",
        retries: { count: 1, delayMs: 10 * minute },
      });
      await manager.start();
    }
    const { id } = await first.manager.run("job");
    await eventually(() => latch.count === 1);
    await first.expire();
    await eventually(async () => {
      other!.clock.advance(second);
      return (await other!.manager.findRun(id)).status === "interrupted";
    });
    assert.equal((await other!.manager.listQueued()).length, 1);
    latch.release(0);
    await eventually(async () => (await other!.manager.findRun(id)).status === "success");
    assert.deepEqual(await other!.manager.listQueued(), []);
  });

  it("starts each queued run once", async (t) => {
    const fleet = await startFleet(t, 3);
    const calls: string[] = [];
    for (const { register, manager } of fleet) {
      register("job", never, ({ runId }) => calls.push(runId), { overlap: "allow" });
      await manager.start();
    }
    const [first] = fleet;
    const time = new Date(first.clock.now() + minute);
    const queued = await Promise.all(
      Array.from({ length: 100 }, (_, index) => first.manager.runAt("job", time, { parameters: index })),
    );
    await eventually(() => {
      first.clock.advance(second);
      return calls.length >= 100;
    });
    await eventually(async () => (await first.readRuns({ status: "success" })).length === 100);
    assert.deepEqual(calls.toSorted(), queued.map(({ id }) => id).toSorted());
  });

  it("starts a run once if storing it fails on one instance and succeeds on another", async (t) => {
    const [first, other] = await startFleet(t, 2);
    const calls: string[] = [];
    const latch = createLatch();
    for (const [name, { register, manager }] of Object.entries({ first, other: other! })) {
      register("job", never, () => {
        calls.push(name);
        return latch.run();
      });
      await manager.start();
    }
    let failures = 0;
    const { transaction } = first.database;
    t.mock.method(first.database, "transaction", async (work: never) => {
      // The first instance cannot store anything while the other one starts the run.
      if (failures++ === 0) throw new Error("connection lost");
      return transaction.call(first.database, work);
    });
    await first.manager.runAt("job", new Date(first.clock.now()));
    await eventually(() => {
      first.clock.advance(second);
      return calls.length > 0;
    });
    for (let round = 0; round < 5; round++) {
      first.clock.advance(second);
      await settle(20);
    }
    assert.equal(calls.length, 1);
    latch.release(0);
  });

  it("leaves the runs of a job to the instances that have it", async (t) => {
    const [first, other] = await startFleet(t, 2);
    let calls = 0;
    other!.register("new", never, () => calls++);
    for (const { manager } of [first, other!]) await manager.start();
    await other!.manager.runAt("new", new Date(first.clock.now()));
    await eventually(() => {
      first.clock.advance(second);
      return calls === 1;
    });
    assert.deepEqual(
      first.records.filter(({ level }) => level !== "debug"),
      [],
    );
  });
});

describe("the parameters of a run", () => {
  const schema = z.object({ day: z.iso.date(), limit: z.number().max(100).default(10) });

  it("are validated and converted by the schema, stored as given, and absent from scheduled runs", async (t) => {
    const { manager, clock, readRuns } = await startManager(t);
    const seen: unknown[] = [];
    manager.registerJob(
      "report",
      "Report",
      "",
      "* * * * *",
      ({ parameters }) => {
        const day: string | undefined = parameters?.day;
        seen.push([day, parameters?.limit]);
      },
      { parameters: schema },
    );
    await manager.run("report", { parameters: { day: "2026-03-01" } });
    await eventually(() => seen.length === 1);
    await eventually(async () => (await readRuns({ status: "success" })).length === 1);
    clock.advance(minute);
    await eventually(() => seen.length === 2);
    assert.deepEqual(seen, [
      ["2026-03-01", 10],
      [undefined, undefined],
    ]);
    await eventually(async () => (await readRuns({ status: "success" })).length === 2);
    assert.deepEqual(
      (await readRuns()).map(({ parameters }) => parameters),
      [{ day: "2026-03-01" }, undefined],
    );
  });

  it("are refused if the schema does not accept them, and nothing runs", async (t) => {
    const { manager, readRuns } = await startManager(t);
    manager.registerJob("report", "Report", "", never, () => {}, { parameters: schema });
    const parameters = { day: "yesterday", limit: 1_000 };
    for (const start of [
      () => manager.run("report", { parameters }),
      () => manager.runAt("report", new Date(), { parameters }),
    ]) {
      await assert.rejects(start, (error: { code: string; data: object; message: string }) => {
        assert.equal(error.code, "INVALID_PARAMETERS");
        assert.deepEqual(Object.keys(error.data), ["day", "limit"]);
        assert.match(error.message, /^The parameters are not valid: day: .*; limit: /);
        return true;
      });
    }
    assert.deepEqual(await readRuns(), []);
    assert.deepEqual(await manager.listQueued(), []);
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;
  for (const [what, parameters] of [
    ["too large", "x".repeat(70_000)],
    ["a function", () => {}],
    ["circular", circular],
    ["a bigint", 1n],
  ] as const) {
    it(`are refused if they are ${what}`, async (t) => {
      const { manager, register } = await startManager(t);
      register("job", never, () => {});
      await assert.rejects(manager.run("job", { parameters }), { code: "INVALID_FIELDS", status: 400 });
    });
  }

  it("fail a queued run if the schema has changed and no longer accepts them", async (t) => {
    const { manager, register, clock, readRuns } = await startManager(t);
    register("job", never, () => {});
    await manager.runAt("job", new Date(clock.now() + second), { parameters: { day: 1 } });
    manager.registerJob("job", "Job", "", never, () => assert.fail("it ran"), { parameters: schema });
    await eventually(async () => {
      clock.advance(second);
      return (await readRuns({ status: "failed" })).length === 1;
    });
    assert.match((await readRuns())[0]!.output, /The parameters are not valid: day/);
  });

  it("need a schema of a library that supports Standard Schema", async (t) => {
    const { register } = await startManager(t);
    assert.throws(() => register("job", never, () => {}, { parameters: { day: "string" } as never }), {
      code: "INVALID_JOB",
      message: /parameters must be a schema .* such as Zod, Valibot or ArkType/,
    });
  });
});

describe("the time of a single run", () => {
  for (const time of [new Date(Number.NaN), "2026-03-02" as never, new Date(-1), new Date(8.64e15)]) {
    it(`cannot be ${time}`, async (t) => {
      const { manager, register } = await startManager(t);
      register("job", never, () => {});
      await assert.rejects(manager.runAt("job", time), { code: "INVALID_FIELDS", status: 400 });
    });
  }
});
