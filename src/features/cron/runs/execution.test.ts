import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, settle } from "../../../lib/testing/fake-clock.ts";
import { traceContext } from "../../../lib/trace-context.ts";
import { Execution } from "./execution.ts";
import type { JobFunction } from "./runnable-job.ts";

async function execute(run: JobFunction, timeoutMs?: number) {
  const clock = new FakeClock("2026-03-02T10:00:00Z");
  const execution = new Execution({
    clock,
    run,
    jobId: "report",
    runId: "run1",
    traceId: "abcdefghijklmnopqr",
    scheduledAt: clock.now(),
    timeoutMs,
  });
  // The run starts one turn later.
  await settle(1);
  const entries = () => JSON.parse(execution.output.toString()) as { level: string; message: string }[];
  return { clock, execution, entries };
}

describe("an execution", () => {
  it("writes an entry for each method, with its name as the level", async () => {
    const { execution, entries } = await execute((log) => {
      log.start("begin");
      log.info("so far");
      log.progress(0.5);
      log.progress("half");
      log.success("well");
      log.complete();
      log.warn("careful");
      log.error("not fatal");
    });
    assert.deepEqual(await execution.ended, { status: "success", error: undefined, isCancelled: false });
    assert.deepEqual(
      entries().map(({ level, message }) => `${level}: ${message}`),
      [
        "start: begin",
        "info: so far",
        "progress: 50%",
        "progress: half",
        "success: well",
        "complete: Completed",
        "warn: careful",
        "error: not fatal",
      ],
    );
    assert.equal(execution.progress, 0.5);
  });

  it("gives the run's id, the scheduled time and the trace", async () => {
    let seen: unknown[] = [];
    const { execution } = await execute(async (log) => {
      await settle();
      seen = [log.runId, log.scheduledAt.toISOString(), traceContext.getStore()?.traceId, log.signal.aborted];
    });
    await execution.ended;
    assert.deepEqual(seen, ["run1", "2026-03-02T10:00:00.000Z", "abcdefghijklmnopqr", false]);
  });

  const failures: [what: string, run: JobFunction, last: string][] = [
    [
      "a throw",
      () => {
        throw new TypeError("no such thing");
      },
      "TypeError: no such thing",
    ],
    [
      "a rejection",
      () => Promise.reject(new Error("went wrong", { cause: new Error("deep") })),
      "went wrong (caused by deep)",
    ],
    [
      "a chain of causes",
      () => {
        const errors = [new RangeError("one"), new Error("two")];
        throw new Error("top", { cause: new AggregateError(errors, "middle", { cause: { code: 7 } }) });
      },
      'top (caused by AggregateError: middle, caused by object: {"code":7}, with error RangeError: one, with error two)',
    ],
    [
      "an error with secrets",
      () => {
        throw new Error("GET /x?token=canary", { cause: { code: "E1", note: "canary" } });
      },
      'GET /x?token=[redacted] (caused by object: {"code":"E1"})',
    ],
    [
      "an object with secrets",
      () => {
        throw { password: "canary", code: 7 };
      },
      '{"code":7}',
    ],
    ["fail", (log) => log.fail(new Error("told so")), "told so"],
    ["fail with a text", (log) => log.fail("told so"), "told so"],
    [
      "a thrown text",
      () => {
        throw "just text";
      },
      "just text",
    ],
    [
      "a thrown nothing",
      () => {
        throw undefined;
      },
      "undefined",
    ],
    [
      "something that cannot be shown",
      () => {
        throw { [Symbol.for("nodejs.util.inspect.custom")]: () => assert.fail() };
      },
      "{}",
    ],
  ];
  for (const [what, run, last] of failures) {
    it(`fails by ${what}, and keeps what was written before`, async () => {
      const { execution, entries } = await execute((log) => {
        log.info("before");
        return run(log);
      });
      assert.equal((await execution.ended).status, "failed");
      assert.deepEqual(entries(), [
        { level: "info", message: "before" },
        { level: "error", message: last },
      ]);
    });
  }

  it("times out after its limit", async () => {
    const { clock, execution, entries } = await execute(
      (log) =>
        new Promise((_, reject) => {
          log.signal.addEventListener("abort", () => {
            log.info(`putting away after a ${log.signal.reason.name}`);
            reject(log.signal.reason);
          });
        }),
      2_000,
    );
    clock.advance(2_000);
    assert.equal((await execution.ended).status, "timeout");
    assert.deepEqual(
      entries().map(({ message }) => message),
      ["putting away after a TimeoutError", "Timed out after 2.00s"],
    );
  });

  it("is abandoned if it ignores its signal, and its later output is discarded", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { clock, execution, entries } = await execute(async (log) => {
      await promise;
      log.info("too late");
    }, 2_000);
    clock.advance(6_999);
    await settle();
    assert.deepEqual(entries(), []);
    clock.advance(1);
    assert.equal((await execution.ended).status, "timeout");
    resolve();
    await settle();
    assert.equal(entries().length, 1);
  });

  it("fails if it was cancelled, regardless of its result", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { execution, entries } = await execute((log) => {
      log.signal.addEventListener("abort", () => resolve());
      return promise;
    });
    execution.cancel("ada@example.com");
    assert.deepEqual(await execution.ended, { status: "failed", isCancelled: true });
    assert.deepEqual(entries(), [{ level: "error", message: "Cancelled by ada@example.com" }]);
    execution.cancel("bob@example.com");
    assert.equal(entries().length, 1);
  });

  it("succeeds within the grace period when the application stops, and is interrupted otherwise", async () => {
    const good = await execute(async (log) => {
      await new Promise((resolve) => log.signal.addEventListener("abort", resolve));
      log.success("put away in time");
    });
    good.execution.interrupt(1_000);
    assert.equal((await good.execution.ended).status, "success");

    const broken = await execute(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      signal.throwIfAborted();
    });
    broken.execution.interrupt(1_000);
    assert.equal((await broken.execution.ended).status, "interrupted");

    const deaf = await execute(() => new Promise(() => {}));
    deaf.execution.interrupt(1_000);
    deaf.clock.advance(1_000);
    assert.equal((await deaf.execution.ended).status, "interrupted");
  });

  it("reports progress in full percent from 0 to 1", async () => {
    const heard: number[] = [];
    let report: (value: number) => void = () => {};
    const { promise, resolve } = Promise.withResolvers<void>();
    const { execution, entries } = await execute((log) => {
      report = log.progress;
      return promise;
    });
    const end = execution.followProgress((progress) => heard.push(progress));
    for (const value of [0.1, 0.101, 0.109, 0.2, Number.NaN, 7, -1]) report(value);
    end();
    report(0.5);
    resolve();
    await execution.ended;
    assert.deepEqual(heard, [0.1, 0.2, 1, 0]);
    assert.deepEqual(
      entries().map(({ message }) => message),
      ["10%", "20%", "100%", "0%", "50%"],
    );
  });

  it("times out even if it blocks the event loop", async () => {
    const clock = { now: Date.now, elapsed: () => elapsed, after: () => () => {} };
    let elapsed = 0;
    const run = () => {
      elapsed = 2_001;
    };
    const options = {
      clock,
      run,
      jobId: "report",
      runId: "run1",
      traceId: "abcdefghijklmnopqr",
      scheduledAt: 0,
    };
    const execution = new Execution({ ...options, timeoutMs: 2_000 });
    assert.equal((await execution.ended).status, "timeout");
  });

  it("fails because of an error in background work, which is reported", async () => {
    const unhandled: unknown[] = [];
    const error = new Error("in a timer");
    const execution = new Execution({
      clock: new FakeClock(0),
      run: () => traceContext.getStore()!.onUnhandled!(error),
      jobId: "report",
      runId: "run1",
      traceId: "abcdefghijklmnopqr",
      scheduledAt: 0,
      timeoutMs: undefined,
      onUnhandled: (error) => unhandled.push(error),
    });
    assert.partialDeepStrictEqual(await execution.ended, { status: "failed", error });
    assert.deepEqual(unhandled, [error]);
    assert.match(execution.output.toString(), /in a timer/);
  });

  it("does not start if it was cancelled before", async () => {
    const execution = new Execution({
      clock: new FakeClock(0),
      run: () => assert.fail("it began"),
      jobId: "report",
      runId: "run1",
      traceId: "abcdefghijklmnopqr",
      scheduledAt: 0,
      timeoutMs: undefined,
    });
    assert.equal(execution.cancel("ada@example.com"), true);
    assert.partialDeepStrictEqual(await execution.ended, { status: "failed", isCancelled: true });
    assert.equal(execution.cancel("ada@example.com"), false);
  });

  it("does not delay the stop of the application if it was cancelled and does not end", async () => {
    const { execution } = await execute(() => new Promise(() => {}));
    execution.cancel("ada@example.com");
    execution.interrupt(0);
    assert.partialDeepStrictEqual(await execution.ended, { status: "failed", isCancelled: true });
  });
});
