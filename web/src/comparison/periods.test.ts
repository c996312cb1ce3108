import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lengths, periodsAround, periodsOf, readSubject, usualLength } from "./periods.ts";

const minute = 60_000;
const at = Date.parse("2026-03-01T12:00:00.700Z");
const border = Date.parse("2026-03-01T12:00:00Z");

describe("the periods of a comparison", () => {
  it("share no second, and are equally long", () => {
    const { before, after } = periodsOf({ from: at, to: border + 10 * minute });
    assert.deepEqual(after, { from: border, to: border + 10 * minute });
    assert.deepEqual(before, { from: border - 10 * minute, to: border });
  });

  it("end now at the latest, but have at least a minute", () => {
    const { after } = periodsAround(at, "1h", at + 20 * minute);
    assert.equal(after.to, at + 20 * minute);
    assert.equal(periodsAround(at, "1h", at + 5_000).after.to, at + minute);
    assert.equal(periodsAround(at, "5m", at + 90 * minute).after.to, at + 5 * minute);
  });

  it("are as long as there is data after a moment", () => {
    assert.deepEqual(
      [2, 20, 90].map((minutes) => usualLength(at, at + minutes * minute)),
      ["5m", "15m", "1h"],
    );
    assert.equal(lengths["24h"], 86_400_000);
  });

  it("come from the URL, if it is valid", () => {
    assert.deepEqual(readSubject("1700000000000"), { at: 1_700_000_000_000 });
    assert.deepEqual(readSubject("1700000000000-1700000900000"), {
      at: 1_700_000_000_000,
      until: 1_700_000_900_000,
    });
    for (const text of ["", "yesterday", "2-1", "1-1", "1-", "-1", "1e5", "9".repeat(16)])
      assert.equal(readSubject(text), undefined, text);
  });
});
