import type { OpenAPIDocument } from "../../src/features/docs/index.ts";

const attack =
  '*/ globalThis.attacked = true; /* "; globalThis.attacked = true; // `\u0024{globalThis.attacked = true}`';
const lines = `${attack}\r\n@ts-expect-error\n// @ts-nocheck\n*/\u2028\u202e\u0000`;
const words = [
  "constructor",
  "__proto__",
  "new",
  "readonly",
  "get",
  "set",
  "static",
  "async",
  "default",
  "toString",
];

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const content = (name: string) => ({ "application/json": { schema: ref(name) } });
const odd = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: "string", description: lines, readOnly: true }]));

const schemaNames = [
  ...[
    "Error",
    "Response",
    "Request",
    "Headers",
    "Blob",
    "Date",
    "Promise",
    "Record",
    "Omit",
    "Exclude",
    "ReadableStream",
  ],
  ...[
    "ApiClient",
    "ApiError",
    "ApiErrorSchema",
    "ApiRoutes",
    "T",
    "M",
    "P",
    "Given",
    "string",
    "any",
    "class",
    "2fa",
  ],
  ...["order-line", "order.line", "OrderLine", "Größe", "a b", "_", "$", "constructor", attack],
];

/** A document with every name and text that could break a client. */
export const hostileDocument = {
  openapi: "3.0.3",
  info: { title: lines, version: lines, description: lines },
  servers: [{ url: `https://example.com/${attack}` }],
  paths: {
    [`/${attack}/{a-b}/{constructor}`]: {
      parameters: [
        { name: "a-b", in: "path", required: true, schema: { type: "string" } },
        { name: "constructor", in: "path", required: true, schema: { type: "string" } },
      ],
      put: {
        operationId: attack,
        summary: lines,
        description: lines,
        deprecated: true,
        parameters: [
          ...[...words, attack, "filter[name]", "a.b"].map((name) => ({
            name,
            in: "query",
            description: lines,
            schema: { type: "string", enum: [attack, lines], default: lines },
          })),
          { name: "X-Odd", in: "header", description: lines, schema: { type: "boolean" } },
        ],
        requestBody: { description: lines, content: { "application/json": { schema: ref("Everything") } } },
        responses: {
          200: { description: lines, content: content("Everything") },
          202: {
            description: lines,
            content: { "text/plain": {}, "application/json": { schema: ref("Tree") } },
          },
          304: { description: lines },
          400: { description: lines, content: content("Error") },
          "4XX": { description: lines, content: { "text/plain": { schema: { type: "string" } } } },
        },
        security: [{ [attack]: [] }, { basic: [] }],
      },
    },
    ...Object.fromEntries(
      schemaNames.map((name, index) => [
        `/schemas/${index}`,
        {
          get: {
            responses: { "2XX": { description: "", content: content(name) }, 303: { description: "" } },
          },
        },
      ]),
    ),
  },
  components: {
    schemas: {
      ...Object.fromEntries(schemaNames.map((name) => [name, { type: "string", description: lines }])),
      Everything: {
        type: "object",
        description: lines,
        required: [...words, attack],
        properties: {
          ...odd([...words, attack, "a-b", "with space", "1", "", "ünïcode", "\u2028", "`", "\u0024{x}"]),
          tree: ref("Tree"),
          json: ref("Json"),
          loop: ref("LoopA"),
          both: { allOf: [ref("Tree"), { type: "object", properties: { more: { type: "boolean" } } }] },
          either: {
            oneOf: [ref("Tree"), ref("Json")],
            nullable: true,
            discriminator: { propertyName: "kind" },
          },
          list: { type: "array", items: { oneOf: [ref("Tree"), { type: "object", properties: { a: {} } }] } },
          map: { type: "object", additionalProperties: { oneOf: [{ type: "string" }, ref("Json")] } },
          long: {
            type: "array",
            items: { enum: Array.from({ length: 30 }, (_, index) => `${attack}${index}`) },
          },
          part: { $ref: "#/components/schemas/Tree/properties/left" },
        },
        additionalProperties: { type: "number" },
      },
      Tree: {
        type: "object",
        properties: {
          left: ref("Tree"),
          right: { nullable: true, allOf: [ref("Tree")] },
          kind: { enum: ["tree"] },
        },
      },
      Json: {
        oneOf: [
          ...["string", "number", "boolean"].map((type) => ({ type })),
          { type: "array", items: ref("Json") },
          { type: "object", additionalProperties: ref("Json") },
        ],
        nullable: true,
      },
      LoopA: ref("LoopB"),
      LoopB: { anyOf: [ref("LoopA"), { type: "string" }] },
    },
    securitySchemes: {
      [attack]: { type: "apiKey", in: "query", name: attack, description: lines },
      basic: { type: "http", scheme: "basic" },
      session: { type: "apiKey", in: "cookie", name: "sid" },
    },
  },
} as unknown as OpenAPIDocument;
