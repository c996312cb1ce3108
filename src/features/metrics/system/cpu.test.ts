import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createCpu, maximumCores, readOsCpus, readProcStat } from "./cpu.ts";
import { createFakeMachine, valuesOf } from "./testing/fake-machine.ts";

const rest = "intr 179421355 0 0 0\nctxt 12\nbtime 1700000000\n";
// user nice system idle iowait irq softirq steal guest guest_nice
const start = `cpu  200 20 60 600 100 4 6 10 50 5\ncpu0 100 10 30 300 50 2 3 5 50 5\ncpu1 100 10 30 300 50 2 3 5 0 0\n${rest}`;

describe("the cores of a machine with /proc", () => {
  it("are busy unless idle or waiting, and guest time counts once", (t) => {
    const machine = createFakeMachine(t, { "proc/stat": start });
    const cpu = createCpu(() => readProcStat(machine.root));
    valuesOf(cpu);
    machine.write({
      "proc/stat": `cpu  230 25 70 700 140 6 9 20 80 10\ncpu0 130 15 40 300 50 4 6 15 80 10\ncpu1 100 10 30 400 90 2 3 5 0 0\n${rest}`,
    });
    // Total: 30 + 5 + 10 + 2 + 3 + 10 of 200; first core: 60 of 60.
    assert.deepEqual(valuesOf(cpu), {
      "cpu.ratio": 0.3,
      "cpu.steal_ratio": 0.05,
      "cpu.core.0.ratio": 1,
      "cpu.core.1.ratio": 0,
    });
  });

  it("are absent from the first sample and if no time has passed", (t) => {
    const { root } = createFakeMachine(t, { "proc/stat": start });
    const cpu = createCpu(() => readProcStat(root));
    assert.deepEqual(valuesOf(cpu), {});
    assert.deepEqual(valuesOf(cpu), {});
  });

  it("can go offline and online, and keep their numbers", (t) => {
    const machine = createFakeMachine(t, { "proc/stat": "cpu0 10 0 0 10 0 0 0 0\ncpu3 10 0 0 10 0 0 0 0\n" });
    const cpu = createCpu(() => readProcStat(machine.root));
    valuesOf(cpu);
    machine.write({ "proc/stat": "cpu1 99 0 0 99 0 0 0 0\ncpu3 11 0 0 13 0 0 0 0\n" });
    assert.deepEqual(valuesOf(cpu), { "cpu.core.3.ratio": 0.25 });
  });

  it("that decrease are absent once and included again afterwards", (t) => {
    const machine = createFakeMachine(t, { "proc/stat": "cpu  50 0 0 50 0 0 0 0\n" });
    const cpu = createCpu(() => readProcStat(machine.root));
    valuesOf(cpu);
    machine.write({ "proc/stat": "cpu  5 0 0 5 0 0 0 0\n" });
    assert.deepEqual(valuesOf(cpu), {});
    machine.write({ "proc/stat": "cpu  6 0 0 8 0 0 0 0\n" });
    assert.deepEqual(valuesOf(cpu), { "cpu.ratio": 0.25, "cpu.steal_ratio": 0 });
  });

  it("are never more than 100% busy, even if the kernel decreases the wait time", (t) => {
    const machine = createFakeMachine(t, { "proc/stat": "cpu  50 0 0 50 20 0 0 0\n" });
    const cpu = createCpu(() => readProcStat(machine.root));
    valuesOf(cpu);
    machine.write({ "proc/stat": "cpu  60 0 0 50 15 0 0 0\n" });
    assert.equal(valuesOf(cpu)["cpu.ratio"], 1);
  });

  it("are shown individually up to a limit", (t) => {
    const lines = (ticks: number) =>
      Array.from({ length: 300 }, (_, core) => `cpu${core} ${ticks} 0 0 ${ticks} 0 0 0 0\n`).join("");
    const machine = createFakeMachine(t, { "proc/stat": `cpu  9 0 0 9 0 0 0 0\n${lines(1)}` });
    const cpu = createCpu(() => readProcStat(machine.root));
    valuesOf(cpu);
    machine.write({ "proc/stat": `cpu  10 0 0 12 0 0 0 0\n${lines(2)}` });
    const values = valuesOf(cpu);
    assert.equal(Object.keys(values).filter((name) => name.startsWith("cpu.core.")).length, maximumCores);
    assert.equal(values["cpu.core.255.ratio"], 0.5);
    assert.equal(values["cpu.ratio"], 0.25);
  });

  for (const [what, text] of Object.entries({
    "is empty": "",
    "is garbage": "cpu\ncpu x y\ncpuid 1 2\0\n",
    "is cut short": "cpu  1 2 3\ncpu0 1",
    "begins with something else": `intr 1\n${start}`,
  }))
    it(`are absent if the file ${what}`, (t) => {
      const { root } = createFakeMachine(t, { "proc/stat": text });
      const cpu = createCpu(() => readProcStat(root));
      valuesOf(cpu);
      assert.deepEqual(valuesOf(cpu), {});
    });

  it("are absent without the file", (t) => {
    const { root } = createFakeMachine(t);
    const cpu = createCpu(() => readProcStat(root));
    valuesOf(cpu);
    assert.deepEqual(valuesOf(cpu), {});
  });
});

describe("the cores of this machine", () => {
  const busyMs = 200;
  const sources = {
    "node:os": () => readOsCpus(process.platform),
    ...(process.platform === "linux" && { "/proc": () => readProcStat("/") }),
  };
  for (const [source, read] of Object.entries(sources))
    it(`are seen at work, by ${source}`, () => {
      const cpu = createCpu(read);
      valuesOf(cpu);
      for (const start = process.cpuUsage(); process.cpuUsage(start).user < busyMs * 1000; );
      const values = valuesOf(cpu);
      assert.ok(values["cpu.ratio"]! > 0 && values["cpu.ratio"]! <= 1);
      assert.ok(values["cpu.core.0.ratio"]! <= 1);
      // Node does not report stolen time.
      assert.equal("cpu.steal_ratio" in values, source === "/proc");
    });
});
