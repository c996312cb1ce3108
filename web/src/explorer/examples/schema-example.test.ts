import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { OpenApiDocument, Schema } from "../../../../src/features/docs/wire.ts";
import { createJudge } from "../../../../tests/support/json-schema.ts";
import { type OpenApi, resolveResponse } from "../openapi/document.ts";
import { exampleOf, type Purpose } from "./schema-example.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const document = {
  openapi: "3.0.3",
  info: { title: "", version: "" },
  servers: [],
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
      Endless: { type: "object", required: ["next"], properties: { next: ref("Endless") } },
      List: {
        type: "object",
        required: ["next"],
        properties: { next: { oneOf: [ref("List"), { type: "boolean" }] } },
      },
      Round: ref("Round"),
    },
  },
} satisfies OpenApi;

describe("an example of a schema", () => {
  const cases: { schema: Schema; example: unknown; purpose?: Purpose }[] = [
    { schema: { type: "string" }, example: "text" },
    { schema: { type: "string", minLength: 8 }, example: "text tex" },
    { schema: { type: "string", maxLength: 3 }, example: "tex" },
    { schema: { type: "string", format: "date" }, example: "2026-01-31" },
    { schema: { type: "string", enum: ["open", "done"] }, example: "open" },
    { schema: { type: "string", default: null, nullable: true }, example: null },
    { schema: { type: "string", pattern: "^[A-Z]{3}-\\d{2,}$" }, example: "AAA-11" },
    { schema: { type: "string", pattern: "^(?:red|green)( light)?$" }, example: "red" },
    { schema: { type: "string", pattern: "^[a-z]+$", minLength: 6 }, example: "aaaaaa" },
    { schema: { type: "string", pattern: "^\\p{Lu}[^a-z]$" }, example: "A1" },
    { schema: { type: "integer", minimum: 5 }, example: 5 },
    { schema: { type: "integer", minimum: 5, exclusiveMinimum: true }, example: 6 },
    { schema: { type: "integer", minimum: 5, multipleOf: 4 }, example: 8 },
    { schema: { type: "integer", maximum: -3 }, example: -3 },
    { schema: { type: "number", maximum: 0.5 }, example: 0 },
    { schema: { type: "number", minimum: 0.1, maximum: 0.2, exclusiveMinimum: true }, example: 0.2 },
    { schema: { type: "array", items: { type: "boolean" } }, example: [true] },
    {
      schema: { type: "array", items: { type: "integer" }, minItems: 2, uniqueItems: true },
      example: [1, 2],
    },
    { schema: { type: "array", items: { type: "string" }, maxItems: 0 }, example: [] },
    { schema: { oneOf: [{ type: "boolean" }, { type: "string" }] }, example: true },
    { schema: { type: "object", additionalProperties: { type: "integer" } }, example: { key: 1 } },
    {
      schema: {
        allOf: [
          { type: "object", properties: { a: { type: "integer", minimum: 2 } } },
          { type: "object", properties: { a: { type: "integer", maximum: 2 }, b: { type: "boolean" } } },
        ],
      },
      example: { a: 2, b: true },
    },
    {
      schema: { allOf: [{ type: "string", minLength: 2 }, { maxLength: 3 }] },
      example: "tex",
    },
    {
      schema: {
        type: "object",
        properties: {
          id: { type: "integer", readOnly: true },
          password: { type: "string", writeOnly: true },
        },
      },
      purpose: "request",
      example: { password: "correct-horse-battery" },
    },
    {
      schema: {
        type: "object",
        properties: {
          id: { type: "integer", readOnly: true },
          password: { type: "string", writeOnly: true },
        },
      },
      example: { id: 42 },
    },
    {
      schema: ref("Node"),
      example: { name: "Ada Lovelace", children: [], owner: { id: "123e4567-e89b-42d3-a456-426614174000" } },
    },
    { schema: ref("List"), example: { next: true } },
    { schema: ref("Endless"), example: null },
    { schema: ref("Round"), example: null },
    { schema: ref("nobody"), example: null },
    { schema: {}, example: null },
  ];
  for (const { schema, example, purpose } of cases) {
    it(`is ${JSON.stringify(example)} for ${JSON.stringify(schema)}`, () => {
      assert.deepEqual(exampleOf(document, schema, purpose), example);
    });
  }
});

describe("the examples of every golden document", () => {
  const root = join(import.meta.dirname, "../../../../tests/golden");
  const files = globSync("**/openapi.json", { cwd: root });

  it("are found", () => assert.ok(files.length > 100));

  for (const file of files) {
    it(`are valid in ${file}`, () => {
      const golden = JSON.parse(readFileSync(join(root, file), "utf8")) as OpenApiDocument;
      const judges = { request: judgeFor(golden, "readOnly"), response: judgeFor(golden, "writeOnly") };
      for (const { schema, purpose } of schemasOf(golden)) {
        const judge = judges[purpose];
        const example = exampleOf(golden, schema, purpose);
        const refers = JSON.parse(
          JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'),
        ) as Schema;
        const isValid = judge.validate(refers, example);
        assert.ok(isValid, `${JSON.stringify(schema)}: ${JSON.stringify(example)}: ${judge.errorsText()}`);
      }
    });
  }
});

/** In a request, a field that is read-only is not required, although `required` names it. */
function judgeFor(golden: OpenApiDocument, leftOut: "readOnly" | "writeOnly") {
  const own = structuredClone(golden);
  for (const schema of Object.values(own.components?.schemas ?? {}) as { required?: string[] }[]) {
    const { properties = {} } = schema as Schema;
    if (schema.required) schema.required = schema.required.filter((name) => !properties[name]?.[leftOut]);
  }
  return createJudge(own as unknown as Parameters<typeof createJudge>[0]);
}

/** The schemas of all bodies. */
function schemasOf(golden: OpenApiDocument): { schema: Schema; purpose: Purpose }[] {
  const operations = Object.values(golden.paths).flatMap(({ servers, ...methods }) => Object.values(methods));
  return operations.flatMap(({ requestBody, responses }) => {
    const answers = Object.values(responses).map((each) => resolveResponse(golden, each));
    const sent = Object.values(requestBody?.content ?? {}).map(({ schema }) => ({
      schema,
      purpose: "request" as const,
    }));
    const received = answers
      .flatMap(({ content = {} }) => Object.values(content))
      .map(({ schema }) => ({ schema, purpose: "response" as const }));
    return [...sent, ...received].filter(({ schema }) => schema !== undefined);
  });
}
