import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { firstNumber, nextNumber, numberAfter } from "./numbers.ts";

describe("taking numbers from a text", () => {
  it("goes from one to the next and stops at the end of the line", () => {
    const cursor = { text: "cpu  12 0\t7\n99", at: 3 };
    assert.deepEqual([nextNumber(cursor), nextNumber(cursor), nextNumber(cursor)], [12, 0, 7]);
    assert.equal(nextNumber(cursor), NaN);
  });

  it("finds none in words, signs and nothing at all", () => {
    for (const text of ["max", "-1", "", "\n5", "/5"]) assert.equal(firstNumber(text), NaN);
  });

  it("keeps what a double can hold", () => {
    assert.equal(firstNumber("9007199254740991\n"), Number.MAX_SAFE_INTEGER);
  });
});

describe("the number after a label", () => {
  const text = "total_inactive_file 1\ninactive_file 2\nMemFree:   3 kB\n";

  it("is that of the line that begins with it", () => {
    assert.equal(numberAfter(text, "total_inactive_file "), 1);
    assert.equal(numberAfter(text, "inactive_file "), 2);
    assert.equal(numberAfter(text, "MemFree:"), 3);
  });

  it("is none when no line begins with it", () => {
    assert.equal(numberAfter(text, "Mem:"), NaN);
    assert.equal(numberAfter("", "MemFree:"), NaN);
  });
});
