import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { describe, it, type TestContext } from "node:test";
import { until } from "../../../lib/testing/until.ts";
import { createEventLoop, resolutionMs } from "./event-loop.ts";
import type { Part, SampleValues } from "./sample-values.ts";
import { valuesOf } from "./testing/fake-machine.ts";

const blockedMs = 400;
/** Minimum measured delay: the timer may have been due only after the block had started. */
const seenMs = blockedMs - resolutionMs;

function createTestLoop(t: TestContext): Part {
  const loop = createEventLoop();
  t.after(() => loop.close!());
  return loop;
}

function block(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

/** Waits for a number of timer events. */
async function rings(times: number): Promise<void> {
  for (let rung = 0; rung < times; rung++) await new Promise((resolve) => setTimeout(resolve, resolutionMs));
}

/** Samples repeatedly until the delay has been measured. */
async function measured(loop: Part): Promise<SampleValues> {
  const read = async () => {
    await rings(1);
    return valuesOf(loop);
  };
  return until("the delay is measured", read, (values) => "loop.delay_max_ms" in values);
}

describe("the delay of the event loop", () => {
  it("is about nothing when the loop is idle, though the timer takes its time", async (t) => {
    const loop = createTestLoop(t);
    const meanOf = async () => (await measured(loop))["loop.delay_mean_ms"]!;
    // Other programs occasionally delay this one.
    await until("the mean delay is small", meanOf, (mean) => mean < resolutionMs / 4);
  });

  it("shows what blocks it", async (t) => {
    const loop = createTestLoop(t);
    await rings(3);
    block(blockedMs);
    await rings(1);
    const values = valuesOf(loop);
    assert.ok(values["loop.delay_max_ms"]! >= seenMs);
    assert.ok(values["loop.delay_p99_ms"]! >= seenMs);
    assert.ok(values["loop.delay_mean_ms"]! > 0);
    assert.ok(values["loop.delay_mean_ms"]! < values["loop.delay_max_ms"]!);
  });

  it("shows what blocks it until the very sample, in the next one", async (t) => {
    const loop = createTestLoop(t);
    const blockOnce = async () => {
      await rings(4);
      block(blockedMs);
      const before = valuesOf(loop)["loop.delay_max_ms"]!;
      const values = await measured(loop);
      assert.ok(values["loop.delay_max_ms"]! >= seenMs);
      assert.ok(values["loop.delay_p99_ms"]! >= seenMs);
      return before;
    };
    // A busy machine may delay the loop as long as the block does.
    await until("the sample is taken before the delay is measured", blockOnce, (before) => before < seenMs);
  });

  it("shows it once", async (t) => {
    const loop = createTestLoop(t);
    const countSamples = async () => {
      await rings(3);
      block(blockedMs);
      const seen: number[] = [];
      for (let round = 0; round < 5; round++) seen.push((await measured(loop))["loop.delay_max_ms"]!);
      return seen.filter((delay) => delay >= seenMs).length;
    };
    await until("one sample of five shows the block", countSamples, (count) => count === 1);
  });

  it("is no longer measured once closed", async () => {
    const loop = createEventLoop();
    loop.close!();
    await rings(3);
    assert.ok(!("loop.delay_max_ms" in valuesOf(loop)));
  });
});

describe("the utilisation of the event loop", () => {
  it("is its share of work since the sample before", async (t) => {
    const loop = createTestLoop(t);
    assert.ok(!("loop.utilisation_ratio" in valuesOf(loop)));
    await new Promise((resolve) => setImmediate(resolve));
    block(100);
    assert.ok(valuesOf(loop)["loop.utilisation_ratio"]! > 0.5);
    const ratioOf = async () => {
      await rings(3);
      return valuesOf(loop)["loop.utilisation_ratio"]!;
    };
    await until("the loop is idle", ratioOf, (ratio) => ratio < 0.5);
  });
});
