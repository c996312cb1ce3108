import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { freemem, totalmem } from "node:os";
import { describe, it } from "node:test";
import { createOsMemory, createProcMemory } from "./memory.ts";
import { createFakeMachine, valuesOf } from "./testing/fake-machine.ts";

const meminfo = `MemTotal:       1000 kB
MemFree:         100 kB
MemAvailable:    400 kB
Buffers:          20 kB
Cached:          300 kB
SwapCached:        7 kB
Shmem:            50 kB
SReclaimable:     30 kB
SwapTotal:       500 kB
SwapFree:        450 kB
`;

describe("memory by /proc/meminfo", () => {
  it("is counted in bytes; cached is what can be given back", (t) => {
    const { root } = createFakeMachine(t, { "proc/meminfo": meminfo });
    assert.deepEqual(valuesOf(createProcMemory(root)), {
      "memory.total_bytes": 1000 * 1024,
      "memory.available_bytes": 400 * 1024,
      "memory.used_bytes": 600 * 1024,
      "memory.cached_bytes": 300 * 1024,
      "memory.swap_total_bytes": 500 * 1024,
      "memory.swap_used_bytes": 50 * 1024,
    });
  });

  it("is known in part when the file is", (t) => {
    const { root } = createFakeMachine(t, {
      "proc/meminfo": "MemTotal: 1000 kB\nMemFree: 100 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n",
    });
    assert.deepEqual(valuesOf(createProcMemory(root)), {
      "memory.total_bytes": 1000 * 1024,
      "memory.swap_total_bytes": 0,
      "memory.swap_used_bytes": 0,
    });
  });

  it("is absent when the file is missing or garbage", (t) => {
    const machine = createFakeMachine(t);
    const memory = createProcMemory(machine.root);
    assert.deepEqual(valuesOf(memory), {});
    machine.write({ "proc/meminfo": "MemTotal: lots\nMemAvailable:\nSwap" });
    assert.deepEqual(valuesOf(memory), {});
  });
});

/** Tolerance for memory changes of other programs during the test. */
const slack = 256 * 1024 * 1024;

it("the memory of this machine is what the machine says", () => {
  const values = valuesOf(process.platform === "linux" ? createProcMemory("/") : createOsMemory());
  const [total, available] = process.platform === "linux" ? readMeminfo() : [totalmem(), freemem()];
  assert.equal(values["memory.total_bytes"], total);
  assert.equal(
    values["memory.used_bytes"],
    values["memory.total_bytes"]! - values["memory.available_bytes"]!,
  );
  assert.ok(Math.abs(values["memory.available_bytes"]! - available!) < slack);
});

it("without /proc, memory is read from Node", () => {
  const values = valuesOf(createOsMemory());
  assert.deepEqual(Object.keys(values), [
    "memory.total_bytes",
    "memory.available_bytes",
    "memory.used_bytes",
  ]);
  assert.equal(values["memory.total_bytes"], totalmem());
  assert.ok(values["memory.available_bytes"]! > 0 && values["memory.available_bytes"]! < totalmem());
});

function readMeminfo(): number[] {
  const text = readFileSync("/proc/meminfo", "utf8");
  return ["MemTotal", "MemAvailable"].map(
    (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)![1]) * 1024,
  );
}
