import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { limitWords, typeWords } from "./schema-words.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("a schema in words", () => {
  it("has its type in TypeScript notation", () => {
    assert.equal(typeWords({ type: "array", items: { ...ref("Node") } }), "Node[]");
    assert.equal(
      typeWords({ type: "array", items: { type: "string", nullable: true } }),
      "(string | null)[]",
    );
    assert.equal(typeWords({ oneOf: [ref("A"), ref("B")] }), "A | B");
    assert.equal(
      typeWords({ type: "object", additionalProperties: { type: "number" } }),
      "{ [key]: number }",
    );
  });

  it("has its limits", () => {
    assert.deepEqual(limitWords({ minLength: 1, maxLength: 9, default: "x" }), [
      "1–9 characters",
      'default "x"',
    ]);
    assert.deepEqual(limitWords({ minimum: 0, exclusiveMinimum: true, maximum: 9 }), ["> 0 and ≤ 9"]);
    assert.deepEqual(limitWords({ format: "date", pattern: "^\\d+$" }), ["date"]);
  });
});
