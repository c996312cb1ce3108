import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parsePeriod } from "./period.ts";

describe("a period", () => {
  for (const [text, expected] of [
    ["30s", 30_000],
    ["1m", 60_000],
    ["2h", 7_200_000],
    ["1d", 86_400_000],
    ["0s", 0],
    ["1", undefined],
    ["m", undefined],
    ["1.5m", undefined],
    ["-1m", undefined],
    ["1 m", undefined],
    ["1m30s", undefined],
    ["1w", undefined],
  ] as const) {
    it(`is ${expected} when written ${text}`, () => assert.equal(parsePeriod(text), expected));
  }
});
