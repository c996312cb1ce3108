import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, it, type TestContext } from "node:test";
import { promisify } from "node:util";
import { FakeClock } from "../testing/fake-clock.ts";
import { settles, until } from "../testing/until.ts";
import { startWorker, type WorkerOptions, type WorkerStatus } from "./start-worker.ts";
import { recordThreads } from "./testing/started-threads.ts";
import type { TestWorker } from "./testing/test-worker.ts";
import type { ThreadDeadlines } from "./thread.ts";

const entry = new URL("./testing/test-worker.ts", import.meta.url);

interface Given extends Partial<Omit<WorkerOptions<TestWorker>, "data" | "deadlines">> {
  readonly data?: Partial<TestWorker["data"]>;
  readonly deadlines?: Partial<ThreadDeadlines>;
}

function start(t: TestContext, { data, deadlines, ...given }: Given = {}) {
  const started = recordThreads(t);
  const notes: string[] = [];
  const changes: WorkerStatus[] = [];
  const worker = startWorker<TestWorker>({
    entry,
    name: "test-thread",
    data: { greeting: "Hello", ...data },
    handlers: { shout: (text) => text.toUpperCase(), note: (text) => void notes.push(text) },
    deadlines: { startMs: 60_000, callMs: 60_000, closeMs: 60_000, ...deadlines },
    onStatus: (status) => void changes.push(status),
    ...given,
  });
  t.after(() => worker.close(100));
  const restarted = () =>
    until("it has restarted", () => started.length > 1 && worker.status().state === "running");
  return { worker, started, notes, changes, restarted };
}

const state = ({ worker }: Pick<ReturnType<typeof start>, "worker">) => worker.status().state;

describe("a call to a thread", () => {
  it("returns the output of its handler", async (t) => {
    const { worker } = start(t);
    const [greeting, sum] = await Promise.all([worker.call("greet", "Ada"), worker.call("add", 1, 2)]);
    assert.equal(greeting, "Hello, Ada");
    assert.equal(sum, 3);
    assert.deepEqual(worker.status(), { state: "running", problem: undefined, lost: 0, pendingBytes: 0 });
  });

  it("is checked by the compiler", async (t) => {
    const { worker } = start(t);
    // @ts-expect-error: the output is a string.
    const wrong: Promise<number> = worker.call("greet", "Ada");
    assert.equal(await wrong, "Hello, Ada");
    // @ts-expect-error: the input must be a string.
    assert.equal(await worker.call("greet", 1), "Hello, 1");
    // @ts-expect-error: an input is missing.
    assert.equal(await worker.call("add", 1), Number.NaN);
    // @ts-expect-error: there is no such call.
    await assert.rejects(worker.call("nothing"), { code: "WORKER_UNKNOWN_CALL" });
    // @ts-expect-error: the output of a post has a type, too.
    worker.post("greet", ["Ada"], { onDone: (output: number) => output });
  });

  it("rejects with the message, name and code of the handler's error", async (t) => {
    const { worker } = start(t);
    const expected = { name: "RangeError", message: "too far", code: "FAR" };
    await assert.rejects(worker.call("fail", "too far", "FAR"), expected);
    assert.equal(worker.status().problem, undefined);
    assert.equal(await worker.call("add", 1, 1), 2);
  });

  it("rejects after the deadline, and the thread continues", async (t) => {
    const { worker, started } = start(t, { deadlines: { callMs: 50 } });
    await started[0]!.ready;
    await assert.rejects(worker.call("wait"), {
      code: "WORKER_TIMEOUT",
      message: "No response from the thread test-thread within 50 ms.",
    });
    assert.equal(state({ worker }), "running");
  });

  it("works in the other direction as well", async (t) => {
    const { worker, notes } = start(t);
    assert.equal(await worker.call("shoutTwice", "hey"), "HEY HEY");
    assert.deepEqual(notes, ["hey"]);
  });
});

describe("a message to a thread", () => {
  it("can move memory to the thread and back", async (t) => {
    const { worker } = start(t);
    const memory = new ArrayBuffer(8);
    const done = Promise.withResolvers<ArrayBuffer>();
    worker.post("increase", [memory], { transfer: [memory], bytes: 8, onDone: done.resolve });
    assert.ok(memory.detached);
    assert.equal(worker.status().pendingBytes, 8);
    assert.equal(new Uint8Array(await settles("it is back", done.promise))[0], 1);
    assert.equal(worker.status().pendingBytes, 0);
  });

  it("that fails is lost and reported as a problem, until the service reports recovery", async (t) => {
    const { worker } = start(t);
    worker.post("fail", ["disk is full", "FULL"], { count: 5 });
    await worker.call("add", 1, 1);
    assert.deepEqual([worker.status().problem, worker.status().lost], ["disk is full", 5]);
    await worker.call("report", undefined);
    assert.equal(worker.status().problem, undefined);
  });

  it("that exceeds the limit is dropped and counted", async (t) => {
    const { worker, started } = start(t, { maxPendingBytes: 100, restartMs: 1 });
    await started[0]!.ready;
    for (let index = 0; index < 5; index++) worker.post("wait", [], { bytes: 40, count: 10 });
    assert.deepEqual([worker.status().pendingBytes, worker.status().lost], [80, 30]);
    // Those that were pending are lost with the thread, and there is room again.
    await started[0]!.worker.terminate();
    await until("it has ended", () => worker.status().lost === 50);
    await until("it has restarted", () => worker.status().state === "running");
    assert.equal(worker.status().pendingBytes, 0);
    worker.post("wait", [], { bytes: 100 });
    assert.deepEqual([worker.status().pendingBytes, worker.status().lost], [100, 50]);
  });
});

describe("a thread that ends", () => {
  const ends: Record<string, { call: "block" | "exhaustMemory" | "exit"; reason: RegExp }> = {
    "by itself": { call: "exit", reason: /exit code 3/ },
    "because its memory is exhausted": { call: "exhaustMemory", reason: /memory/ },
    "because it hangs": { call: "block", reason: /no response within 1000 ms/ },
  };
  for (const [how, { call, reason }] of Object.entries(ends)) {
    it(`${how} is restarted, and its pending messages are counted`, async (t) => {
      const { worker, started, changes, restarted } = start(t, {
        restartMs: 1,
        resourceLimits: { maxOldGenerationSizeMb: 20 },
        // A thread that runs out of memory may be silent for long before it ends.
        deadlines: call === "block" ? { hangMs: 1_000 } : {},
      });
      await started[0]!.ready;
      worker.post("wait", [], { count: 7, bytes: 1_000 });
      const pending = worker.call("wait");
      if (call === "exit") worker.post("exit", [3], { count: 1 });
      else worker.post(call, [], { count: 1 });
      await assert.rejects(settles("the call is rejected", pending), {
        code: "WORKER_ENDED",
        message: reason,
      });
      await restarted();
      assert.deepEqual(worker.status(), { state: "running", problem: undefined, lost: 8, pendingBytes: 0 });
      assert.equal(await worker.call("add", 1, 2), 3);
      const restarting = changes.find((change) => change.state === "restarting");
      assert.match(restarting!.problem!, /^The thread test-thread has ended: /);
      assert.match(restarting!.problem!, reason);
    });
  }

  it("rejects calls and counts messages until it has restarted", async (t) => {
    const clock = new FakeClock(0);
    const { worker, started } = start(t, { restartMs: 1_000, clock });
    await started[0]!.ready;
    await started[0]!.worker.terminate();
    await until("it has ended", () => worker.status().state === "restarting");
    await assert.rejects(worker.call("add", 1, 2), { code: "WORKER_NOT_RUNNING", message: /exit code 1/ });
    worker.post("report", [undefined], { count: 4 });
    assert.equal(worker.status().lost, 4);
  });

  it("restarts later and later while it cannot start", async (t) => {
    const clock = new FakeClock(0);
    const { worker, started } = start(t, { restartMs: 1_000, clock, data: { opens: "with an error" } });
    const hasEnded = async (times: number) => {
      await until("it has ended", () => worker.status().state === "restarting");
      assert.equal(started.length, times);
      // The restart is scheduled after the end.
      await new Promise((resolve) => setImmediate(resolve));
    };
    await hasEnded(1);
    assert.match(worker.status().problem!, /no way to open/);
    for (const [times, delayMs] of [1_000, 2_000, 4_000].entries()) {
      clock.advance(delayMs - 1);
      assert.equal(started.length, times + 1);
      clock.advance(1);
      assert.equal(started.length, times + 2);
      await hasEnded(times + 2);
    }
  });

  it("is not restarted without restartMs", async (t) => {
    const { worker, started } = start(t);
    await started[0]!.ready;
    await started[0]!.worker.terminate();
    await until("it has failed", () => worker.status().state === "failed");
    assert.match(worker.status().problem!, /exit code 1/);
    await assert.rejects(worker.call("add", 1, 2), { code: "WORKER_NOT_RUNNING" });
  });

  for (const opens of ["never", "blocking"] as const) {
    it(`is terminated if it is not ready in time: ${opens}`, async (t) => {
      const { worker } = start(t, { data: { opens }, deadlines: { startMs: 100 } });
      await until("it has failed", () => worker.status().state === "failed");
      assert.match(worker.status().problem!, /not ready within 100 ms/);
    });
  }

  it("has no effect on a thread that works for long without blocking", async (t) => {
    const { worker, started } = start(t, { restartMs: 1, deadlines: { hangMs: 1_500 } });
    await worker.call("delay", 4_000);
    assert.equal(started.length, 1);
    assert.equal(worker.status().state, "running");
  });
});

describe("a closed thread", () => {
  it("finishes its work first", async (t) => {
    const { worker, started, notes } = start(t);
    const called = worker.call("add", 1, 2);
    await worker.close();
    assert.equal(await called, 3);
    assert.deepEqual(notes, ["closed"]);
    assert.equal(started[0]!.worker.threadId, -1);
    assert.deepEqual(worker.status(), { state: "closed", problem: undefined, lost: 0, pendingBytes: 0 });
    await assert.rejects(worker.call("add", 1, 2), { code: "WORKER_NOT_RUNNING", message: /it was closed/ });
    worker.post("wait", []);
    assert.equal(worker.status().lost, 1);
  });

  for (const how of ["never closes", "blocks"]) {
    it(`is terminated after the deadline if it ${how}`, async (t) => {
      const { worker, started } = start(t, {
        restartMs: 1,
        data: how === "blocks" ? {} : { closes: "never" },
        deadlines: { closeMs: 100 },
      });
      await started[0]!.ready;
      const pending = worker.call("wait");
      worker.post(how === "blocks" ? "block" : "wait", []);
      const rejected = assert.rejects(pending, { code: "WORKER_ENDED", message: /was closed/ });
      await settles("it is closed", worker.close());
      await rejected;
      assert.equal(started[0]!.worker.threadId, -1);
      assert.deepEqual([worker.status().state, worker.status().lost], ["closed", 1]);
      assert.equal(started.length, 1);
    });
  }

  it("does not restart", async (t) => {
    const clock = new FakeClock(0);
    const { worker, started } = start(t, { restartMs: 1_000, clock });
    await started[0]!.ready;
    await started[0]!.worker.terminate();
    await until("it has ended", () => worker.status().state === "restarting");
    await worker.close();
    clock.advance(100_000);
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(100_000);
    assert.deepEqual([started.length, worker.status().state], [1, "closed"]);
  });

  it("that is lazy never starts without a message", async (t) => {
    const { worker, started } = start(t, { isLazy: true });
    assert.equal(worker.status().state, "idle");
    await worker.close();
    assert.equal(started.length, 0);
  });

  it("that is lazy starts with the first message", async (t) => {
    const { worker, started } = start(t, { isLazy: true });
    assert.equal(await worker.call("add", 1, 2), 3);
    assert.equal(started.length, 1);
  });
});

describe("a process with a thread", () => {
  const moduleUrl = new URL("./start-worker.ts", import.meta.url).href;
  const run = async (then: string) => {
    const program = `
      const { startWorker } = await import(${JSON.stringify(moduleUrl)});
      const worker = startWorker({
        entry: new URL(${JSON.stringify(entry.href)}), name: "test-thread", data: { greeting: "Hello" }, handlers: {},
        deadlines: { closeMs: 1_000 }, restartMs: 1_000,
      });
      ${then}`;
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const options = { env, timeout: 180_000 };
    return promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], options);
  };

  it("ends although the thread runs", async () => {
    const { stdout } = await run(`worker.post("wait", []); console.log("end");`);
    assert.equal(stdout, "end\n");
  });

  it("waits for pending calls", async () => {
    const { stdout } = await run(`console.log(await worker.call("add", 1, 2));`);
    assert.equal(stdout, "3\n");
  });
});
