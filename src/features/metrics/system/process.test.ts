import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import { createProcess, createThreads } from "./process.ts";
import { createFakeMachine, valuesOf } from "./testing/fake-machine.ts";
import { throttleMs } from "./throttled.ts";

describe("this process", () => {
  it("is seen at work, as a share of one core", () => {
    const part = createProcess();
    const outer = process.cpuUsage();
    assert.ok(!("process.cpu_ratio" in valuesOf(part, 0)));
    const inner = process.cpuUsage();
    while (spentMs(inner) < 100);
    const least = spentMs(inner);
    const ratio = valuesOf(part, 50)["process.cpu_ratio"]!;
    assert.ok(ratio >= least / 50, "more than one core is more than 1");
    assert.ok(ratio <= spentMs(outer) / 50);
  });

  it("says how much memory it holds", () => {
    const part = createProcess();
    const before = valuesOf(part);
    const held = Buffer.alloc(64 * 1024 * 1024, 1);
    const after = valuesOf(part);
    assert.ok(after["process.array_buffers_bytes"]! - before["process.array_buffers_bytes"]! >= held.length);
    assert.ok(after["process.rss_bytes"]! > held.length);
    assert.ok(after["process.external_bytes"]! >= after["process.array_buffers_bytes"]!);
    assert.ok(after["process.heap_used_bytes"]! <= after["process.heap_total_bytes"]!);
    assert.ok(after["process.heap_total_bytes"]! < after["process.heap_limit_bytes"]!);
  });

  it("names the spaces of its heap, which add up to the heap", () => {
    const values = valuesOf(createProcess());
    const spaces = Object.entries(values).filter(([name]) => name.startsWith("process.heap_space."));
    const sum = spaces.reduce((total, [, bytes]) => total + bytes, 0);
    assert.ok("process.heap_space.old_space.used_bytes" in values);
    assert.ok(Math.abs(sum - values["process.heap_used_bytes"]!) < 4 * 1024 * 1024);
  });

  it("counts what keeps it alive every ten seconds", () => {
    const part = createProcess();
    const before = valuesOf(part, 0)["process.handles"]!;
    const timers = [setInterval(() => {}, 60_000), setInterval(() => {}, 60_000)];
    assert.equal(valuesOf(part, throttleMs - 1)["process.handles"], before);
    assert.equal(valuesOf(part, throttleMs)["process.handles"], before + 2);
    timers.forEach(clearInterval);
  });

  it("says how long it has run", () => {
    const uptime = valuesOf(createProcess())["process.uptime_seconds"]!;
    assert.ok(uptime > 0 && uptime <= process.uptime());
  });
});

function spentMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

describe("the threads of a process", () => {
  const stat = (name: string) =>
    `24287 (${name}) R 24274 24274 23138 0 -1 4194304 103 0 0 0 1 2 3 4 20 0 17 0 3277811 3133440 375\n`;

  it("are counted, whatever the program is called", (t) => {
    const machine = createFakeMachine(t);
    for (const name of ["node", "a b) R 1 (c", "(("]) {
      machine.write({ "proc/self/stat": stat(name) });
      assert.deepEqual(valuesOf(createThreads(machine.root)), { "process.threads": 17 });
    }
  });

  it("are not known from a file that is missing, cut short or garbage", (t) => {
    const machine = createFakeMachine(t);
    assert.deepEqual(valuesOf(createThreads(machine.root)), {});
    for (const text of ["24287 (node) R 1 2 3", "garbage", ""]) {
      machine.write({ "proc/self/stat": text });
      assert.deepEqual(valuesOf(createThreads(machine.root)), {});
    }
  });

  it("grow with a worker, where Linux counts them", async () => {
    const threads = () => valuesOf(createThreads("/"))["process.threads"] ?? 0;
    const before = threads();
    const worker = new Worker("require('node:worker_threads').parentPort.once('message', () => {})", {
      eval: true,
    });
    await once(worker, "online");
    assert.equal(threads() > before, process.platform === "linux");
    await worker.terminate();
  });
});
