import { describeCases } from "./testing/cases.ts";

const string = { type: "string" };
const number = { type: "number" };
const nothing = { type: "string", nullable: true, enum: [null] };

describeCases("objects", [
  {
    name: "optional and undefined properties are not required, in the order of declaration",
    type: "{ z: string; a?: number; b: string | undefined; c: undefined; d?: string | null; n: never }",
    schema: {
      type: "object",
      properties: { z: string, a: number, b: string, d: { type: "string", nullable: true } },
      required: ["z"],
    },
    valid: [{ z: "" }, { z: "", d: null }],
    invalid: [{}, { z: null }, { z: "", a: null }],
  },
  {
    name: "null beside a reference",
    source: "interface Todo { id: string }",
    type: "{ a: Todo | null; b?: Todo | null | undefined }",
    schema: {
      type: "object",
      properties: { a: { oneOf: [{ $ref: "#Todo" }, nothing] }, b: { oneOf: [{ $ref: "#Todo" }, nothing] } },
      required: ["a"],
    },
    valid: [{ a: null }, { a: { id: "1" }, b: null }],
    invalid: [{ a: {} }, { a: "x" }, {}],
  },
  {
    name: "null beside a reference that allows it already",
    source: "interface Todo { id: string }\ntype Maybe = Todo | null;\ntype Page<T> = { item: T | null };",
    type: "Page<Maybe>",
    valid: [{ item: null }, { item: { id: "" } }],
    invalid: [{ item: 1 }],
  },
  {
    name: "Record, of strings and of keys",
    type: "{ a: Record<string, number>; b: Record<'x' | 'y', string>; c: Partial<Record<'x', string>> }",
    schema: {
      type: "object",
      properties: {
        a: { type: "object", additionalProperties: number },
        b: { type: "object", properties: { x: string, y: string }, required: ["x", "y"] },
        c: { type: "object", properties: { x: string } },
      },
      required: ["a", "b", "c"],
    },
  },
  {
    name: "index signatures",
    type: `{ a: { id: string; [key: string]: string | number }; b: { [key: number]: string }; c: { [key: \`x-\${string}\`]: boolean }; d: Record<string, unknown>; e: Record<string, string | undefined> }`,
    schema: {
      type: "object",
      properties: {
        a: {
          type: "object",
          properties: { id: string },
          required: ["id"],
          additionalProperties: { oneOf: [string, number] },
        },
        b: { type: "object", additionalProperties: string },
        c: { type: "object", additionalProperties: { type: "boolean" } },
        d: { type: "object", additionalProperties: {} },
        e: { type: "object", additionalProperties: string },
      },
      required: ["a", "b", "c", "d", "e"],
    },
  },
  {
    name: "signatures of a base, and of another declaration of the same interface",
    source: `interface Base { [key: string]: number }
interface Derived extends Base { a: number }
interface Merged { a: number }
interface Merged { [key: string]: number }
interface Callable { a: number }
interface Callable { (): string }
interface Constructor extends Newable { a: number }
interface Newable { new (): Newable }`,
    type: "{ d: Derived; m: Merged; c: Callable; n: Constructor }",
    problems: ["TYPE_IS_FUNCTION 9", "TYPE_IS_FUNCTION 9"],
    schema: {
      type: "object",
      properties: { d: { $ref: "#Derived" }, m: { $ref: "#Merged" } },
      required: ["d", "m"],
    },
    components: {
      "#Derived": {
        type: "object",
        properties: { a: number },
        required: ["a"],
        additionalProperties: number,
      },
      "#Merged": {
        type: "object",
        properties: { a: number },
        required: ["a"],
        additionalProperties: number,
      },
    },
  },
  {
    name: "mapped, conditional, keyof and tools of the library",
    source: `interface Todo { id: string; /** What. */ title: string; done?: boolean }
type Getters<T> = { [K in keyof T as \`get\${Capitalize<string & K>}\`]: T[K] };
type If<T> = T extends string ? { text: T } : { other: T };`,
    type: "{ a: Pick<Todo, 'id'>; b: Omit<Todo, 'id'>; c: Partial<Todo>; d: Required<Pick<Todo, 'done'>>; e: keyof Todo; f: Getters<{ x: number }>; g: If<'a'>; h: Readonly<{ r: 1 }> }",
    schema: {
      type: "object",
      properties: {
        a: { type: "object", properties: { id: string }, required: ["id"] },
        b: {
          type: "object",
          properties: { title: { type: "string", description: "What." }, done: { type: "boolean" } },
          required: ["title"],
        },
        c: {
          type: "object",
          properties: {
            id: string,
            title: { type: "string", description: "What." },
            done: { type: "boolean" },
          },
        },
        d: { type: "object", properties: { done: { type: "boolean" } }, required: ["done"] },
        e: { type: "string", enum: ["done", "id", "title"] },
        f: { type: "object", properties: { getX: number }, required: ["getX"] },
        g: { type: "object", properties: { text: { type: "string", enum: ["a"] } }, required: ["text"] },
        h: { type: "object", properties: { r: { type: "integer", enum: [1] } }, required: ["r"] },
      },
      required: ["a", "b", "c", "d", "e", "f", "g", "h"],
    },
  },
  {
    name: "extends and intersections are flat",
    source: `interface Entity { id: string }
interface Times { created: Date }
interface Article extends Entity, Times { title: string }
type Comment = Entity & Times & { text: string };`,
    type: "[Article, Comment, Entity & { x: 1 }]",
    components: {
      "#Article": {
        type: "object",
        properties: { title: string, id: string, created: { type: "string", format: "date-time" } },
        required: ["title", "id", "created"],
      },
      "#Comment": {
        type: "object",
        properties: { id: string, created: { type: "string", format: "date-time" }, text: string },
        required: ["id", "created", "text"],
      },
    },
  },
  {
    name: "intersections with an index signature",
    type: "{ a: string } & Record<string, string>",
    schema: { type: "object", properties: { a: string }, required: ["a"], additionalProperties: string },
  },
  {
    name: "names that are special",
    type: '{ "__proto__": string; "a-b": number; 1: string; constructor: string; __x: 1 }',
    valid: [JSON.parse('{"__proto__":"","a-b":1,"1":"","constructor":"","__x":1}')],
    invalid: [JSON.parse('{"__proto__":"","a-b":1,"1":1,"constructor":"","__x":1}'), {}],
  },
  {
    name: "an interface without members allows everything, an empty literal is an object",
    source: "interface Empty {}",
    type: "{ a: Empty; b: {} }",
    components: { "#Empty": {} },
  },
  {
    name: "an object literal without members",
    kind: "expression",
    source: "export const x = /*<*/{}/*>*/;",
    schema: { type: "object" },
  },
]);

describeCases("lists and tuples", [
  {
    name: "arrays",
    type: "readonly string[][]",
    schema: { type: "array", items: { type: "array", items: string } },
  },
  { name: "ReadonlyArray", type: "ReadonlyArray<number>", schema: { type: "array", items: number } },
  {
    name: "undefined in an array is null",
    type: "(string | undefined)[]",
    schema: { type: "array", items: { type: "string", nullable: true } },
    valid: [["a", null]],
  },
  { name: "an array of nothing", type: "never[]", schema: { type: "array", items: {} } },
  { name: "an array of undefined", type: "undefined[]", valid: [[null]], invalid: [[1]] },
  {
    name: "tuples",
    type: "[string, number]",
    schema: { type: "array", items: { oneOf: [string, number] }, minItems: 2, maxItems: 2 },
    valid: [["a", 1]],
    invalid: [["a"], ["a", 1, 2]],
  },
  {
    name: "optional elements",
    type: "[a: string, b?: string]",
    schema: { type: "array", items: string, minItems: 1, maxItems: 2 },
  },
  {
    name: "rest elements",
    type: "[string, ...boolean[]]",
    schema: { type: "array", items: { oneOf: [string, { type: "boolean" }] }, minItems: 1 },
  },
  {
    name: "a rest in the middle",
    type: "[string, ...string[], string]",
    schema: { type: "array", items: string, minItems: 2 },
  },
  { name: "the empty tuple", type: "[]", valid: [[]], invalid: [[1]] },
  {
    name: "as const",
    kind: "expression",
    source: 'export const x = /*<*/["a", 1] as const/*>*/;',
    valid: [["a", 1]],
    invalid: [["b", 1], ["a"]],
  },
  {
    name: "an interface and a class that are arrays",
    source:
      "type Json = string | JsonList;\ninterface JsonList extends Array<Json> {}\nclass Names extends Array<string> { extra = 1 }",
    type: "{ a: JsonList; b: Names }",
    components: {
      "#JsonList": { type: "array", items: { $ref: "#Json" } },
      "#Names": { type: "array", items: string },
    },
    valid: [{ a: ["a", ["b"]], b: ["a"] }],
  },
]);

describeCases("classes", [
  {
    name: "public fields only",
    source: `class Base { id = "1" }
class User extends Base {
  name: string = ""; nick?: string; readonly created = new Date();
  private secret = 1; protected inner = 1; #hidden = true; static count = 0;
  constructor(public age: number, private x: string, plain: string) { super(); }
  get isHidden() { return this.#hidden }
  set value(v: string) {}
  accessor auto = 1;
  rename() {}
}`,
    type: "User",
    components: {
      "#User": {
        type: "object",
        properties: {
          name: string,
          nick: string,
          created: { type: "string", format: "date-time" },
          age: number,
          id: string,
        },
        required: ["name", "created", "age", "id"],
      },
    },
  },
  {
    name: "getters may be missing where only their type was taken over",
    source: "class User { id = 1; get name() { return '' } }",
    type: "Pick<User, 'id' | 'name'>",
    schema: { type: "object", properties: { id: number, name: string }, required: ["id"] },
  },
  {
    name: "toJSON wins",
    source: `class Money { cents = 1; toJSON() { return { amount: "1.00" } } }
class Plain { a = 1; toJSON() { return this } }
class Text { a = 1; toJSON(): string { return "" } }`,
    type: "{ m: Money; p: Plain; t: Text; o: { toJSON(): number } }",
    schema: {
      type: "object",
      properties: { m: { $ref: "#Money" }, p: { $ref: "#Plain" }, t: { $ref: "#Text" }, o: number },
      required: ["m", "p", "t", "o"],
    },
    components: {
      "#Money": { type: "object", properties: { amount: string }, required: ["amount"] },
      "#Plain": { type: "object", properties: { a: number }, required: ["a"] },
      "#Text": string,
    },
  },
  {
    name: "a subclass of a builtin keeps its own fields",
    source: "class NotFound extends Error { code = 'x' as const }\nclass Day extends Date {}",
    type: "{ a: NotFound; b: Day }",
    components: {
      "#NotFound": {
        type: "object",
        properties: { code: { type: "string", enum: ["x"] } },
        required: ["code"],
      },
      "#Day": string,
    },
  },
  {
    name: "this is the class or interface itself",
    source: "interface Node { next: this | null }\nclass Chain { self?: this }",
    type: "{ n: Node; c: Chain }",
    components: {
      "#Node": {
        type: "object",
        properties: { next: { oneOf: [{ $ref: "#Node" }, nothing] } },
        required: ["next"],
      },
    },
    valid: [{ n: { next: { next: null } }, c: { self: {} } }],
    invalid: [{ n: { next: 1 }, c: {} }],
  },
  {
    name: "getters of an object literal are written",
    kind: "expression",
    source: "export const x = /*<*/{ get a() { return 1 }, set b(v: string) {}, c: 1 }/*>*/;",
    schema: { type: "object", properties: { a: number, c: number }, required: ["a", "c"] },
  },
]);
