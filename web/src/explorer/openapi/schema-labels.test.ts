import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { constraintLabels, typeLabel } from "./schema-labels.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("a schema in words", () => {
  it("has its type in TypeScript notation", () => {
    assert.equal(typeLabel({ type: "array", items: { ...ref("Node") } }), "Node[]");
    assert.equal(
      typeLabel({ type: "array", items: { type: "string", nullable: true } }),
      "(string | null)[]",
    );
    assert.equal(typeLabel({ oneOf: [ref("A"), ref("B")] }), "A | B");
    assert.equal(
      typeLabel({ type: "object", additionalProperties: { type: "number" } }),
      "{ [key]: number }",
    );
  });

  it("has its limits", () => {
    assert.deepEqual(constraintLabels({ minLength: 1, maxLength: 9, default: "x" }), [
      "1–9 characters",
      'default "x"',
    ]);
    assert.deepEqual(constraintLabels({ minimum: 0, exclusiveMinimum: true, maximum: 9 }), ["> 0 and ≤ 9"]);
    assert.deepEqual(constraintLabels({ format: "date", pattern: "^\\d+$" }), ["date"]);
  });
});
