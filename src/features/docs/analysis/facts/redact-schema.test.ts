import assert from "node:assert/strict";
import { test } from "node:test";
import { redactSchema, withoutTexts, withoutValues } from "./redact-schema.ts";

type Schema = Record<string, unknown>;
const isSecret = (text: string) => text.includes("canary");
const property = (name: string, schema: Schema) => ({ type: "object", properties: { [name]: schema } });

const cases: [name: string, given: Schema, expected: Schema][] = [
  [
    "keeps what contains no secret",
    property("size", { type: "string", enum: ["s", "l"], default: "s", description: "The size." }),
    property("size", { type: "string", enum: ["s", "l"], default: "s", description: "The size." }),
  ],
  [
    "shows only the type and the limits of a credential",
    property("apiKey", {
      type: "string",
      minLength: 8,
      enum: ["a"],
      default: "a",
      example: "a",
      pattern: "^a$",
      description: "a",
      title: "a",
      "x-hint": "a",
    }),
    property("apiKey", { type: "string", minLength: 8 }),
  ],
  [
    "does so within a credential",
    property("auth", property("word", { type: "string", enum: ["a"] })),
    property("auth", property("word", { type: "string" })),
  ],
  [
    "keeps the nullability of a credential",
    property("token", {
      anyOf: [
        { type: "string", default: "a" },
        { type: "string", nullable: true, enum: [null] },
      ],
    }),
    property("token", { anyOf: [{ type: "string" }, { type: "string", nullable: true, enum: [null] }] }),
  ],
  ["drops an enum with a secret", { type: "string", enum: ["open", "canary"] }, { type: "string" }],
  ["drops a secret in a default", { type: "object", default: { a: ["canary"] } }, { type: "object" }],
  ["drops a secret in a pattern", { type: "string", pattern: "^\\canary" }, { type: "string" }],
  [
    "drops a field whose name is a secret",
    { type: "object", properties: { canary: {}, a: {} }, required: ["canary", "a"] },
    { type: "object", properties: { a: {} }, required: ["a"] },
  ],
  ["drops an empty list of required fields", { type: "object", required: [] }, { type: "object" }],
  [
    "no longer distinguishes alternatives by a removed value",
    {
      oneOf: [property("secret", { enum: ["a"] }), property("secret", { enum: ["b"] })],
      discriminator: { propertyName: "secret" },
    },
    { anyOf: [property("secret", {}), property("secret", {})] },
  ],
  [
    "redacts items and additional properties",
    { type: "array", items: { type: "object", additionalProperties: { enum: ["canary"] } } },
    { type: "array", items: { type: "object", additionalProperties: {} } },
  ],
];

for (const [name, given, expected] of cases) {
  test(`the schema of a validator ${name}`, () => assert.deepEqual(redactSchema(given, isSecret), expected));
}

test("a schema without values contains only types, and refers to copies", () => {
  const given = {
    oneOf: [{ $ref: "First" }, property("size", { type: "string", enum: ["s"], description: "A size." })],
    discriminator: { propertyName: "kind", mapping: { first: "First" } },
  };
  assert.deepEqual(
    withoutValues(given, (identity) => `${identity} copy`),
    {
      schema: { anyOf: [{ $ref: "First copy" }, property("size", { type: "string" })] },
      isWider: true,
    },
  );
});

test("a schema without certain texts keeps other values, and properties of that name", () => {
  const given = { properties: { canary: { enum: ["a"] }, word: { enum: ["canary"] } }, required: ["canary"] };
  assert.deepEqual(withoutTexts(given, isSecret), {
    schema: { properties: { canary: { enum: ["a"] }, word: {} }, required: ["canary"] },
    isWider: true,
  });
});
