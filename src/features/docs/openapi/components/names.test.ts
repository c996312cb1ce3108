import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NamedSchema } from "../../model/facts.ts";
import { settleNames } from "./names.ts";

const type = (file: string, name: string, schema: Record<string, unknown> = {}): NamedSchema => ({
  name,
  schema,
  file,
  line: 1,
});
const refer = (...identities: string[]) => identities.map(($ref) => ({ $ref }));

describe("the names of a document's components", () => {
  it("are the preferred names of the referenced types", () => {
    const available = {
      "a.ts#Page": type("/a.ts", "Page", { items: { $ref: "a.ts#Todo" } }),
      "a.ts#Todo": type("/a.ts", "Todo"),
      "a.ts#Unused": type("/a.ts", "Unused"),
    };
    const { root, schemas } = settleNames(refer("a.ts#Page"), available, []);
    assert.deepEqual(root, refer("#/components/schemas/Page"));
    assert.deepEqual(schemas, { Page: { items: { $ref: "#/components/schemas/Todo" } }, Todo: {} });
  });

  it("are distinguished by their files, in any order", () => {
    const available = { one: type("/src/v1/todo.ts", "Todo"), other: type("/src/v2/todo.ts", "Todo") };
    const names = (...order: string[]) =>
      settleNames(refer(...order), available, []).root.map(({ $ref }) => $ref.split("/").at(-1));
    assert.deepEqual(names("one", "other"), ["V1TodoTodo", "V2TodoTodo"]);
    assert.deepEqual(names("other", "one"), ["V2TodoTodo", "V1TodoTodo"]);
  });

  it("avoid reserved names, and get numbers within one file", () => {
    const available = { a: type("/x.ts", "Error"), b: type("/x.ts", "Same"), c: type("/x.ts", "Same") };
    const { schemas } = settleNames(refer("a", "b", "c"), available, ["Error"]);
    assert.deepEqual(Object.keys(schemas).sort(), ["XError", "XSame", "XSame2"]);
  });

  it("contain only characters that all tools support", () => {
    const { schemas } = settleNames(
      refer("a", "b"),
      { a: type("/x.ts", "Größe"), b: type("/x.ts", "日本") },
      [],
    );
    assert.deepEqual(Object.keys(schemas).sort(), ["Grosse", "Schema"].sort());
  });

  it("are replaced in discriminators, but not in a field called mapping", () => {
    const schema = {
      discriminator: { propertyName: "kind", mapping: { cat: "x.ts#Cat" } },
      properties: { mapping: { type: "object" } },
      oneOf: [{ $ref: "x.ts#Cat" }],
    };
    const { schemas } = settleNames(
      refer("x.ts#Pet"),
      { "x.ts#Pet": type("/x.ts", "Pet", schema), "x.ts#Cat": type("/x.ts", "Cat") },
      [],
    );
    assert.deepEqual(schemas.Pet, {
      discriminator: { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat" } },
      properties: { mapping: { type: "object" } },
      oneOf: [{ $ref: "#/components/schemas/Cat" }],
    });
  });
});
