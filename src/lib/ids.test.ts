import assert from "node:assert/strict";
import { test } from "node:test";
import { createId, createTraceId, traceIdLength } from "./ids.ts";

test("a trace ID is 18 letters and digits, and no two of 100,000 are the same", () => {
  const seen = new Set<string>();
  for (let count = 0; count < 100_000; count++) {
    const id = createTraceId();
    assert.match(id, /^[A-Za-z0-9]{18}$/);
    seen.add(id);
  }
  assert.equal(seen.size, 100_000);
  assert.equal(traceIdLength, 18);
});

test("every letter of a trace ID is equally likely, at every position", () => {
  assertUniform(62, Array.from({ length: 100_000 }, createTraceId).join(""));
  assertUniform(62, Array.from({ length: 100_000 }, () => createTraceId()[0]).join(""));
  assertUniform(62, Array.from({ length: 100_000 }, () => createTraceId()[17]).join(""));
});

test("an identifier is made of lower-case letters and digits, all equally likely", () => {
  const ids = Array.from({ length: 20_000 }, () => createId());
  for (const id of ids) assert.match(id, /^[a-z0-9]{15}$/);
  assert.equal(new Set(ids).size, ids.length);
  assertUniform(36, ids.join(""));
});

for (const length of [1, 2, 15, 64, 1000]) {
  test(`an identifier of ${length} characters can be asked for`, () => {
    assert.equal(createId(length).length, length);
  });
}

/** Chi-squared, with a bound that a fair source exceeds once in a million times. */
function assertUniform(letters: number, text: string): void {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  assert.equal(counts.size, letters);
  const expected = text.length / letters;
  let deviation = 0;
  for (const count of counts.values()) deviation += (count - expected) ** 2 / expected;
  const degrees = letters - 1;
  const bound = degrees + 4.75 * Math.sqrt(2 * degrees) + 16;
  assert.ok(deviation < bound, `chi-squared is ${deviation.toFixed(1)}, more than ${bound.toFixed(1)}`);
}
