import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { eventually } from "../../../lib/testing/until.ts";
import { watchStalls } from "./stall-watcher.ts";
import {
  values as at,
  beatMs,
  createShared,
  leaveAsked,
  type StallWatch,
  sessionOpen,
  viewShared,
} from "./watch-contract.ts";

/** A watched thread whose beats the test makes. */
function createWatched(t: TestContext, { thresholdMs = 100, hasInspector = true, count = 1 } = {}) {
  const beats = { count, mean: beatMs * 1e6 };
  const shared = createShared();
  const { flags, values } = viewShared(shared);
  const evaluated: string[] = [];
  let opened = 0;
  let closed = 0;
  const open = () => {
    opened++;
    if (!hasInspector) return undefined;
    return {
      evaluate(expression: string, onDone: () => void) {
        evaluated.push(expression);
        onDone();
      },
      close: () => void closed++,
    };
  };
  const watch = { beats, thresholdMs, key: "annex.test", shared };
  const watcher = watchStalls(watch as unknown as StallWatch, open);
  t.after(() => watcher.close());
  return {
    flags,
    values,
    evaluated,
    sessions: () => ({ opened, closed }),
    beat(afterMs: number) {
      const sum = beats.count * beats.mean + afterMs * 1e6;
      beats.count++;
      beats.mean = sum / beats.count;
    },
    named: (name: string) => evaluated.filter((expression) => expression.includes(`.${name}(`)),
  };
}

describe("a watched event loop", () => {
  it("is sampled while it is late, and its stall has the delay of its beat", async (t) => {
    const { beat, named, flags, values, sessions } = createWatched(t);
    await eventually(() => named("sample").length >= 3);
    assert.equal(flags[sessionOpen], 1);
    assert.equal(values[at.sampledStall], 1);
    assert.deepEqual([...new Set(named("sample"))], ['globalThis[Symbol.for("annex.test")]?.sample()']);
    beat(beatMs + 321);
    await eventually(() => named("end").length === 1);
    assert.equal(values[at.endedStall], 1);
    assert.ok(Math.abs(values[at.durationMs]! - 321) < 0.001);
    assert.equal(flags[sessionOpen], 0);
    assert.deepEqual(sessions(), { opened: 1, closed: 1 });
    await eventually(() => values[at.sampledStall] === 2);
  });

  it("has no stall if it was late for less than the threshold", async (t) => {
    const { beat, named, sessions } = createWatched(t);
    await eventually(() => named("sample").length > 0);
    beat(beatMs + 99);
    await eventually(() => sessions().closed === 1);
    assert.deepEqual(named("end"), []);
  });

  it("is not watched before its first beat", async (t) => {
    const { beat, sessions } = createWatched(t, { count: 0, thresholdMs: 1 });
    const other = createWatched(t);
    await eventually(() => other.sessions().opened === 1);
    assert.equal(sessions().opened, 0);
    beat(beatMs);
    await eventually(() => sessions().opened === 1);
  });

  it("is left alone without an inspector", async (t) => {
    const { sessions, evaluated } = createWatched(t, { hasInspector: false });
    await eventually(() => sessions().opened === 1);
    assert.deepEqual(evaluated, []);
  });

  it("is left when the process exits", async (t) => {
    const { named, flags, sessions } = createWatched(t);
    await eventually(() => named("sample").length > 0);
    flags[leaveAsked] = 1;
    await eventually(() => flags[sessionOpen] === 0);
    assert.equal(sessions().closed, 1);
  });
});
