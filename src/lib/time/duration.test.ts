import assert from "node:assert/strict";
import { test } from "node:test";
import { formatDuration, formatUptime } from "./duration.ts";

const durations: [milliseconds: number, text: string][] = [
  [0, "0µs"],
  [0.0004, "0µs"],
  [0.85, "850µs"],
  [0.9994, "999µs"],
  // What rounds up to the next unit is written in it.
  [0.9996, "1ms"],
  [1, "1ms"],
  [1.5, "1.5ms"],
  [12.34, "12.34ms"],
  [12.04, "12.04ms"],
  [12.345678, "12.35ms"],
  [999.994, "999.99ms"],
  [999.996, "1.00s"],
  [1000, "1.00s"],
  [1200, "1.20s"],
  [59_999, "60.00s"],
  [3_600_000, "3600.00s"],
];

for (const [milliseconds, text] of durations) {
  test(`${milliseconds} milliseconds are written ${text}`, () => {
    assert.equal(formatDuration(milliseconds), text);
  });
}

test("every duration is a number of at most two decimals with its unit", () => {
  for (let milliseconds = 0.0001; milliseconds < 1e7; milliseconds *= 1.037) {
    assert.match(formatDuration(milliseconds), /^\d{1,3}µs$|^\d{1,3}(\.\d{1,2})?ms$|^\d+\.\d{2}s$/);
  }
});

const uptimes: [milliseconds: number, text: string][] = [
  [0, "0s"],
  [999, "0s"],
  [-5, "0s"],
  [42_000, "42s"],
  [725_000, "12m5s"],
  [3_600_000, "1h"],
  [3_605_000, "1h5s"],
  [273_600_000, "3d4h"],
  [273_661_000, "3d4h"],
];

for (const [milliseconds, text] of uptimes) {
  test(`an uptime of ${milliseconds} milliseconds is written ${text}`, () => {
    assert.equal(formatUptime(milliseconds), text);
  });
}
