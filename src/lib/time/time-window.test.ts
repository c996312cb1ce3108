import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseTime } from "./time-window.ts";

const noon = Date.parse("2026-11-15T12:00:00Z");

describe("a time", () => {
  for (const [text, expected] of [
    ["2026-11-15T12:00:00Z", noon],
    ["2026-11-15T13:00:00+01:00", noon],
    ["2026-11-15T12:00:00.000Z", noon],
    [String(noon), noon],
    ["2026-11-15", Date.parse("2026-11-15T00:00:00Z")],
    ["2026-11-15T12:00:00", undefined],
    ["yesterday", undefined],
    ["-5", undefined],
    ["1e99", undefined],
    ["2026-13-45", undefined],
    ["2026-02-30", undefined],
    ["2026-11-15T13:00:00 01:00", noon],
  ] as const) {
    it(`is ${expected} when written ${text}`, () => assert.equal(parseTime(text), expected));
  }
});
