import { describeCases } from "../testing/cases.ts";

function property(comment: string, type: string) {
  return { source: `interface A {\n  ${comment}\n  a: ${type};\n}`, type: "A" };
}

function schemaOfA(schema: Record<string, unknown>) {
  return { components: { "#A": { type: "object", properties: { a: schema }, required: ["a"] } } };
}

describeCases("comments", [
  {
    name: "descriptions of types and properties",
    source: `
/**
 * A thing to do.
 *
 * See {@link Other} and {@link Other | this}.
 * @title To do
 * @see elsewhere
 */
interface Todo {
  /** What. */ title: string; /** behind */
  plain: string;
  // not this
  /* nor this */
  other: string;
  /** One line. */
  last: Other;
}
/** @deprecated do not use */
interface Other { one: 1; /** two */ two: 2 }`,
    type: "Todo",
    components: {
      "#Todo": {
        type: "object",
        title: "To do",
        description: "A thing to do.\n\nSee Other and this.",
        properties: {
          title: { type: "string", description: "What." },
          plain: { type: "string" },
          other: { type: "string" },
          last: { allOf: [{ $ref: "#Other" }], description: "One line." },
        },
        required: ["title", "plain", "other", "last"],
      },
      "#Other": {
        type: "object",
        deprecated: true,
        properties: {
          one: { type: "integer", enum: [1] },
          two: { type: "integer", enum: [2], description: "two" },
        },
        required: ["one", "two"],
      },
    },
  },
  {
    name: "format",
    ...property("/** @format email */", "string"),
    ...schemaOfA({ type: "string", format: "email" }),
  },
  {
    name: "pattern and lengths",
    ...property("/** @pattern ^[A-Z]{3}$\n * @minLength 3\n * @maxLength 3 */", "string | null"),
    ...schemaOfA({ type: "string", nullable: true, pattern: "^[A-Z]{3}$", minLength: 3, maxLength: 3 }),
    valid: [{ a: "ABC" }, { a: null }],
    invalid: [{ a: "abc" }],
  },
  {
    name: "limits of numbers",
    ...property("/**\n * @minimum 1\n * @maximum 2.5\n * @multipleOf 0.5 */", "number"),
    ...schemaOfA({ type: "number", minimum: 1, maximum: 2.5, multipleOf: 0.5 }),
  },
  {
    name: "exclusive limits",
    ...property("/**\n * @exclusiveMinimum 0\n * @exclusiveMaximum 10 */", "number"),
    ...schemaOfA({ type: "number", minimum: 0, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: true }),
    valid: [{ a: 1 }],
    invalid: [{ a: 0 }, { a: 10 }],
  },
  {
    name: "integer, with a default that must be one",
    ...property("/** @default 10\n * @integer */", "number"),
    ...schemaOfA({ type: "integer", default: 10 }),
    invalid: [{ a: 1.5 }],
  },
  {
    name: "lists",
    ...property("/** @minItems 1\n * @maxItems 3\n * @uniqueItems */", "string[]"),
    ...schemaOfA({ type: "array", items: { type: "string" }, minItems: 1, maxItems: 3, uniqueItems: true }),
  },
  {
    name: "defaults and examples of strings",
    ...property("/** @default 'asc'\n * @example 42\n * @example 43 */", "string"),
    ...schemaOfA({ type: "string", default: "asc", example: "42" }),
  },
  {
    name: "an example in JSON",
    ...property('/** @example { "x": [1] } */', "{ x: number[] }"),
    ...schemaOfA({
      type: "object",
      properties: { x: { type: "array", items: { type: "number" } } },
      required: ["x"],
      example: { x: [1] },
    }),
  },
  {
    name: "readonly and writeonly; the modifier of TypeScript says nothing",
    source:
      "interface A {\n /** @readonly */ readonly a: string;\n /** @writeonly */ b: string;\n readonly c: string }",
    type: "A",
    components: {
      "#A": {
        type: "object",
        properties: {
          a: { type: "string", readOnly: true },
          b: { type: "string", writeOnly: true },
          c: { type: "string" },
        },
        required: ["a", "b", "c"],
      },
    },
  },
  {
    name: "beside a reference and null",
    source: "interface B { x: 1 }\ninterface A {\n /** The b.\n * @deprecated */\n a: B | null }",
    type: "A",
    ...schemaOfA({
      oneOf: [{ $ref: "#B" }, { type: "string", nullable: true, enum: [null] }],
      description: "The b.",
      deprecated: true,
    }),
    valid: [{ a: null }, { a: { x: 1 } }],
  },
  {
    name: "above an alias of a primitive, and above its use",
    source: `/** An address. @see x\n * @format email */
type Email = string;
/** @minimum 0\n * @integer */
type Count = number & { __brand: "Count" };
/** Not here. */
type Named = { x: 1 };
interface A { a: Email | null; b?: Email; /** Mine. */ c: Email; d: Count; e: Named }`,
    type: "A",
    components: {
      "#A": {
        type: "object",
        properties: {
          a: { type: "string", nullable: true },
          b: { type: "string", description: "An address. @see x", format: "email" },
          c: { type: "string", description: "Mine.", format: "email" },
          d: { type: "integer", minimum: 0 },
          e: { $ref: "#Named" },
        },
        required: ["a", "c", "d", "e"],
      },
    },
  },
  {
    name: "tags that cannot be used",
    ...property(
      "/**\n * @minimum high\n * @pattern (\n * @maxLength -1\n * @integer\n * @multipleOf 0\n * @default\n * @format\n * @minItems 1 */",
      "string",
    ),
    ...schemaOfA({ type: "string" }),
    problems: Array.from({ length: 8 }, () => "TYPE_TAG_UNUSABLE 11"),
  },
  {
    name: "a default of another type",
    ...property("/** @default ten */", "number"),
    ...schemaOfA({ type: "number" }),
    problems: ["TYPE_TAG_UNUSABLE 3"],
  },
  {
    name: "readonly and writeonly together",
    ...property("/** @readonly\n * @writeonly */", "string"),
    ...schemaOfA({ type: "string", readOnly: true }),
    problems: ["TYPE_TAG_UNUSABLE 4"],
  },
]);
