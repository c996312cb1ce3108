import assert from "node:assert/strict";
import { it } from "node:test";
import { joinWords } from "./join-words.ts";

it("joins words as in a sentence", () => {
  const lists = [[], ["a"], ["a", "b"], ["a", "b", "c"]];
  assert.deepEqual(lists.map(joinWords), ["", "a", "a and b", "a, b and c"]);
});
