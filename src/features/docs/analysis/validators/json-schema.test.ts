import assert from "node:assert/strict";
import { test } from "node:test";
import { toOpenApiSchema } from "./json-schema.ts";

const cases: [name: string, given: unknown, expected: unknown][] = [
  ["leaves what both dialects know", { type: "string", minLength: 1 }, { type: "string", minLength: 1 }],
  ["drops what only names the dialect", { $schema: "x", $id: "y", type: "string" }, { type: "string" }],
  ["spells null", { type: ["string", "null"] }, { type: "string", nullable: true }],
  ["spells nothing but null", { type: "null" }, { type: "string", nullable: true, enum: [null] }],
  [
    "converts a choice with null",
    { anyOf: [{ type: "integer" }, { type: "null" }] },
    { type: "integer", nullable: true },
  ],
  ["converts constants", { const: 3 }, { type: "integer", enum: [3] }],
  [
    "converts exclusive bounds",
    { type: "number", exclusiveMinimum: 0 },
    { type: "number", exclusiveMinimum: true, minimum: 0 },
  ],
  ["takes the first example", { type: "string", examples: ["a", "b"] }, { type: "string", example: "a" }],
  [
    "converts inner schemas",
    {
      type: "object",
      properties: { a: { const: "x" } },
      items: { type: ["number", "null"] },
      additionalProperties: false,
    },
    {
      type: "object",
      properties: { a: { type: "string", enum: ["x"] } },
      items: { type: "number", nullable: true },
      additionalProperties: false,
    },
  ],
  [
    "leaves schemas with references to their type",
    { type: "object", properties: { a: { $ref: "#" } } },
    undefined,
  ],
  ["leaves several types to their type", { type: ["string", "number"] }, undefined],
  ["rejects other values", "string", undefined],
];

for (const [name, given, expected] of cases) {
  test(`a JSON schema in OpenAPI's dialect ${name}`, () =>
    assert.deepEqual(toOpenApiSchema(given), expected));
}
