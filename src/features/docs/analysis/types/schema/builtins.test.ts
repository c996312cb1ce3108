import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describeCases } from "../testing/cases.ts";

const nodeTypes = dirname(dirname(fileURLToPath(import.meta.resolve("@types/node/package.json"))));

describeCases(
  "what JSON.stringify makes of builtins",
  [
    { name: "Date", type: "Date", schema: { type: "string", format: "date-time" }, invalid: [1] },
    {
      name: "Date or null",
      type: "Date | null",
      schema: { type: "string", format: "date-time", nullable: true },
    },
    { name: "a branded Date", type: "Date & { __b: 1 }", schema: { type: "string", format: "date-time" } },
    { name: "URL", type: "URL", schema: { type: "string", format: "uri" } },
    { name: "Map", type: "Map<string, number>", schema: { type: "object" }, problems: ["TYPE_NOT_JSON 2"] },
    { name: "Set", type: "{\n a: Set<string> }", problems: ["TYPE_NOT_JSON 3"] },
    { name: "RegExp", type: "RegExp", schema: { type: "object" }, problems: ["TYPE_NOT_JSON 2"] },
    { name: "Error", type: "Error", schema: { type: "object" }, problems: ["TYPE_NOT_JSON 2"] },
    { name: "a promise inside of data", type: "{ a: Promise<string> }", problems: ["TYPE_NOT_JSON 2"] },
    { name: "a symbol", type: "{ a: symbol; b: 1 }", problems: ["TYPE_IS_SYMBOL 2"], valid: [{ b: 1 }] },
    {
      name: "a function",
      type: "{ a(): void; b: () => 1; c: Function; d: 1 }",
      valid: [{ d: 1 }],
      problems: ["TYPE_IS_FUNCTION 2", "TYPE_IS_FUNCTION 2", "TYPE_IS_FUNCTION 2"],
    },
    {
      name: "functions in a list",
      type: "(() => void)[]",
      valid: [[null]],
      invalid: [[1]],
      problems: ["TYPE_IS_FUNCTION 2"],
    },
    {
      name: "a class itself",
      source: "class A {}",
      type: "{ a: typeof A }",
      schema: { type: "object" },
      problems: ["TYPE_IS_FUNCTION 2"],
    },
    {
      name: "Uint8Array",
      type: "Uint8Array",
      schema: { type: "object", additionalProperties: { type: "number" } },
      problems: ["TYPE_NOT_JSON 2"],
    },
    {
      name: "Buffer",
      type: "Buffer",
      valid: [JSON.parse(JSON.stringify(Buffer.from("a")))],
      invalid: ["a", [1]],
      problems: ["TYPE_NOT_JSON 2"],
    },
    { name: "wrappers", type: "[String, Number, Boolean]", valid: [["a", 1, true]] },
    {
      name: "what else the library has",
      type: "{ a: Intl.NumberFormat }",
      valid: [{ a: {} }],
      problems: ["TYPE_OF_LIBRARY 2"],
    },
    {
      name: "a project's own Map",
      source: "export namespace My { export interface Map { a: 1 } }",
      type: "My.Map",
      schema: { $ref: "#My.Map" },
    },
  ],
  { compilerOptions: { types: ["node"], typeRoots: [nodeTypes] } },
);
