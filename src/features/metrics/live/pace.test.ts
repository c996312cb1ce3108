import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { Pace, type PacedInterval } from "./pace.ts";

const start = Date.parse("2026-11-15T12:00:00.400Z");

function createPace() {
  const clock = new FakeClock(start);
  const intervals: PacedInterval[] = [];
  const rests: boolean[] = [];
  const state = { hasHappened: false, activeMs: 0 };
  const pace = new Pace({
    clock,
    restSeconds: 10,
    stallMs: 100,
    turn({ time, seconds }) {
      intervals.push({ time: time - Math.floor(start / 1_000), seconds });
      return state.hasHappened;
    },
    afterTurn: () => {},
    onRest: (isResting) => void rests.push(isResting),
    activeMs: () => state.activeMs,
  });
  pace.start();
  return { clock, pace, intervals, rests, state };
}

/** The seconds that the intervals stand for. */
const covered = (intervals: readonly PacedInterval[]) =>
  intervals.flatMap(({ time, seconds }) => Array.from({ length: seconds }, (_, offset) => time + offset));

describe("the pace of the metrics", () => {
  it("is a second while something happens", () => {
    const { clock, intervals, rests, state } = createPace();
    state.hasHappened = true;
    clock.advance(30_000);
    assert.deepEqual(
      covered(intervals),
      Array.from({ length: 30 }, (_, second) => second),
    );
    assert.equal(intervals.length, 30);
    assert.deepEqual(rests, []);
  });

  it("is ten seconds after ten seconds in which nothing happened, and no second is missing", () => {
    const { clock, intervals, rests } = createPace();
    clock.advance(11_000);
    assert.deepEqual(rests, [true]);
    const before = intervals.length;
    clock.advance(60_000);
    assert.equal(intervals.length - before, 6);
    const seconds = covered(intervals);
    assert.deepEqual(
      seconds,
      Array.from({ length: seconds.length }, (_, second) => second),
    );
  });

  it("is a second again when something begins, which belongs to its own second", () => {
    const { clock, pace, intervals, rests } = createPace();
    clock.advance(34_700);
    pace.wake();
    assert.deepEqual(rests, [true, false]);
    assert.equal(covered(intervals).at(-1), 34);
    clock.advance(1_000);
    assert.deepEqual(intervals.at(-1), { time: 35, seconds: 1 });
    const seconds = covered(intervals);
    assert.deepEqual(
      seconds,
      Array.from({ length: 36 }, (_, second) => second),
    );
  });

  it("does not divide the second in which a rest began", () => {
    const { clock, pace, intervals, rests } = createPace();
    clock.advance(10_602);
    assert.deepEqual(rests, [true]);
    const before = intervals.length;
    pace.wake();
    assert.equal(intervals.length, before);
    clock.advance(1_000);
    assert.deepEqual(
      covered(intervals),
      Array.from({ length: intervals.length }, (_, second) => second),
    );
  });

  it("is not changed by waking a process that does not rest", () => {
    const { clock, pace, intervals } = createPace();
    clock.advance(3_000);
    pace.wake();
    assert.equal(intervals.length, 3);
    clock.advance(1_000);
    assert.equal(intervals.length, 4);
  });

  it("stays a second for an hour after work in a rest that nobody announced", () => {
    const { clock, rests, state } = createPace();
    clock.advance(21_000);
    state.activeMs += 100;
    clock.advance(10_000);
    assert.deepEqual(rests, [true, false]);
    clock.advance(3_500_000);
    assert.deepEqual(rests, [true, false]);
    clock.advance(101_000);
    assert.deepEqual(rests, [true, false, true]);
  });

  it("stays as it is after work that cannot contain a stall", () => {
    const { clock, rests, state } = createPace();
    clock.advance(21_000);
    for (let rest = 0; rest < 10; rest++) {
      state.activeMs += 99;
      clock.advance(10_000);
    }
    assert.deepEqual(rests, [true]);
  });

  it("records nothing for the time in which the machine slept", () => {
    const { clock, intervals } = createPace();
    clock.advance(31_000);
    const before = covered(intervals).length;
    clock.suspend(3_600_000);
    clock.advance(20_000);
    const after = covered(intervals);
    assert.ok(after.length - before <= 40, `${after.length - before} seconds`);
    assert.ok(after.at(-1)! >= 3_640);
  });

  it("records nothing after it was stopped", () => {
    const { clock, pace, intervals } = createPace();
    clock.advance(31_000);
    pace.stop();
    const before = intervals.length;
    clock.advance(60_000);
    assert.equal(intervals.length, before);
    assert.equal(pace.isRunning, false);
  });
});
