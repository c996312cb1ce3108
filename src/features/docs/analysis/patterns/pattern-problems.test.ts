import assert from "node:assert/strict";
import { it } from "node:test";
import { findPatternProblems } from "./pattern-problems.ts";

const slow = { type: "string", pattern: "^(a+)+$" };

it("finds each slow pattern of a schema once, whatever the names of its fields", () => {
  const schema = {
    properties: { default: slow, other: { items: slow }, pattern: { type: "string" } },
    additionalProperties: { anyOf: [{ pattern: "^(b|b)*$" }, { pattern: "^b*$" }] },
  };
  const found = findPatternProblems(schema);
  assert.deepEqual(
    found.map(({ message }) => /`(.*?)`/.exec(message)?.[1]),
    ["^(a+)+$", "^(b|b)*$"],
  );
});

it("ignores values that look like schemas, and patterns that are not checked", () => {
  assert.deepEqual(findPatternProblems({ enum: [slow], default: slow, example: [slow] }), []);
  assert.deepEqual(findPatternProblems({ pattern: "^(\\a+)+$" }), []);
});
