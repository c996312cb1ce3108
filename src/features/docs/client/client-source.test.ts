import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { OpenAPIDocument, Operation, Schema, SecurityScheme } from "../model/openapi.ts";
import { createClientSource } from "./client-source.ts";

interface Parts {
  readonly schemas?: Record<string, Schema>;
  readonly paths?: Record<string, object>;
  readonly securitySchemes?: Record<string, SecurityScheme>;
  readonly servers?: readonly string[];
}

function write({ schemas = {}, paths = {}, securitySchemes = {}, servers = [] }: Parts): string {
  const document = {
    openapi: "3.0.3",
    info: { title: "Test", version: "1" },
    servers: servers.map((url) => ({ url })),
    paths,
    components: { schemas, securitySchemes },
  };
  return createClientSource(document as unknown as OpenAPIDocument);
}

/** The declaration of a schema named X, without the line that follows. */
function declare(schema: Schema): string {
  const [, text] = /\n((?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export (?:interface|type) X\b[\s\S]*?)\n\n/.exec(
    write({ schemas: { X: schema, Other: { type: "object", properties: { id: { type: "string" } } } } }),
  )!;
  return text!;
}

const other = { $ref: "#/components/schemas/Other" };
const own = { $ref: "#/components/schemas/X" };

describe("the type of a schema", () => {
  const cases: [name: string, schema: Schema, expected: string][] = [
    ["a string", { type: "string" }, "export type X = string;"],
    ["a number", { type: "integer" }, "export type X = number;"],
    ["an enum", { type: "string", enum: ["a", 'b"\\', "c\n"] }, 'export type X = "a" | "b\\"\\\\" | "c\\n";'],
    ["a nullable enum", { enum: ["a", null], nullable: true }, 'export type X = "a" | null;'],
    ["an enum of numbers", { type: "number", enum: [1, -2.5] }, "export type X = 1 | -2.5;"],
    ["a reference that may be null", { nullable: true, allOf: [other] }, "export type X = Other | null;"],
    ["a choice", { oneOf: [other, { type: "string" }] }, "export type X = Other | string;"],
    [
      "an array of a choice",
      { type: "array", items: { anyOf: [other, { type: "number" }] } },
      "export type X = (Other | number)[];",
    ],
    [
      "both of two",
      { allOf: [other, { oneOf: [{ type: "string" }, { type: "number" }] }] },
      "export type X = Other & (string | number);",
    ],
    ["a choice with an unknown part", { anyOf: [other, {}] }, "export type X = unknown;"],
    ["anything", {}, "export type X = unknown;"],
    ["an object", { type: "object" }, "export type X = { [key: string]: unknown };"],
    [
      "an object without properties",
      { type: "object", additionalProperties: false },
      "export type X = { [key: string]: never };",
    ],
    [
      "a map",
      { type: "object", additionalProperties: { type: "array", items: own } },
      "export type X = { [key: string]: X[] };",
    ],
    [
      "an object that has more properties",
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: { type: "number" } },
      "export interface X {\n  a?: string;\n  [key: string]: unknown;\n}",
    ],
    [
      "one that contains itself",
      { type: "object", required: ["next"], properties: { next: own, all: { type: "array", items: own } } },
      "export interface X {\n  next: X;\n  all?: X[];\n}",
    ],
    ["one that is only itself", { anyOf: [{ type: "string" }, own] }, "export type X = unknown;"],
    [
      "properties with odd names",
      {
        type: "object",
        required: ["a-b", "class"],
        properties: { "a-b": {}, class: {}, 'x"]: any; "': { type: "string" } },
      },
      'export interface X {\n  "a-b": unknown;\n  class: unknown;\n  "x\\"]: any; \\""?: string;\n}',
    ],
    [
      "what is only read",
      { type: "object", properties: { id: { type: "string", readOnly: true } } },
      "export interface X {\n  readonly id?: string;\n}",
    ],
    [
      "descriptions and defaults",
      {
        type: "object",
        description: "First.\r\nSecond.",
        properties: { n: { type: "number", description: "How many.", default: 3, deprecated: true } },
      },
      "/**\n * First.\n * Second.\n */\nexport interface X {\n  /**\n   * How many.\n   * @default 3\n   * @deprecated\n   */\n  n?: number;\n}",
    ],
    [
      "a long choice",
      { enum: Array.from({ length: 12 }, (_, index) => `alternative-${index}`) },
      `export type X =\n${Array.from({ length: 12 }, (_, index) => `  | "alternative-${index}"`).join("\n")};`,
    ],
  ];
  for (const [name, schema, expected] of cases)
    it(`is right for ${name}`, () => assert.equal(declare(schema), expected));
});

describe("the names of types", () => {
  it("stay as they are, unless they are no identifiers or have a meaning", () => {
    const names = [
      "Order",
      "order-line",
      "order_line",
      "Error",
      "class",
      "2fa",
      "ApiClient",
      "Record",
      "OrderLine",
    ];
    const text = write({ schemas: Object.fromEntries(names.map((name) => [name, { type: "string" }])) });
    const declared = [...text.matchAll(/^export type (\w+) = string;$/gm)].map(([, name]) => name);
    assert.deepEqual(declared, [
      "Order",
      "OrderLine2",
      "Order_line",
      "ErrorSchema",
      "Class",
      "Schema2fa",
      "ApiClientSchema",
      "RecordSchema",
      "OrderLine",
    ]);
  });
});

describe("texts of the document", () => {
  const attack =
    '*/ globalThis.attacked = true; /* "; globalThis.attacked = true; // `\u0024{1}` \u2028 \u202e';

  it("cannot end a comment or a literal", () => {
    const operation = {
      summary: attack,
      description: `${attack}\n@ts-expect-error`,
      parameters: [
        { name: attack, in: "query", description: attack, schema: { type: "string", default: attack } },
      ],
      responses: { 200: { description: attack } },
      security: [{ [attack]: [] }],
    };
    const text = write({
      schemas: {
        [attack]: { type: "object", description: attack, properties: { [attack]: { enum: [attack] } } },
      },
      paths: { [`/${attack}`]: { get: operation } },
      securitySchemes: { [attack]: { type: "apiKey", in: "header", name: attack, description: attack } },
      servers: [`https://example.com/${attack}`],
    });
    const code = text.replace(/"(?:[^"\\\n]|\\.)*"|\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    assert.doesNotMatch(code, /attacked/);
    assert.doesNotMatch(text, /[\u2028\u202e]/);
    assert.doesNotMatch(text, /^\s*\*? ?@ts-/m);
  });
});

describe("the operations", () => {
  const responses = { 204: { description: "No Content" } };
  const table = (operation: Partial<Operation>, more: Parts = {}) => {
    const paths = { "/a/{id}": { post: { responses, ...operation } } };
    return /"post \/a\/\{id\}": (.*),\n/.exec(write({ paths, ...more }))?.[1];
  };
  const body = (...types: string[]) => ({
    requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: {} }])) },
  });

  it("have an entry in the table only if they need one", () => {
    assert.equal(table({}), undefined);
    assert.equal(table(body("application/json", "multipart/form-data")), undefined);
    assert.equal(table(body("multipart/form-data")), '{ body: "multipart/form-data" }');
    assert.equal(table(body("application/octet-stream")), '{ body: "application/octet-stream" }');
    const text = { 200: { description: "OK", content: { "text/plain": { schema: {} } } } };
    assert.equal(table({ responses: text }), "{ isJson: false }");
  });

  it("list the security schemes that they accept", () => {
    const securitySchemes: Record<string, SecurityScheme> = {
      bearer: { type: "http", scheme: "bearer" },
      key: { type: "apiKey", in: "header", name: "x-key" },
      session: { type: "apiKey", in: "cookie", name: "sid" },
    };
    assert.equal(table({ security: [{ session: [] }] }, { securitySchemes }), undefined);
    assert.equal(table({ security: [] }, { securitySchemes }), undefined);
    assert.equal(table({ security: [{}, { key: [] }] }, { securitySchemes }), '{ security: ["key"] }');
    assert.equal(table({}, { securitySchemes }), '{ security: ["bearer", "key"] }');
  });

  it("have the prefix of the version, unless they are outside of it", () => {
    const text = write({
      servers: ["http://localhost:8090/api/v1"],
      paths: {
        "/a": { get: { responses } },
        "/health": { servers: [{ url: "http://localhost:8090" }], get: { responses } },
      },
    });
    assert.match(text, /^const defaultBaseUrl: string = "\/api\/v1";$/m);
    assert.match(text, /^const versionPrefix: string = "\/api\/v1";$/m);
    assert.match(text, /"get \/health": \{ isOutside: true \},/);
  });
});
