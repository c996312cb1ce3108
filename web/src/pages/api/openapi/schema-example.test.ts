import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Schema } from "../../../../../src/features/docs/wire.ts";
import type { OpenApi } from "./document.ts";
import { exampleOf } from "./schema-example.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const document: OpenApi = {
  paths: {},
  components: {
    schemas: {
      Node: {
        type: "object",
        properties: {
          name: { type: "string" },
          parent: ref("Node"),
          children: { type: "array", items: ref("Node") },
          owner: ref("Owner"),
        },
      },
      Owner: { type: "object", properties: { id: { type: "string", format: "uuid" } } },
      Round: ref("Round"),
    },
  },
};

describe("an example of a schema", () => {
  const cases: { schema: Schema; example: unknown }[] = [
    { schema: { type: "string" }, example: "string" },
    { schema: { type: "string", minLength: 8 }, example: "stringxx" },
    { schema: { type: "string", maxLength: 3 }, example: "str" },
    { schema: { type: "string", format: "date" }, example: "2026-01-31" },
    { schema: { type: "string", enum: ["open", "done"] }, example: "open" },
    { schema: { type: "string", default: null, nullable: true }, example: null },
    { schema: { type: "integer", minimum: 5 }, example: 5 },
    { schema: { type: "integer", minimum: 5, exclusiveMinimum: true }, example: 6 },
    { schema: { type: "number", maximum: 0.5 }, example: 0.5 },
    { schema: { type: "array", items: { type: "boolean" } }, example: [true] },
    { schema: { oneOf: [{ type: "boolean" }, { type: "string" }] }, example: true },
    { schema: { type: "object", additionalProperties: { type: "integer" } }, example: { key: 1 } },
    {
      schema: {
        allOf: [
          { type: "object", properties: { a: { type: "integer" } } },
          { type: "object", properties: { b: { type: "boolean" } } },
        ],
      },
      example: { a: 1, b: true },
    },
    {
      schema: ref("Node"),
      example: {
        name: "string",
        parent: null,
        children: [],
        owner: { id: "123e4567-e89b-42d3-a456-426614174000" },
      },
    },
    { schema: ref("Round"), example: null },
    { schema: ref("nobody"), example: null },
    { schema: {}, example: null },
  ];
  for (const { schema, example } of cases) {
    it(`is ${JSON.stringify(example)} for ${JSON.stringify(schema)}`, () => {
      assert.deepEqual(exampleOf(document, schema), example);
    });
  }
});
