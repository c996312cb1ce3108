import { describeCases } from "./testing/cases.ts";

const string = { type: "string" };
const nothing = { type: "string", nullable: true, enum: [null] };
const shapes = `interface Circle { kind: "circle"; r: number }
interface Square { kind: "square"; a: number }
type Shape = Circle | Square;
`;
const discriminated = {
  oneOf: [{ $ref: "#Circle" }, { $ref: "#Square" }],
  discriminator: { propertyName: "kind", mapping: { circle: "#Circle", square: "#Square" } },
};

describeCases("unions", [
  {
    name: "discriminated, of components",
    source: shapes,
    type: "Shape",
    schema: { $ref: "#Shape" },
    components: { "#Shape": discriminated },
    valid: [{ kind: "circle", r: 1 }],
    invalid: [{ kind: "circle", a: 1 }, { kind: "x" }],
  },
  {
    name: "discriminated, without a name, with null",
    source: shapes,
    type: "Circle | Square | null",
    schema: { oneOf: [discriminated, nothing] },
    valid: [null, { kind: "square", a: 1 }],
    invalid: [{ kind: "square" }],
  },
  {
    name: "optional and nullable unions keep their name",
    source: shapes,
    type: "{ a?: Shape; b: Shape | null }",
    schema: {
      type: "object",
      properties: { a: { $ref: "#Shape" }, b: { oneOf: [{ $ref: "#Shape" }, nothing] } },
      required: ["b"],
    },
    valid: [{ b: null }],
    invalid: [{ a: null, b: null }],
  },
  {
    name: "discriminated by an enum, several values for one",
    source: `enum Kind { A = "a", B = "b", C = "c" }
interface One { kind: Kind.A | Kind.B }
interface Two { kind: Kind.C; x: 1 }`,
    type: "One | Two",
    schema: {
      oneOf: [{ $ref: "#One" }, { $ref: "#Two" }],
      discriminator: { propertyName: "kind", mapping: { a: "#One", b: "#One", c: "#Two" } },
    },
  },
  {
    name: "inline members that are disjoint",
    type: "{ ok: true; value: string } | { ok: false; error: string }",
    valid: [
      { ok: true, value: "" },
      { ok: false, error: "" },
    ],
    invalid: [{ ok: true, error: "" }],
    schema: {
      oneOf: [
        {
          type: "object",
          properties: { ok: { type: "boolean", enum: [true] }, value: string },
          required: ["ok", "value"],
        },
        {
          type: "object",
          properties: { ok: { type: "boolean", enum: [false] }, error: string },
          required: ["ok", "error"],
        },
      ],
    },
  },
  {
    name: "members that are not disjoint",
    source: "interface Named { name: string }\ninterface Titled { title: string }",
    type: "Named | Titled",
    schema: { anyOf: [{ $ref: "#Named" }, { $ref: "#Titled" }] },
    valid: [{ name: "", title: "" }],
    invalid: [{}],
  },
  {
    name: "an optional discriminator proves nothing",
    source: 'interface One { kind?: "a" }\ninterface Two { kind: "b" }',
    type: "One | Two",
    schema: { anyOf: [{ $ref: "#One" }, { $ref: "#Two" }] },
  },
  { name: "primitives", type: "string | number", schema: { oneOf: [string, { type: "number" }] } },
  {
    name: "a list or one",
    type: "string | string[]",
    schema: { oneOf: [string, { type: "array", items: string }] },
  },
  {
    name: "two kinds of lists",
    type: "string[] | number[]",
    schema: {
      anyOf: [
        { type: "array", items: string },
        { type: "array", items: { type: "number" } },
      ],
    },
  },
  {
    name: "two kinds of lists of unions",
    type: "(string | boolean)[] | (string | number)[]",
    valid: [
      ["a", true],
      ["a", 1],
    ],
    invalid: [[true, 1]],
  },
  { name: "date or string", type: "Date | string", valid: ["x"], invalid: [1] },
  { name: "unknown takes all", type: "{ a: unknown }['a'] | string", schema: {}, fact: { isUnknown: true } },
  {
    name: "recursive, seen first from a member",
    source: `interface Leaf { kind: "leaf" }
interface Branch { kind: "branch"; children: Tree[] }
type Tree = Leaf | Branch;`,
    type: "Branch",
    components: {
      "#Tree": {
        oneOf: [{ $ref: "#Branch" }, { $ref: "#Leaf" }],
        discriminator: { propertyName: "kind", mapping: { leaf: "#Leaf", branch: "#Branch" } },
      },
    },
    valid: [{ kind: "branch", children: [{ kind: "leaf" }] }],
    invalid: [{ kind: "branch", children: [{}] }],
  },
  {
    name: "a function in a union makes it optional",
    type: "{\n a: string | (() => void) }",
    schema: { type: "object", properties: { a: string } },
    problems: ["TYPE_IS_FUNCTION 3"],
  },
  {
    name: "a union with a name and a function in it",
    source: "type Lazy = string | (() => string);\ninterface A { a: Lazy }",
    type: "A",
    components: { "#A": { type: "object", properties: { a: string } } },
    problems: ["TYPE_IS_FUNCTION 2"],
  },
  {
    name: "null and undefined alone",
    type: "{ a: null | undefined }",
    valid: [{}, { a: null }],
    invalid: [{ a: 1 }],
  },
]);
