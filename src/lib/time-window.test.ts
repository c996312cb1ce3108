import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApiError } from "./errors.ts";
import { parseTime, readWindow } from "./time-window.ts";

const noon = Date.parse("2026-11-15T12:00:00Z");
const read = (query: Record<string, string>) => readWindow((name) => query[name], noon, 3_600_000);

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

describe("a window", () => {
  it("ends now and has the default length when nothing is said", () => {
    assert.deepEqual(read({}), { from: noon - 3_600_000, to: noon });
  });

  it("has the default length when only its end is said", () => {
    assert.deepEqual(read({ to: "3600001" }), { from: 1, to: 3_600_001 });
  });

  it("is what was asked for", () => {
    assert.deepEqual(read({ from: "5", to: "7" }), { from: 5, to: 7 });
  });

  it("may begin with the epoch", () => {
    assert.deepEqual(read({ from: "0", to: "7" }), { from: 0, to: 7 });
  });

  it("is refused with every end that is no time", () => {
    assert.throws(
      () => read({ from: "x", to: "y" }),
      (error: ApiError) => {
        assert.equal(error.status, 400);
        assert.deepEqual(Object.keys(error.data), ["from", "to"]);
        return true;
      },
    );
  });

  it("is refused when it ends before it begins", () => {
    assert.throws(() => read({ from: "7", to: "7" }), { status: 400 });
  });
});
