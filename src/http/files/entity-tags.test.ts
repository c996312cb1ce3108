import assert from "node:assert/strict";
import { test } from "node:test";
import { includesStrongTag, includesTag } from "./entity-tags.ts";

const cases: [list: string, tag: string, isFound: boolean, isFoundStrongly: boolean][] = [
  ['"a"', '"a"', true, true],
  ['"b", "a"', '"a"', true, true],
  ["*", '"a"', true, true],
  ["*", 'W/"a"', true, true],
  ['W/"a"', '"a"', true, false],
  ['"a"', 'W/"a"', true, false],
  ['W/"a"', 'W/"a"', true, false],
  ['"b"', '"a"', false, false],
  ["", '"a"', false, false],
];

for (const [list, tag, isFound, isFoundStrongly] of cases) {
  test(`${list} ${isFound ? "contains" : "does not contain"} ${tag}, strongly: ${isFoundStrongly}`, () => {
    assert.equal(includesTag(list, tag), isFound);
    assert.equal(includesStrongTag(list, tag), isFoundStrongly);
  });
}
