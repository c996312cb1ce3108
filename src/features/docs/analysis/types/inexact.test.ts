import { describeCases } from "./testing/cases.ts";

/** Types of values that a client sends. The schema allows more than these types, which matters if it is enforced. */
describeCases("types that a schema does not express exactly", [
  {
    name: "objects that JSON writes as strings",
    type: "{ due: Date; at?: URL }",
    inexact: ["`due` 2", "`at` 2"],
  },
  {
    name: "inside components, at their declaration",
    source: "interface Todo { due: Date | null }\ninterface Page<T> { items: T[] }",
    type: "Page<Todo>",
    inexact: ["`due` 1"],
  },
  {
    name: "tuples of several types",
    type: "{ pair: [string, number]; list: string[] }",
    inexact: ["`pair` 2"],
  },
  {
    name: "tuples of one type",
    type: "{ pair: [number, number]; some: [string, ...string[]] }",
    inexact: [],
  },
  {
    name: "members that only an instance has",
    source:
      "class Todo { title = ''; #secret = 1; private note = ''; get size() { return 1; } save() { return this.#secret; } }",
    type: "Todo",
    inexact: ["`#secret` 1", "`note` 1", "`size` 1", "`save` 1"],
  },
  { name: "what toJSON replaces", type: "{ price: { toJSON(): string } }", inexact: ["`toJSON` 2"] },
  {
    name: "fields that must be missing",
    type: "{ a: string; b?: never; c: undefined }",
    inexact: ["`b` 2", "`c` 2"],
  },
  {
    name: "values that look like credentials",
    type: '{ token: "a" | "b"; password: string; kind: "a" | "b" }',
    inexact: ["`token` 2"],
  },
  { name: "items that can be undefined", type: "{ list: (string | undefined)[] }", inexact: ["`list` 2"] },
  { name: "empty types", type: "{ data: {} }", inexact: ["`data` 2"] },
  {
    name: "several index signatures",
    type: "{ [key: number]: string; [key: string]: string | number }",
    inexact: ["The value 2"],
  },
  {
    name: "everything else",
    source: `enum Color { Red = "red", Blue = "blue" }
interface Tree { value: number; children: Tree[] }
type Shape = { kind: "a"; size: number } | { kind: "b" };`,
    type: '{ color: Color; tree: Tree; shape: Shape | null; id: `id-`; data: unknown; flags: Record<"x" | "y", boolean>; brand: string & { __brand: "Id" } }',
    inexact: [],
  },
]);
