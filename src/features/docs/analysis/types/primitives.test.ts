import { describeCases } from "./testing/cases.ts";

describeCases("primitives and literals", [
  {
    name: "string",
    type: "string",
    schema: { type: "string" },
    valid: ["a"],
    invalid: [1],
  },
  { name: "number", type: "number", schema: { type: "number" }, valid: [1.5] },
  {
    name: "boolean",
    type: "boolean",
    schema: { type: "boolean" },
    invalid: ["true"],
  },
  { name: "null", type: "null", valid: [null], invalid: ["", 0, {}] },
  { name: "undefined", type: "undefined", schema: undefined },
  { name: "never", type: "never", schema: undefined },
  { name: "unknown", type: "unknown", schema: {}, fact: { isUnknown: true } },
  {
    name: "any",
    type: "any",
    schema: {},
    fact: { isUnknown: true },
    problems: ["TYPE_ANY 2"],
  },
  { name: "object", type: "object", schema: { type: "object" } },
  { name: "{}", type: "{}", schema: {} },
  {
    name: "a string literal",
    type: '"a"',
    schema: { type: "string", enum: ["a"] },
    fact: { values: ["a"] },
  },
  {
    name: "integers",
    type: "3 | 1 | -2",
    schema: { type: "integer", enum: [-2, 1, 3] },
    valid: [3, -2],
    invalid: [2],
  },
  {
    name: "fractions",
    type: "0.5 | 1",
    schema: { type: "number", enum: [0.5, 1] },
  },
  {
    name: "literals of several types",
    source: 'export interface X { a: /*<*/1 | "a" | true/*>*/ }',
    valid: [1, "a", true],
    invalid: [2, "b", false],
  },
  {
    name: "a boolean beside literals",
    type: 'boolean | "auto"',
    schema: { oneOf: [{ type: "string", enum: ["auto"] }, { type: "boolean" }] },
    valid: [true, false, "auto"],
    invalid: ["x"],
  },
  {
    name: "literals that the string beside them contains",
    type: '"a" | (string & {})',
    schema: { type: "string" },
  },
  {
    name: "a union of literals in the order of its declaration",
    source: 'type Status = "open" | "closed" | "archived";',
    type: "Status",
    schema: { $ref: "#Status" },
    components: { "#Status": { type: "string", enum: ["open", "closed", "archived"] } },
    fact: { values: ["archived", "closed", "open"] },
  },
  {
    name: "an inline union of literals in the order of the property",
    source: "interface A { a: 'z' | 'a' | null; n: 20 | 3 | 2 }",
    type: "A",
    components: {
      "#A": {
        type: "object",
        properties: {
          a: { type: "string", nullable: true, enum: ["z", "a", null] },
          n: { type: "integer", enum: [20, 3, 2] },
        },
        required: ["a", "n"],
      },
    },
    valid: [{ a: null, n: 20 }],
    invalid: [{ a: "b", n: 20 }, { n: 20 }],
  },
  {
    name: "an alias of a primitive",
    source: "type Id = string;",
    type: "Id",
    schema: { type: "string" },
  },
  {
    name: "a brand",
    source: "type Id = string & { readonly __brand: 'Id' };",
    type: "Id[]",
    schema: { type: "array", items: { type: "string" } },
  },
  {
    name: "a brand with a symbol, of a literal",
    source: "declare const b: unique symbol;",
    type: "1 & { [b]: true }",
    schema: { type: "integer", enum: [1] },
  },
  {
    name: "bigint",
    source: "export interface X {\n a: /*<*/{\n n: bigint; l: 1n }/*>*/ }",
    schema: { type: "object", properties: { n: {}, l: {} }, required: ["n", "l"] },
    problems: ["TYPE_IS_BIGINT 3", "TYPE_IS_BIGINT 3"],
  },
]);

describeCases("template literals", [
  {
    name: "numbers and strings",
    type: `\`a.\${number}-\${string}\``,
    valid: ["a.1-", "a.-2.5-x\ny"],
    invalid: ["ab1-", "a.x-", "b a.1-"],
  },
  {
    name: "a union inside, multiplied out",
    type: `\`\${'s' | 'l'}-\${'a' | 'b'}\``,
    schema: { type: "string", enum: ["l-a", "l-b", "s-a", "s-b"] },
  },
  {
    name: "a union and a number",
    type: `\`\${'(' | '['}\${number}\``,
    valid: ["(1", "[20"],
    invalid: ["{1", "(", "1"],
  },
  {
    name: "a boolean",
    type: `\`is \${boolean}!\``,
    valid: ["is true!"],
    invalid: ["is x!"],
  },
  { name: "a bigint", type: `\`n\${bigint}\``, valid: ["n12"], invalid: ["n1.5"] },
  { name: "Uppercase", type: "Uppercase<string>", schema: { type: "string" } },
  {
    name: "Uppercase inside",
    type: `\`x\${Uppercase<string>}\``,
    valid: ["xA"],
    invalid: ["A"],
  },
  {
    name: "Uppercase of literals",
    type: "Uppercase<'a' | 'b'>",
    schema: { type: "string", enum: ["A", "B"] },
  },
]);

describeCases("enums", [
  {
    name: "of strings",
    source: 'enum Color { Red = "r", Blue = "b" }',
    type: "Color",
    schema: { $ref: "#Color" },
    components: { "#Color": { type: "string", enum: ["r", "b"] } },
    fact: { values: ["r", "b"], components: ["#Color"] },
  },
  {
    name: "of numbers, optional and nullable",
    source:
      "/** How much. */\nenum Level { Low, Mid = 5, High }\nexport interface A { a?: Level; b: Level | null }",
    type: "A",
    components: {
      "#Level": { type: "integer", enum: [0, 5, 6], description: "How much." },
      "#A": {
        type: "object",
        properties: {
          a: { $ref: "#Level" },
          b: { oneOf: [{ $ref: "#Level" }, { type: "string", nullable: true, enum: [null] }] },
        },
        required: ["b"],
      },
    },
    valid: [{ a: 5, b: null }, { b: 0 }],
    invalid: [{ a: null, b: 0 }, { b: 1 }],
  },
  {
    name: "mixed",
    source: 'enum Mixed { No = 0, Yes = "YES" }',
    type: "Mixed",
    components: { "#Mixed": { enum: [0, "YES"] } },
    valid: [0, "YES"],
    invalid: [1, "NO"],
  },
  {
    name: "const",
    source: 'const enum Size { Small = "s" , Large = "l" }',
    type: "Size[]",
    schema: { type: "array", items: { $ref: "#Size" } },
  },
  {
    name: "of one member",
    source: 'enum One { Only = "only" }',
    type: "One",
    schema: { $ref: "#One" },
    components: { "#One": { type: "string", enum: ["only"] } },
  },
  {
    name: "one member of several, and some of them",
    source: 'enum Color { Red = "r", Blue = "b", Green = "g" }',
    type: "{ one: Color.Red; some: Exclude<Color, Color.Red> }",
    schema: {
      type: "object",
      properties: { one: { type: "string", enum: ["r"] }, some: { type: "string", enum: ["b", "g"] } },
      required: ["one", "some"],
    },
  },
  {
    name: "computed",
    source: 'enum Computed { A = "abc".length, B = 2 }',
    type: "Computed",
    schema: { $ref: "#Computed" },
    components: { "#Computed": { type: "number" } },
  },
  {
    name: "a const object instead",
    source:
      'const Shape = { Round: "round", Square: "square" } as const;\ntype Shape = (typeof Shape)[keyof typeof Shape];',
    type: "Shape",
    schema: { $ref: "#Shape" },
    components: { "#Shape": { type: "string", enum: ["round", "square"] } },
  },
]);
