import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFakeMachine, valuesOf } from "../testing/fake-machine.ts";
import { inGroupOfFirst, inGroupOfSecond } from "../testing/groups.ts";
import { throttleMs } from "../throttled.ts";
import { createContainerMemory } from "./container-memory.ts";

const limit = "container.memory_limit_bytes";
const used = "container.memory_used_bytes";
const none = "9223372036854771712\n";

describe("the memory of a container, second version", () => {
  const app = "sys/fs/cgroup/pod/app";

  it("has the limit, and the usage without inactive file cache", (t) => {
    const { root } = createFakeMachine(t, {
      ...inGroupOfSecond,
      [`${app}/memory.max`]: "1000\n",
      [`${app}/memory.current`]: "600\n",
      [`${app}/memory.stat`]: "anon 300\nfile 250\nactive_file 10\ninactive_file 240\n",
      "sys/fs/cgroup/pod/memory.max": "max\n",
    });
    assert.deepEqual(valuesOf(createContainerMemory(root)), { [limit]: 1000, [used]: 360 });
  });

  it("is subject to a tighter limit of an ancestor, with that group's usage", (t) => {
    const { root } = createFakeMachine(t, {
      ...inGroupOfSecond,
      [`${app}/memory.max`]: "1000\n",
      [`${app}/memory.current`]: "200\n",
      [`${app}/memory.stat`]: "inactive_file 0\n",
      "sys/fs/cgroup/pod/memory.max": "800\n",
      "sys/fs/cgroup/pod/memory.current": "700\n",
      "sys/fs/cgroup/pod/memory.stat": "inactive_file 50\n",
    });
    assert.deepEqual(valuesOf(createContainerMemory(root)), { [limit]: 800, [used]: 650 });
  });

  it("has its usage without a limit", (t) => {
    const { root } = createFakeMachine(t, {
      ...inGroupOfSecond,
      [`${app}/memory.max`]: "max\n",
      [`${app}/memory.current`]: "200\n",
    });
    assert.deepEqual(valuesOf(createContainerMemory(root)), { [used]: 200 });
  });

  it("is followed every second; its limit every ten", (t) => {
    const files = { [`${app}/memory.max`]: "1000\n", [`${app}/memory.current`]: "200\n" };
    const machine = createFakeMachine(t, { ...inGroupOfSecond, ...files });
    const memory = createContainerMemory(machine.root);
    valuesOf(memory, 0);
    machine.write({ [`${app}/memory.max`]: "2000\n", [`${app}/memory.current`]: "300\n" });
    assert.deepEqual(valuesOf(memory, 1_000), { [limit]: 1000, [used]: 300 });
    assert.deepEqual(valuesOf(memory, throttleMs), { [limit]: 2000, [used]: 300 });
  });
});

describe("the memory of a container, first version", () => {
  const app = "sys/fs/cgroup/memory/pod/app";

  it("has the limit, and the usage without inactive file cache of child groups", (t) => {
    const { root } = createFakeMachine(t, {
      ...inGroupOfFirst,
      [`${app}/memory.limit_in_bytes`]: "1000\n",
      [`${app}/memory.usage_in_bytes`]: "600\n",
      [`${app}/memory.stat`]: `inactive_file 5\nhierarchical_memory_limit 1000\ntotal_inactive_file 100\n`,
      "sys/fs/cgroup/memory/pod/memory.limit_in_bytes": none,
      "sys/fs/cgroup/memory/memory.limit_in_bytes": none,
    });
    assert.deepEqual(valuesOf(createContainerMemory(root)), { [limit]: 1000, [used]: 500 });
  });

  it("is subject to a limit that is not visible within the container", (t) => {
    const { root } = createFakeMachine(t, {
      ...inGroupOfFirst,
      [`${app}/memory.limit_in_bytes`]: none,
      [`${app}/memory.usage_in_bytes`]: "600\n",
      [`${app}/memory.stat`]: `hierarchical_memory_limit 700\ntotal_inactive_file 100\n`,
    });
    assert.deepEqual(valuesOf(createContainerMemory(root)), { [limit]: 700, [used]: 500 });
  });

  it("has no limit if the value exceeds all memory", (t) => {
    const { root } = createFakeMachine(t, {
      ...inGroupOfFirst,
      [`${app}/memory.limit_in_bytes`]: none,
      [`${app}/memory.usage_in_bytes`]: "600\n",
      [`${app}/memory.stat`]: `hierarchical_memory_limit ${none}total_inactive_file 0\n`,
    });
    assert.deepEqual(valuesOf(createContainerMemory(root)), { [used]: 600 });
  });

  it("is absent for the root group, which is the machine", (t) => {
    const machine = createFakeMachine(t, {
      ...inGroupOfFirst,
      "proc/self/cgroup": "4:memory:/\n",
      "sys/fs/cgroup/memory/memory.limit_in_bytes": none,
      "sys/fs/cgroup/memory/memory.usage_in_bytes": "600\n",
    });
    assert.deepEqual(valuesOf(createContainerMemory(machine.root)), {});
    machine.write({ "sys/fs/cgroup/memory/memory.limit_in_bytes": "1000\n" });
    assert.deepEqual(valuesOf(createContainerMemory(machine.root)), { [limit]: 1000, [used]: 600 });
  });
});

describe("the memory of a container that cannot be read", () => {
  it("is absent", (t) => {
    const machine = createFakeMachine(t);
    assert.deepEqual(valuesOf(createContainerMemory(machine.root)), {});
    machine.write(inGroupOfSecond);
    assert.deepEqual(valuesOf(createContainerMemory(machine.root)), {});
    machine.write({
      "sys/fs/cgroup/pod/app/memory.max": "much\n",
      "sys/fs/cgroup/pod/app/memory.current": "",
    });
    assert.deepEqual(valuesOf(createContainerMemory(machine.root)), {});
  });
});
