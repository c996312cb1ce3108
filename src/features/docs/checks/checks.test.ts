import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FieldProblem } from "../../../lib/errors/errors.ts";
import { noFindings, type OperationFacts } from "../model/facts.ts";
import type { Schema } from "../model/openapi.ts";
import type { EndpointData } from "../registry/endpoint.ts";
import { compileChecks } from "./compile.ts";
import { loadChecks } from "./load.ts";

const endpoint: EndpointData = {
  key: "1",
  method: "POST",
  path: "/a/{id}",
  parameters: ["id"],
  rest: undefined,
  handlerName: undefined,
  notes: [{ checked: true }],
};

function compile(facts: OperationFacts, schemas: Record<string, Schema> = {}) {
  const named = Object.entries(schemas).map(([name, schema]) => [name, { name, schema, file: "", line: 1 }]);
  const findings = { ...noFindings, facts: { 1: facts }, schemas: Object.fromEntries(named) };
  return loadChecks(compileChecks([endpoint], findings), "checks").get("POST /a/{id}")!;
}

/** The fields that a body with this schema refuses; empty if it accepts the value. */
function createJudge(schema: Schema, schemas: Record<string, Schema> = {}) {
  const check = compile({ requestBody: { content: { "application/json": { schema } } } }, schemas);
  const find = check.body!.types.get("application/json")!;
  return (value: unknown) => Object.keys(find(value) ?? {});
}

describe("the check of a body", () => {
  const cases: [name: string, schema: Schema, accepted: unknown[], refused: unknown[]][] = [
    ["nullable", { type: "string", nullable: true }, [null, "a"], [1]],
    ["a nullable enum", { type: "string", nullable: true, enum: ["a", null] }, [null, "a"], ["b"]],
    ["a nullable enum without null", { type: "string", nullable: true, enum: ["a"] }, [null, "a"], ["b"]],
    ["null alone", { type: "string", nullable: true, enum: [null] }, [null], ["a"]],
    [
      "a nullable union",
      { nullable: true, anyOf: [{ type: "string" }, { type: "number" }] },
      [null, 1],
      [true],
    ],
    [
      "exclusive bounds",
      { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 2 },
      [1.5, 2],
      [1, 2.5],
    ],
    ["a format", { type: "string", format: "date-time" }, ["2026-01-01T00:00:00Z"], ["today", ""]],
    ["a format that nothing checks", { type: "string", format: "phone" }, ["x"], [1]],
    ["numbers that overflow", { type: "number" }, [1e308], [JSON.parse("1e400"), JSON.parse("-1e400")]],
    ["integers that overflow", { type: "integer" }, [1], [JSON.parse("1e400")]],
    [
      "a nullable text with a limit",
      { type: "string", nullable: true, maxLength: 2, pattern: "a" },
      [null, "a"],
      [1, "b", "aaa"],
    ],
    ["a pattern", { type: "string", pattern: "^a+$" }, ["aa"], ["b"]],
    ["a pattern that is valid only without the flag u", { type: "string", pattern: "^\\a$" }, ["a"], [1]],
    ["defaults, which are not filled in", { type: "object", properties: { a: { default: 1 } } }, [{}], [1]],
    [
      "additional properties",
      { type: "object", additionalProperties: { type: "number" } },
      [{ a: 1 }],
      [{ a: "1" }],
    ],
    [
      "fields that every object inherits",
      { type: "object", properties: { constructor: { type: "string" } }, required: ["toString"] },
      [{ toString: 1 }],
      [{}, { toString: 1, constructor: 1 }],
    ],
  ];
  for (const [name, schema, accepted, refused] of cases) {
    it(`with ${name}`, () => {
      const judge = createJudge(schema);
      for (const value of accepted) assert.deepEqual(judge(value), [], JSON.stringify(value));
      for (const value of refused) assert.notDeepEqual(judge(value), [], JSON.stringify(value));
    });
  }

  it("follows references, also to itself", () => {
    const tree = {
      type: "object",
      properties: { value: { type: "number" }, children: { type: "array", items: { $ref: "a#Tree" } } },
      required: ["value", "children"],
    };
    const judge = createJudge({ $ref: "a#Tree" }, { "a#Tree": tree });
    assert.deepEqual(judge({ value: 1, children: [{ value: 2, children: [] }] }), []);
    assert.deepEqual(judge({ value: 1, children: [{ value: "2", children: [{}] }] }), [
      "children.0.value",
      "children.0.children.0.value",
      "children.0.children.0.children",
    ]);
  });

  it("names fields with unusual names, and lists at most 100 problems", () => {
    const judge = createJudge({
      type: "object",
      additionalProperties: { type: "array", items: { type: "number" } },
    });
    assert.deepEqual(judge({ "a/b~c": 1 }), ["a/b~c"]);
    assert.equal(judge({ list: Array.from({ length: 1_000 }, () => "x") }).length, 100);
  });
});

describe("a limit", () => {
  // Each problem has the keyword that found it, so a keyword that was not applied is missing.
  const cases: [name: string, schema: Schema, value: unknown, message: string][] = [
    [
      "of a text is checked before its pattern",
      { type: "string", maxLength: 3, pattern: "^a+$" },
      "bbbb",
      "Must NOT have more than 3 characters.",
    ],
    [
      "of a text is checked before its format",
      { type: "string", maxLength: 3, format: "email" },
      "bbbb",
      "Must NOT have more than 3 characters.",
    ],
    [
      "of a list is checked before its items",
      { type: "array", maxItems: 1, items: { type: "integer" }, uniqueItems: true },
      ["a", "a"],
      "Must NOT have more than 1 items.",
    ],
    [
      "of an object is checked before its fields",
      { type: "object", maxProperties: 1, additionalProperties: { type: "integer" } },
      { a: "a", b: "b" },
      "Must NOT have more than 1 properties.",
    ],
  ];
  for (const [name, schema, value, message] of cases) {
    it(name, () => {
      const { types } = compile({ requestBody: { content: { "application/json": { schema } } } }).body!;
      assert.deepEqual({ ...types.get("application/json")!(value) }, { body: { code: "invalid", message } });
    });
  }
});

describe("the check of parameters", () => {
  const query = (name: string, schema: Schema, required = false) => ({
    name,
    in: "query" as const,
    schema,
    required,
  });
  const check = (parameters: OperationFacts["parameters"], search: string): Record<string, FieldProblem> => {
    const values = new URLSearchParams(search);
    const find = compile({ parameters }).parameters;
    const source = {
      pathValue: () => "",
      query: (name: string) => values.get(name) ?? undefined,
      queryAll: (name: string) => values.getAll(name),
    };
    return { ...find?.(source) };
  };
  const cases: [schema: Schema, accepted: string[], refused: string[]][] = [
    [
      { type: "integer" },
      ["0", "-7", "12345678901234567890"],
      ["", "1.0", "1e3", "01", "+1", " 1", "x", "0x1"],
    ],
    [
      { type: "number", maximum: 9 },
      ["1", "1.5", "-2e-3", "-0"],
      ["", ".5", "1.", "10", "Infinity", "NaN", "1e999", "-1e999", "9".repeat(400)],
    ],
    [{ type: "boolean" }, ["true", "false"], ["", "1", "True"]],
    [{ type: "string", enum: ["a", "b"] }, ["a"], ["", "c"]],
    [{ type: "integer", enum: [1, 2] }, ["1"], ["3", "a"]],
    [{ type: "string", minLength: 1 }, ["a"], [""]],
    [{ anyOf: [{ type: "string" }, { type: "number" }] }, ["a", "1"], []],
  ];
  for (const [schema, accepted, refused] of cases) {
    it(`with ${JSON.stringify(schema)}`, () => {
      for (const text of accepted)
        assert.deepEqual(check([query("a", schema)], new URLSearchParams({ a: text }).toString()), {}, text);
      for (const text of refused)
        assert.deepEqual(
          Object.keys(check([query("a", schema)], new URLSearchParams({ a: text }).toString())),
          ["a"],
          text,
        );
    });
  }

  it("reads lists, and the first value of others", () => {
    const list = [query("a", { type: "array", items: { type: "integer" } })];
    assert.deepEqual(check(list, "a=1&a=2"), {});
    assert.deepEqual(Object.keys(check(list, "a=1&a=x")), ["a.1"]);
    assert.deepEqual(check([query("a", { type: "integer" })], "a=1&a=x"), {});
  });

  it("reports required parameters that are missing, and ignores others", () => {
    assert.deepEqual(check([query("a", { type: "string" }, true)], "b=1"), {
      a: { code: "required", message: "Required." },
    });
    assert.deepEqual(check([query("a", { type: "integer" })], "b=1"), {});
  });

  it("does not exist if every value is allowed, or the handler validates them", () => {
    assert.equal(
      compile({ parameters: [query("a", { type: "string", default: "x" })] }).parameters,
      undefined,
    );
    const validated = { body: false, parameters: ["query a"] };
    assert.equal(compile({ parameters: [query("a", { type: "integer" })], validated }).parameters, undefined);
  });
});
