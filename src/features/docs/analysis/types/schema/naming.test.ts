import assert from "node:assert/strict";
import { it } from "node:test";
import { describeCases } from "../testing/cases.ts";
import { createFixture, engines, markedQuery } from "../testing/fixture.ts";

const library = "interface Todo { id: string }\ninterface Page<T, M = string> { items: T[]; meta: M }\n";

function named(source: string, type: string, identity: string) {
  return { source: `${library}${source}`, type, schema: { $ref: identity } };
}

describeCases("identities", [
  { name: "an interface", ...named("", "Todo", "#Todo") },
  { name: "a generic interface", ...named("", "Page<Todo>", "#Page<#Todo,string>") },
  { name: "a generic of a list", ...named("", "Page<Todo[], number>", "#Page<#Todo[],number>") },
  { name: "a generic alias", ...named("type Box<T> = { value: T };", "Box<string>", "#Box<string>") },
  { name: "an alias of a tool", ...named('type NewTodo = Omit<Todo, "id">;', "NewTodo", "#NewTodo") },
  {
    name: "a namespace",
    ...named("export namespace A.B { export interface Todo { x: 1 } }", "A.B.Todo", "#A.B.Todo"),
  },
  {
    name: "a type inside of a function, with its line",
    kind: "expression",
    source:
      "function f() {\n  interface Local { a: 1 }\n  return {} as Local;\n}\nexport const x = /*<*/f()/*>*/;",
    schema: { $ref: "#Local@2:3" },
  },
  {
    name: "two types of one name in two functions of one line",
    kind: "expression",
    source:
      "function f() { interface L { a: 1 } return {} as L }; function g() { interface L { b: 1 } return {} as L }\nexport const x = /*<*/{ f: f(), g: g() }/*>*/;",
    schema: {
      type: "object",
      properties: { f: { $ref: "#L@1:16" }, g: { $ref: "#L@1:70" } },
      required: ["f", "g"],
    },
  },
  {
    name: "an argument without a name is inlined",
    ...{ source: library, type: "Page<{ a: 1 }, 'x'>" },
    schema: {
      type: "object",
      properties: {
        items: {
          type: "array",
          items: { type: "object", properties: { a: { type: "integer", enum: [1] } }, required: ["a"] },
        },
        meta: { type: "string", enum: ["x"] },
      },
      required: ["items", "meta"],
    },
  },
]);

describeCases("recursion", [
  {
    name: "an interface",
    source: "interface Tree { name: string; children: Tree[] }",
    type: "Tree",
    components: {
      "#Tree": {
        type: "object",
        properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#Tree" } } },
        required: ["name", "children"],
      },
    },
  },
  {
    name: "of two",
    source: "interface Folder { files: File[] }\ninterface File { folder: Folder | null }",
    type: "Folder",
    fact: { components: ["#File", "#Folder"] },
    valid: [{ files: [{ folder: { files: [] } }] }],
    invalid: [{ files: [{}] }],
  },
  {
    name: "JSON",
    source: "type Json = string | number | boolean | null | Json[] | { [key: string]: Json };",
    type: "Json",
    schema: { $ref: "#Json" },
    valid: [null, { a: [1, "b", { c: null }] }],
  },
  {
    name: "of a generic with an argument that has no name",
    source: "interface Chain<T> { value: T; next?: Chain<T> }",
    type: "{ chain: Chain<{ a: string }> }",
    valid: [{ chain: { value: { a: "" }, next: { value: { a: "" } } } }],
    invalid: [{ chain: { value: { a: "" }, next: { value: {} } } }],
  },
  {
    name: "an infinite generic stops",
    source: "interface Deep<T> { value: T;\n deeper?: Deep<T[]> }",
    type: "Deep<string>",
    schema: { $ref: "#Deep<string>" },
    valid: [{ value: "", deeper: { value: [""] } }],
    invalid: [{ value: 1 }],
    problems: ["TYPE_TOO_LARGE 2"],
  },
  {
    name: "an infinite generic of an argument without a name stops",
    source: "type Deep<T> = { value: T; deeper?: Deep<{ in: T }> };",
    type: "Deep<{ a: 1 }>",
    valid: [{ value: { a: 1 } }],
    invalid: [{ value: 1 }],
    problems: ["TYPE_TOO_LARGE 1"],
  },
]);

const wishes: readonly (readonly [string, string])[] = [
  ["Todo", "Todo"],
  ["Page<Todo>", "PageTodoString"],
  ["Box<Todo[]>", "BoxTodoArray"],
  ["Box<Box<Todo>>", "BoxBoxTodo"],
  ["Box<string>", "BoxString"],
  ["Box<boolean>", "BoxBoolean"],
  ["Box<Todo | null>", "BoxTodoOrNull"],
  ["Box<Status | undefined>", "BoxStatusOrUndefined"],
  ["Box<Color | null>", "BoxColorOrNull"],
  ["Box<Date>", "BoxDate"],
  ["Box<unknown>", "BoxUnknown"],
  ["Box<Record<string, Todo>>", "BoxRecordStringTodo"],
  ["Result<Todo, ApiProblem>", "ResultTodoApiProblem"],
  ["A.Todo", "Todo"],
  ["$Odd", "Odd"],
];

for (const [engine, open] of Object.entries(engines)) {
  it(`wishes names (${engine})`, () => {
    const source = `${library}type Box<T> = { value: T };
type Status = "a" | "b";
enum Color { Red, Blue }
interface ApiProblem { code: string }
type Result<T, E> = { value: T; error?: E };
export namespace A { export interface Todo { x: 1 } }
interface $Odd { x: 1 }
`;
    const text = (type: string) => `${source}export declare const x: /*<*/${type}/*>*/;`;
    const files = Object.fromEntries(wishes.map(([type], index) => [`${index}.ts`, text(type)]));
    const fixture = createFixture(files);
    const opened = open(fixture.options);
    const { facts, components } = opened.ask(
      wishes.map(([type], index) => markedQuery(fixture.path(`${index}.ts`), text(type), "type")),
    );
    const names = facts.map(({ schema }) => components[String(schema?.$ref)]?.name);
    opened.close();
    fixture.remove();
    assert.deepEqual(
      names,
      wishes.map(([, name]) => name),
    );
  });

  it(`says the same whatever is asked first (${engine})`, () => {
    const source = `interface Leaf { kind: "leaf"; up: Branch | null }
interface Branch { kind: "branch"; children: Tree[]; inline: { tree: Tree | undefined }[] }
type Tree = Leaf | Branch;
interface Page<T> { items: T[]; next?: Page<T> }
export interface All { a: /*1*/Tree/*1*/; b: /*2*/Branch/*2*/; c: /*3*/Page<Leaf>/*3*/; d: /*4*/Page<{ x: Tree }>/*4*/ }`;
    const fixture = createFixture({ "a.ts": source });
    const queries = [1, 2, 3, 4].map((mark) => ({
      file: fixture.path("a.ts"),
      start: source.indexOf(`/*${mark}*/`) + 5,
      end: source.lastIndexOf(`/*${mark}*/`),
      kind: "type" as const,
    }));
    const askAll = (order: readonly number[]) => {
      const opened = open(fixture.options);
      const responses = order.map((index) => [index, JSON.stringify(opened.ask([queries[index]!]))] as const);
      opened.close();
      return responses.sort(([one], [other]) => one - other);
    };
    assert.deepEqual(askAll([0, 1, 2, 3]), askAll([3, 2, 1, 0]));
    fixture.remove();
  });

  it(`distinguishes types of one name in two files and packages (${engine})`, () => {
    const source = `import type { Todo } from "./a/todo.ts";
import type { Todo as Other } from "./b/todo.ts";
import type { Todo as Third } from "some-package";
export declare const x: /*<*/[Todo, Other, Third]/*>*/;`;
    const fixture = createFixture({
      "main.ts": source,
      "a/todo.ts": "export interface Todo { a: 1 }",
      "b/todo.ts": "export interface Todo { b: 1 }",
      "node_modules/some-package/package.json": '{"name":"some-package","types":"./index.d.ts"}',
      "node_modules/some-package/index.d.ts": "export interface Todo { c: 1 }",
    });
    const opened = open(fixture.options);
    const { facts } = opened.ask([markedQuery(fixture.path("main.ts"), source, "type")]);
    opened.close();
    fixture.remove();
    assert.deepEqual(facts[0]!.components, [
      "a/todo.ts#Todo",
      "b/todo.ts#Todo",
      "some-package/index.d.ts#Todo",
    ]);
  });
}
