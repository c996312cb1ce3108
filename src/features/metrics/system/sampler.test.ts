import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { describe, it, type TestContext } from "node:test";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { createSampler, type Sampler, type SamplerOptions } from "./sampler.ts";
import { createFakeMachine } from "./testing/fake-machine.ts";

function createTestSampler(t: TestContext, options: Partial<SamplerOptions>): Sampler {
  const sampler = createSampler({ dataDir: tmpdir(), ...options });
  t.after(() => sampler.close());
  return sampler;
}

/** The metric names of a second sample, with some work since the first. */
function namesOfSecond(t: TestContext, options: Partial<SamplerOptions>): string[] {
  const clock = new FakeClock(0);
  const sampler = createTestSampler(t, { clock, ...options });
  sampler.sample();
  clock.advance(1_000);
  for (const start = process.cpuUsage(); process.cpuUsage(start).user < 50_000; );
  return Object.keys(sampler.sample());
}

/** Metrics that come from /proc, not from Node. */
const fromProc =
  /^(cpu|load|memory|network|container)\.|^process\.(threads|open_descriptors|descriptor_limit)$/;

describe("a sample", () => {
  it("takes its time from the clock", (t) => {
    const clock = new FakeClock(0);
    const stat = (busy: number) => ({
      "proc/stat": `cpu  ${busy} 0 0 100 0 0 0 0\n`,
      "proc/net/dev": `a\nb\neth0: ${busy} 0 0 0 0 0 0 0 0 0\n`,
    });
    const machine = createFakeMachine(t, stat(0));
    const sampler = createTestSampler(t, { root: machine.root, platform: "linux", clock });
    sampler.sample();
    machine.write(stat(100));
    clock.advance(4_000);
    const sample = sampler.sample();
    assert.equal(sample["cpu.ratio"], 1);
    assert.equal(sample["network.eth0.in_bytes_per_second"], 25);
  });

  it("of this machine has all metrics", (t) => {
    const names = namesOfSecond(t, {});
    const expected = process.platform === "linux" ? [...everywhere, ...load, ...onLinux] : everywhere;
    assert.deepEqual(
      expected.filter((name) => !names.includes(name)),
      [],
    );
  });

  it("elsewhere goes by what Node says", (t) => {
    const names = namesOfSecond(t, { platform: "darwin" });
    assert.deepEqual(
      [...everywhere, ...load].filter((name) => !names.includes(name)),
      [],
    );
    assert.deepEqual(
      onLinux.filter((name) => names.includes(name)),
      [],
    );
  });

  it("holds what Node knows when nothing of the machine can be read", (t) => {
    const names = namesOfSecond(t, { root: createFakeMachine(t).root, platform: "linux" });
    assert.deepEqual(
      names.filter((name) => fromProc.test(name)),
      [],
    );
    assert.ok(names.includes("process.rss_bytes") && names.includes("disk.used_bytes"));
  });

  it("contains nothing from invalid files, and only valid numbers", (t) => {
    const clock = new FakeClock(0);
    const garbage = "cpu eth0: MemTotal: - \0 0::/ max -1 NaN\n".repeat(50);
    const paths = [
      "stat",
      "loadavg",
      "meminfo",
      "net/dev",
      "self/stat",
      "self/limits",
      "self/cgroup",
      "self/mountinfo",
    ];
    const files = Object.fromEntries(paths.map((path) => [`proc/${path}`, garbage]));
    const sampler = createTestSampler(t, {
      clock,
      root: createFakeMachine(t, files).root,
      platform: "linux",
    });
    sampler.sample();
    clock.advance(1_000);
    const sample = sampler.sample();
    assert.deepEqual(
      Object.keys(sample).filter((name) => fromProc.test(name)),
      [],
    );
    assert.ok(Object.values(sample).every((metric) => Number.isFinite(metric) && metric >= 0));
  });

  it("lacks only the part that failed", (t) => {
    const sampler = createTestSampler(t, {});
    t.mock.method(process, "uptime", () => {
      throw new Error("no such thing");
    });
    const sample = sampler.sample();
    assert.ok(!("process.rss_bytes" in sample));
    assert.ok("disk.used_bytes" in sample && "gc.count" in sample);
  });

  it("has no rates the first time", (t) => {
    const names = Object.keys(createTestSampler(t, {}).sample());
    assert.deepEqual(
      names.filter((name) => /ratio$|per_second$/.test(name)),
      [],
    );
  });
});

const everywhere = [
  "cpu.ratio",
  "cpu.core.0.ratio",
  "memory.total_bytes",
  "memory.available_bytes",
  "memory.used_bytes",
  "disk.total_bytes",
  "disk.used_bytes",
  "disk.available_bytes",
  "process.cpu_ratio",
  "process.rss_bytes",
  "process.heap_used_bytes",
  "process.heap_total_bytes",
  "process.heap_limit_bytes",
  "process.external_bytes",
  "process.array_buffers_bytes",
  "process.heap_space.new_space.used_bytes",
  "process.handles",
  "process.uptime_seconds",
  "gc.count",
  "gc.major_count",
  "gc.pause_ms",
  "gc.longest_pause_ms",
  "loop.utilisation_ratio",
];

const load = ["load.1", "load.5", "load.15"];

const onLinux = [
  "cpu.steal_ratio",
  "memory.cached_bytes",
  "memory.swap_total_bytes",
  "memory.swap_used_bytes",
  "network.lo.in_bytes_per_second",
  "network.lo.out_bytes_per_second",
  "process.threads",
  "process.open_descriptors",
  "process.descriptor_limit",
];
