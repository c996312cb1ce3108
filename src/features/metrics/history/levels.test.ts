import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseStep, coverWindow, type Extents, levelForStep, levels, type Segment } from "./levels.ts";

const now = Date.parse("2026-11-15T14:37:48Z") / 1_000;
const hour = 3_600;
const day = 86_400;

/** After a year: all levels with their full retention, the coarse ones up to the last full hour and day. */
const extents = Object.fromEntries(
  levels.map(({ seconds, keptSeconds }) => [
    seconds,
    {
      since: now - keptSeconds,
      until: seconds < hour ? Number.POSITIVE_INFINITY : Math.floor((now - 300) / seconds) * seconds,
    },
  ]),
) as unknown as Extents;

const slotsOf = (segments: readonly Segment[]) =>
  segments.reduce((sum, { level, from, to }) => sum + (to - from) / level, 0);

function assertWhole(segments: readonly Segment[]): void {
  for (const [index, { level, from, to }] of segments.entries()) {
    assert.ok(from < to && from % level === 0 && to % level === 0, JSON.stringify(segments[index]));
    if (index > 0) assert.equal(from, segments[index - 1]!.to, "no gap and no overlap");
  }
}

describe("the cover of a window", () => {
  const windows = {
    "the last fifteen minutes": [now - 900, now],
    "the last day": [now - day, now],
    "the last thirty days": [now - 30 * day, now],
    "a year": [now - 365 * day, now],
    "an hour of last week, unaligned": [now - 7 * day - 1_234, now - 7 * day + 2_345],
    "a few seconds": [now - 7, now - 2],
    "one minute, two months ago": [now - 60 * day, now - 60 * day + 60],
    "longer than anything is kept": [now - 800 * day, now],
  } as const;
  for (const [name, [from, to]] of Object.entries(windows)) {
    it(`is whole and bounded: ${name}`, () => {
      const segments = coverWindow(from, to, extents);
      assertWhole(segments);
      assert.ok(segments[0]!.from <= from && segments.at(-1)!.to >= to);
      assert.ok(slotsOf(segments) < 1_100, `${slotsOf(segments)} slots`);
    });
  }

  it("is exact if the stored data is fine enough", () => {
    const [from, to] = [now - 1_801, now - 602];
    const segments = coverWindow(from, to, extents);
    assert.deepEqual([segments[0]!.from, segments.at(-1)!.to], [from, to]);
  });

  it("uses minutes for hours that have not been merged yet", () => {
    const late = { ...extents, 3600: { since: 0, until: now - 3 * day }, 86400: { since: 0, until: 0 } };
    const segments = coverWindow(now - 5 * day, now, late);
    assertWhole(segments);
    assert.ok(segments.every(({ level, to }) => level < hour || to <= now - 3 * day));
    assert.equal(segments.at(-1)!.to >= now, true);
  });

  it("reads nothing coarser than the given level", () => {
    const segments = coverWindow(now - 2 * day, now, extents, 60);
    assert.deepEqual(new Set(segments.map(({ level }) => level)), new Set([60, 10, 1]));
  });
});

describe("the step of a chart", () => {
  for (const [length, points, step] of [
    [900, 300, 5],
    [hour, 240, 20],
    [day, 240, 600],
    [7 * day, 240, hour],
    [30 * day, 240, 14_400],
    [365 * day, 240, 2 * day],
  ] as const) {
    it(`is ${step} s for ${length} s in ${points} points`, () => {
      assert.equal(chooseStep(now - length, now, points, extents), step);
    });
  }

  it("is not finer than the stored data", () => {
    assert.equal(chooseStep(now - 3 * hour, now - 2 * hour, 3_600, extents), 10);
    assert.equal(chooseStep(now - 40 * day, now - 40 * day + hour, 240, extents), hour);
  });

  it("is read at the coarsest level that fits", () => {
    assert.deepEqual([1, 5, 30, 900, 7_200, 2 * day].map(levelForStep), [1, 1, 10, 60, hour, day]);
  });
});
