import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFakeMachine, valuesOf } from "../testing/fake-machine.ts";
import { inGroupOfFirst, inGroupOfSecond } from "../testing/groups.ts";
import { throttleMs } from "../throttled.ts";
import { createContainerCpu } from "./container-cpu.ts";

const limit = "container.cpu_limit_cores";
const ratio = "container.cpu_ratio";
const throttled = "container.throttled_ratio";

describe("the cores of a container, second version", () => {
  const app = "sys/fs/cgroup/pod/app";
  const stat = (usage: number, periods: number, cut: number) =>
    `usage_usec ${usage}\nuser_usec 1\nsystem_usec 1\nnr_periods ${periods}\nnr_throttled ${cut}\nthrottled_usec 5\n`;

  it("have a limit, usage and throttling", (t) => {
    const machine = createFakeMachine(t, {
      ...inGroupOfSecond,
      [`${app}/cpu.max`]: "150000 100000\n",
      [`${app}/cpu.stat`]: stat(1_000_000, 100, 10),
    });
    const cpu = createContainerCpu(machine.root);
    assert.deepEqual(valuesOf(cpu, 0), { [limit]: 1.5 });
    machine.write({ [`${app}/cpu.stat`]: stat(2_500_000, 120, 15) });
    assert.deepEqual(valuesOf(cpu, 2_000), { [limit]: 1.5, [ratio]: 0.5, [throttled]: 0.25 });
  });

  it("are subject to a tighter limit of an ancestor, with that group's usage", (t) => {
    const machine = createFakeMachine(t, {
      ...inGroupOfSecond,
      [`${app}/cpu.max`]: "max 100000\n",
      [`${app}/cpu.stat`]: stat(0, 0, 0),
      "sys/fs/cgroup/pod/cpu.max": "50000 100000\n",
      "sys/fs/cgroup/pod/cpu.stat": stat(0, 0, 0),
    });
    const cpu = createContainerCpu(machine.root);
    valuesOf(cpu, 0);
    machine.write({
      "sys/fs/cgroup/pod/cpu.stat": stat(500_000, 10, 10),
      [`${app}/cpu.stat`]: stat(1, 0, 0),
    });
    assert.deepEqual(valuesOf(cpu, 1_000), { [limit]: 0.5, [ratio]: 1, [throttled]: 1 });
  });

  it("are not throttled if no period was counted", (t) => {
    const { root } = createFakeMachine(t, {
      ...inGroupOfSecond,
      [`${app}/cpu.max`]: "100000 100000\n",
      [`${app}/cpu.stat`]: stat(5, 7, 2),
    });
    const cpu = createContainerCpu(root);
    valuesOf(cpu, 0);
    assert.deepEqual(valuesOf(cpu, 1_000), { [limit]: 1, [ratio]: 0, [throttled]: 0 });
  });

  it("are not compared between one group and another when the limit moves", (t) => {
    const machine = createFakeMachine(t, {
      ...inGroupOfSecond,
      [`${app}/cpu.max`]: "100000 100000\n",
      [`${app}/cpu.stat`]: stat(0, 0, 0),
      "sys/fs/cgroup/pod/cpu.max": "max 100000\n",
      "sys/fs/cgroup/pod/cpu.stat": stat(9_000_000, 50, 5),
    });
    const cpu = createContainerCpu(machine.root);
    valuesOf(cpu, 0);
    machine.write({ "sys/fs/cgroup/pod/cpu.max": "50000 100000\n" });
    assert.deepEqual(valuesOf(cpu, throttleMs), { [limit]: 0.5 });
    assert.deepEqual(valuesOf(cpu, throttleMs + 1_000), { [limit]: 0.5, [ratio]: 0, [throttled]: 0 });
  });

  it("are absent without a limit", (t) => {
    const { root } = createFakeMachine(t, {
      ...inGroupOfSecond,
      [`${app}/cpu.max`]: "max 100000\n",
      [`${app}/cpu.stat`]: stat(5, 7, 2),
    });
    const cpu = createContainerCpu(root);
    valuesOf(cpu, 0);
    assert.deepEqual(valuesOf(cpu, 1_000), {});
  });
});

describe("the cores of a container, first version", () => {
  const files = (usage: number, periods: number, cut: number) => ({
    "sys/fs/cgroup/cpu/pod/app/cpu.stat": `nr_periods ${periods}\nnr_throttled ${cut}\nthrottled_time 5\n`,
    "sys/fs/cgroup/cpuacct/pod/app/cpuacct.usage": `${usage}\n`,
  });

  it("have a limit, usage and throttling", (t) => {
    const machine = createFakeMachine(t, {
      ...inGroupOfFirst,
      "sys/fs/cgroup/cpu/pod/app/cpu.cfs_quota_us": "200000\n",
      "sys/fs/cgroup/cpu/pod/app/cpu.cfs_period_us": "100000\n",
      "sys/fs/cgroup/cpu/pod/cpu.cfs_quota_us": "-1\n",
      "sys/fs/cgroup/cpu/pod/cpu.cfs_period_us": "100000\n",
      ...files(0, 0, 0),
    });
    const cpu = createContainerCpu(machine.root);
    assert.deepEqual(valuesOf(cpu, 0), { [limit]: 2 });
    machine.write(files(1_500_000_000, 10, 1));
    assert.deepEqual(valuesOf(cpu, 1_000), { [limit]: 2, [ratio]: 0.75, [throttled]: 0.1 });
  });

  it("are subject to a tighter limit of an ancestor, with that group's CPU time", (t) => {
    const pod = { "sys/fs/cgroup/cpuacct/pod/cpuacct.usage": "0\n" };
    const machine = createFakeMachine(t, {
      ...inGroupOfFirst,
      ...files(0, 0, 0),
      ...pod,
      "sys/fs/cgroup/cpu/pod/cpu.cfs_quota_us": "100000\n",
      "sys/fs/cgroup/cpu/pod/cpu.cfs_period_us": "100000\n",
    });
    const cpu = createContainerCpu(machine.root);
    valuesOf(cpu, 0);
    machine.write({ ...files(1, 1, 1), "sys/fs/cgroup/cpuacct/pod/cpuacct.usage": "250000000\n" });
    assert.deepEqual(valuesOf(cpu, 1_000), { [limit]: 1, [ratio]: 0.25 });
  });

  it("are absent without a limit", (t) => {
    const { root } = createFakeMachine(t, {
      ...inGroupOfFirst,
      "sys/fs/cgroup/cpu/pod/app/cpu.cfs_quota_us": "-1\n",
      "sys/fs/cgroup/cpu/pod/app/cpu.cfs_period_us": "100000\n",
      ...files(0, 0, 0),
    });
    assert.deepEqual(valuesOf(createContainerCpu(root)), {});
  });
});

describe("the cores of a container that cannot be read", () => {
  it("are absent", (t) => {
    const machine = createFakeMachine(t);
    assert.deepEqual(valuesOf(createContainerCpu(machine.root)), {});
    machine.write(inGroupOfSecond);
    assert.deepEqual(valuesOf(createContainerCpu(machine.root)), {});
    machine.write({ "sys/fs/cgroup/pod/app/cpu.max": "100000 0\n", "sys/fs/cgroup/pod/app/cpu.stat": "x\n" });
    assert.deepEqual(valuesOf(createContainerCpu(machine.root)), {});
  });

  it("leave the limit when only that can be read", (t) => {
    const { root } = createFakeMachine(t, {
      ...inGroupOfSecond,
      "sys/fs/cgroup/pod/app/cpu.max": "100000 100000\n",
    });
    const cpu = createContainerCpu(root);
    valuesOf(cpu, 0);
    assert.deepEqual(valuesOf(cpu, 1_000), { [limit]: 1 });
  });
});
