import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findUnusual } from "../scripts/check-english.ts";

const inCode = (text: string) => findUnusual(text, false).found.map(({ line, instead }) => [line, instead]);

describe("npm run check:english", () => {
  it("finds unusual words at the beginning of a sentence, and in names", () => {
    assert.deepEqual(inCode("/** Queues retries. Whoever gave up a run has queued one. */"), [
      [1, "name the role"],
    ]);
    assert.deepEqual(inCode("const answerOf = () => 1;"), [[1, "respond, response"]]);
  });

  it("finds constructions in comments, across lines", () => {
    const first = "/** The result of a start; what still holds of it is not asked again. */";
    assert.deepEqual(inCode(first), [[1, "name the subject"]]);
    const second =
      "/**\n * It starts if a file has to be read, which\n * after a start from the cache may be never.\n */";
    assert.deepEqual(inCode(second), [
      [2, "two sentences"],
      [3, "two sentences"],
    ]);
  });

  it("accepts labels, and code in prose", () => {
    assert.deepEqual(inCode("/** What is known about a request, without its body. */"), []);
    assert.deepEqual(findUnusual("Call `answer()` to respond.", true).found, []);
  });
});
