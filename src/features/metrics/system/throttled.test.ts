import assert from "node:assert/strict";
import { it } from "node:test";
import { throttled } from "./throttled.ts";

it("an expensive value is read every ten seconds and reused in between", () => {
  let reads = 0;
  const count = throttled(() => ++reads);
  const seen = [5_000, 6_000, 14_999, 15_000, 24_000, 40_000].map(count);
  assert.deepEqual(seen, [1, 1, 1, 2, 2, 3]);
});

it("a failed read is not repeated immediately", () => {
  let reads = 0;
  const read = throttled(() => {
    reads++;
    return undefined;
  });
  read(0);
  read(1_000);
  assert.equal(reads, 1);
});
