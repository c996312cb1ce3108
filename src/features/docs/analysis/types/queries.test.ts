import { fileURLToPath } from "node:url";
import { describeCases } from "./testing/cases.ts";

const response = `declare const statusAndBody: unique symbol;
interface SentResponse<Status extends number = number, Body = unknown> { readonly [statusAndBody]: { status: Status; body: Body } }
declare function json<const S extends number, B>(status: S, body: B): SentResponse<S, B>;
declare function noContent(): SentResponse<204, never>;
interface Todo { id: string }
interface Problem { code: string }
declare const todo: Todo;
`;

describeCases("expressions", [
  {
    name: "a promise is awaited",
    kind: "expression",
    source:
      "interface Todo { id: string }\ndeclare function find(): Promise<Todo>;\nexport const x = /*<*/find()/*>*/;",
    schema: { $ref: "#Todo" },
  },
  {
    name: "a promise in a union is awaited",
    kind: "expression",
    source:
      "declare function find(): Promise<string> | PromiseLike<Promise<number>> | null;\nexport const x = /*<*/find()/*>*/;",
    valid: ["a", 1, null],
    invalid: [true],
  },
  {
    name: "a status",
    kind: "expression",
    source: "const created = 201;\nexport const x = [/*<*/created/*>*/];",
    fact: { values: [201] },
  },
  {
    name: "a status of two",
    kind: "expression",
    source: "declare const isNew: boolean;\nexport const x = [/*<*/isNew ? 201 : 200/*>*/];",
    fact: { values: [200, 201] },
  },
  {
    name: "an object literal with spread, override and rest",
    kind: "expression",
    source: `declare const user: { id: string; password: string; age: number };
const { password, ...rest } = user;
export const x = /*<*/{ ...rest, age: "old", tags: [1, 2].map(String) }/*>*/;`,
    schema: {
      type: "object",
      properties: {
        id: { type: "string" },
        age: { type: "string" },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["id", "age", "tags"],
    },
  },
  {
    name: "the value of a shorthand property",
    kind: "expression",
    source: "const done = true as boolean;\nexport const x = { /*<*/done/*>*/ };",
    schema: { type: "boolean" },
  },
  {
    name: "behind characters that are longer than one",
    kind: "expression",
    source: 'const s = "é€😀"; // 😀\nexport const x = [/*<*/s.length/*>*/];',
    schema: { type: "number" },
  },
  {
    name: "a value that may be undefined, which is sent as null",
    kind: "expression",
    source: "declare const list: string[];\nexport const x =\n/*<*/list.find(Boolean)/*>*/;",
    schema: { type: "string", nullable: true },
  },
  {
    name: "a type parameter",
    kind: "expression",
    source: "export function f<T>(value: T) { return [/*<*/value/*>*/]; }",
    schema: undefined,
    fact: { isOpen: true },
  },
  {
    name: "a type parameter deep inside",
    kind: "expression",
    source:
      "interface Page<T> { items: T[] }\nexport function f<T>(page: Page<T>) { return [/*<*/{ a: { page } }/*>*/]; }",
    schema: undefined,
    fact: { isOpen: true, components: [] },
  },
  {
    name: "tools over a type parameter",
    kind: "expression",
    source:
      "export function f<T extends { a: 1 }>(x: { p: Partial<T>; k: keyof T; i: T['a']; m: { [K in keyof T]: string } }) { return [/*<*/x.m/*>*/]; }",
    schema: undefined,
    fact: { isOpen: true },
  },
  {
    name: "a type parameter that was given",
    kind: "expression",
    source:
      "interface Page<T> { items: T[] }\ndeclare function page<T>(item: T): Page<T>;\nexport const x = /*<*/page({ a: 1 })/*>*/;",
    valid: [{ items: [{ a: 1 }] }],
    invalid: [{ items: [{}] }],
  },
  {
    name: "a type that cannot be resolved",
    kind: "expression",
    source: "import { x } from './missing.ts';\nexport const y =\n/*<*/x/*>*/;",
    schema: undefined,
    problems: ["TYPE_UNRESOLVED 3"],
  },
]);

describeCases(
  "a project without null checks",
  [
    {
      name: "null is hidden",
      type: "string | null",
      schema: { type: "string" },
      problems: ["TYPE_HIDES_NULL 2"],
    },
    {
      name: "empty literals are any",
      kind: "expression",
      source: "export const x = /*<*/{ a: [], b: null }/*>*/;",
      schema: {
        type: "object",
        properties: { a: { type: "array", items: {} }, b: {} },
        required: ["a"],
      },
      problems: ["TYPE_ANY 1", "TYPE_ANY 1", "TYPE_HIDES_NULL 1"],
    },
  ],
  { compilerOptions: { strict: false } },
);

describeCases("responses", [
  {
    name: "a call",
    kind: "responses",
    source: `${response}export const x = /*<*/json(200, todo)/*>*/;`,
    fact: { responses: [{ status: 200, schema: { $ref: "#Todo" }, hasBody: true }], components: ["#Todo"] },
  },
  {
    name: "a function with several, awaited and joined by status",
    kind: "responses",
    source: `${response}/*<*/async function f(n: number) {
  if (n === 1) return json(404, { code: "x" } as Problem);
  if (n === 2) return json(200, todo);
  if (n === 3) return noContent();
  return json(200, "text" as string);
}/*>*/
f(1);`,
    fact: {
      responses: [
        { status: 200, schema: { oneOf: [{ type: "string" }, { $ref: "#Todo" }] }, hasBody: true },
        { status: 204, hasBody: false },
        { status: 404, schema: { $ref: "#Problem" }, hasBody: true },
      ],
    },
  },
  {
    name: "only those of a status",
    kind: "responses",
    status: 404,
    source: `${response}export const f = /*<*/(ok: boolean) => ok ? json(200, todo) : json(404, null)/*>*/;`,
    fact: {
      responses: [{ status: 404, schema: { type: "string", nullable: true, enum: [null] }, hasBody: true }],
    },
  },
  {
    name: "a function that begins at export",
    kind: "responses",
    source: `${response}export default /*<*/function f() { return json(201, todo); }/*>*/`,
    fact: { responses: [{ status: 201, schema: { $ref: "#Todo" }, hasBody: true }] },
  },
  {
    name: "a method, from its parameters on",
    kind: "responses",
    source: `${response}export class A { async get/*<*/() { return json(201, todo); }/*>*/ }`,
    fact: { responses: [{ status: 201, schema: { $ref: "#Todo" }, hasBody: true }] },
  },
  {
    name: "a method of an object",
    kind: "responses",
    source: `${response}export const a = { /*<*/get() { return json(201, todo); }/*>*/ };`,
    fact: { responses: [{ status: 201, schema: { $ref: "#Todo" }, hasBody: true }] },
  },
  {
    name: "a status that is one of two",
    kind: "responses",
    source: `${response}declare const two: 200 | 201;\nexport const x = /*<*/json(two, todo)/*>*/;`,
    fact: {
      responses: [
        { status: 200, schema: { $ref: "#Todo" }, hasBody: true },
        { status: 201, schema: { $ref: "#Todo" }, hasBody: true },
      ],
    },
  },
  {
    name: "a status that is not known",
    kind: "responses",
    source: `${response}declare const n: number;\nexport const x = /*<*/json(n, todo)/*>*/;`,
    fact: { responses: [{ schema: { $ref: "#Todo" }, hasBody: true } as never] },
  },
  {
    name: "an alias, an intersection and something else",
    kind: "responses",
    source: `${response}type Ok = SentResponse<200, Todo> & { traced: true };
declare function f(): Promise<Ok | undefined>;
export const x = /*<*/f()/*>*/;`,
    fact: { responses: [{ status: 200, schema: { $ref: "#Todo" }, hasBody: true }] },
  },
  {
    name: "a body that is not known",
    kind: "responses",
    source: `${response}declare const u: unknown;\nexport const x = /*<*/json(200, u)/*>*/;`,
    fact: { responses: [{ status: 200, hasBody: true }], isUnknown: true },
  },
  {
    name: "a body of a type parameter",
    kind: "responses",
    source: `${response}export function f<T>(t: T) { return /*<*/json(200, { data: t })/*>*/; }`,
    fact: { responses: [{ status: 200, hasBody: true }], isOpen: true },
  },
  {
    name: "a helper that sends what it is given",
    kind: "responses",
    source: `${response}function ok<T>(t: T) { return json(200, { data: t }); }\nexport const x = /*<*/ok(todo)/*>*/;`,
    valid: [{ data: { id: "" } }],
    invalid: [{ data: {} }],
  },
  {
    name: "another type of that name",
    kind: "responses",
    source:
      "interface SentResponse<A, B> { a: A; b: B }\ndeclare const x: SentResponse<200, string>;\nexport const y = [/*<*/x/*>*/];",
    fact: { responses: [] },
  },
  {
    name: "no response",
    kind: "responses",
    source: "export const f = /*<*/() => {}/*>*/;",
    fact: { responses: [] },
  },
]);

const validators = Object.fromEntries(
  ["zod", "valibot", "arktype", "@ark", "@standard-schema"].map((name) => [name, packageFolder(name)]),
);

function packageFolder(name: string): string {
  const known = name === "@ark" ? "@ark/util" : name === "@standard-schema" ? "@standard-schema/spec" : name;
  const path = fileURLToPath(import.meta.resolve(known));
  const tail = `/node_modules/${name}`;
  return path.slice(0, path.lastIndexOf(`${tail}/`) + tail.length);
}

const inputSchema = {
  type: "object",
  properties: { title: { type: "string" }, done: { type: "boolean" } },
  required: ["title"],
};

describeCases(
  "inputs of validators",
  [
    {
      name: "zod",
      kind: "input",
      source:
        'import { z } from "zod";\nconst schema = z.object({ title: z.string(), done: z.boolean().default(false) });\nexport const x = [/*<*/schema/*>*/];',
      schema: inputSchema,
    },
    {
      name: "valibot",
      kind: "input",
      source:
        'import * as v from "valibot";\nconst schema = v.object({ title: v.string(), done: v.optional(v.boolean(), false) });\nexport const x = [/*<*/schema/*>*/];',
      schema: inputSchema,
    },
    {
      name: "arktype",
      kind: "input",
      source:
        'import { type } from "arktype";\nconst schema = type({ title: "string", "done?": "boolean" });\nexport const x = [/*<*/schema/*>*/];',
      schema: inputSchema,
    },
    {
      name: "something else",
      kind: "input",
      source: "export const x =\n [/*<*/1/*>*/];",
      schema: undefined,
      problems: ["TYPE_NO_INPUT 2"],
    },
  ],
  { links: validators },
);
