import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { escapeControls, escapeControlsButLines } from "./terminal-text.ts";

describe("text for a terminal", () => {
  for (const [text, expected] of [
    ["plain text, ü, 漢 and 🙂", "plain text, ü, 漢 and 🙂"],
    ["a\nb\r\tc", "a\\nb\\r\\tc"],
    ["\x1b[2J\x1b]0;title\x07", "\\x1b[2J\\x1b]0;title\\x07"],
    ["\x00\x7f\x80\x9b31m", "\\x00\\x7f\\x80\\x9b31m"],
    ["\u2028\u2029", "\\u2028\\u2029"],
    ["\u202a\u202b\u202c\u202d\u202e", "\\u202a\\u202b\\u202c\\u202d\\u202e"],
    ["\u2066\u2067\u2068\u2069", "\\u2066\\u2067\\u2068\\u2069"],
    ["\u061c\u200e\u200f", "\\u061c\\u200e\\u200f"],
  ] as const)
    it(JSON.stringify(text), () => assert.equal(escapeControls(text), expected));

  it("keeps lines where it is asked to, and nothing else", () => {
    assert.equal(escapeControlsButLines("a\nb\r\x1b[0m\u2028"), "a\nb\\r\\x1b[0m\\u2028");
  });
});
