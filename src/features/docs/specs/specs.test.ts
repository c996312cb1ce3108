import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { OpenAPIDocument } from "../model/openapi.ts";
import { diffSpecs } from "./diff.ts";
import { diffComponents } from "./diff-components.ts";
import { readSpec, writeSpecs } from "./spec-files.ts";
import { validateDocument } from "./validate.ts";

const string = { type: "string" };
const response = (schema: object) => ({
  200: { description: "OK", content: { "application/json": { schema } } },
});

function documentOf(paths: object, more: object = {}): OpenAPIDocument {
  return {
    openapi: "3.0.3",
    info: { title: "T", version: "1", "x-status": "stable" },
    servers: [],
    paths,
    ...more,
  } as OpenAPIDocument;
}

const simple = documentOf({ "/a": { get: { operationId: "a", responses: response(string) } } });

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "annex-specs-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe("spec files", () => {
  it("are read as written, with the same bytes each time", (t) => {
    const folder = join(createFolder(t), "deep", "specs");
    const [file] = writeSpecs(folder, new Map([["v1", simple]]));
    const first = readFileSync(file!);
    assert.partialDeepStrictEqual(readSpec(folder, "v1"), { file, document: simple });
    writeSpecs(folder, new Map([["v1", simple]]));
    assert.deepEqual(readFileSync(file!), first);
    assert.equal(first.at(-1), 10);
  });

  it("of removed versions are deleted, and no other files", (t) => {
    const folder = createFolder(t);
    writeSpecs(
      folder,
      new Map([
        ["v1", simple],
        ["v2", simple],
      ]),
    );
    writeFileSync(join(folder, "README.md"), "mine");
    writeFileSync(join(folder, "package.json"), '{ "name": "mine" }');
    writeSpecs(folder, new Map([["v2", simple]]));
    assert.deepEqual(readdirSync(folder).sort(), ["README.md", "package.json", "v2.json"]);
  });

  it("that are missing, not JSON or not a document are reported by name", (t) => {
    const folder = createFolder(t);
    assert.equal(readSpec(folder, "v1"), undefined);
    const file = join(folder, "v1.json");
    writeFileSync(file, "{");
    assert.match((readSpec(folder, "v1") as { problem: string }).problem, /^not valid JSON/);
    const reference = { a: { $ref: "#/components/schemas/100%" } };
    writeFileSync(file, JSON.stringify({ ...simple, components: reference }));
    assert.match(
      (readSpec(folder, "v1") as { problem: string }).problem,
      /the reference .*100%.* cannot be resolved/,
    );
    writeFileSync(file, '{"openapi":"2.0"}');
    assert.deepEqual(readSpec(folder, "v1"), { file, problem: 'openapi is "2.0", but must be 3.0.3' });
  });
});

describe("the validation", () => {
  const wrong: [what: string, document: unknown, problem: RegExp][] = [
    ["no object", [], /not an object/],
    ["no version", {}, /openapi is undefined/],
    ["no info", { ...simple, info: undefined }, /info is missing/],
    ["no title", { ...simple, info: { version: "1" } }, /info.title/],
    ["no paths", { ...simple, paths: undefined }, /paths is missing/],
    ["a path without a slash", documentOf({ a: {} }), /"a" does not start with a slash/],
    ["an operation without responses", documentOf({ "/a": { get: {} } }), /GET \/a has no responses/],
    [
      "a path value that is not declared",
      documentOf({ "/a/{id}": { get: { responses: response(string) } } }),
      /does not declare \{id\}/,
    ],
    [
      "one that the path does not have",
      documentOf({
        "/a": { get: { parameters: [{ name: "id", in: "path" }], responses: response(string) } },
      }),
      /declares \{id\}, which its path does not have/,
    ],
    [
      "an id twice",
      documentOf({
        "/a": {
          get: { operationId: "x", responses: response(string) },
          post: { operationId: "x", responses: response(string) },
        },
      }),
      /same operationId "x"/,
    ],
    [
      "a reference to nothing",
      documentOf({ "/a": { get: { responses: response({ $ref: "#/components/schemas/X" }) } } }),
      /the reference "#\/components\/schemas\/X" cannot be resolved/,
    ],
  ];
  for (const [what, document, problem] of wrong) {
    it(`finds ${what}`, () => assert.match(validateDocument(document).join("\n"), problem));
  }

  it("accepts a valid document", () => assert.deepEqual(validateDocument(simple), []));
});

describe("the difference", () => {
  const operation = (more: object = {}) =>
    documentOf({ "/a/{id}": { get: { responses: response(string), ...more } } });
  const withSchema = (schema: object) => operation({ responses: response(schema) });
  const withBody = (schema: object, required = true) =>
    operation({ requestBody: { required, content: { "application/json": { schema } } } });
  const query = (more: object) =>
    operation({ parameters: [{ name: "q", in: "query", schema: string, ...more }] });
  const object = (properties: object, required: string[] = []) => ({ type: "object", properties, required });

  const cases: [before: OpenAPIDocument, after: OpenAPIDocument, ...changes: string[]][] = [
    [simple, simple],
    [documentOf({}), simple, "harmless GET /a added"],
    [simple, documentOf({}), "BREAKING GET /a removed"],
    [operation(), query({}), 'harmless GET /a/{id}: query parameter "q" added'],
    [operation(), query({ required: true }), 'BREAKING GET /a/{id}: query parameter "q" added and required'],
    [query({}), query({ required: true }), 'BREAKING GET /a/{id}: query parameter "q" is now required'],
    [query({}), operation(), 'BREAKING GET /a/{id}: query parameter "q" removed'],
    [
      query({}),
      query({ schema: { type: "integer" } }),
      'BREAKING GET /a/{id}: query parameter "q": string → integer',
    ],
    [
      query({ schema: { type: "string", enum: ["a", "b"] } }),
      query({ schema: { type: "string", enum: ["b", "c"] } }),
      'BREAKING GET /a/{id}: query parameter "q" can no longer be "a"',
      'harmless GET /a/{id}: query parameter "q" can now be "c"',
    ],
    [
      operation(),
      operation({ security: [{ bearerAuth: [] }] }),
      "BREAKING GET /a/{id} now requires authentication",
    ],
    [operation(), operation({ deprecated: true }), "harmless GET /a/{id} is now deprecated"],
    [operation(), withBody(string), "BREAKING GET /a/{id}: request body added and required"],
    [operation(), withBody(string, false), "harmless GET /a/{id}: request body added"],
    [
      withBody(object({ a: string })),
      withBody(object({ a: string, b: string }, ["b"])),
      "BREAKING GET /a/{id}: request field `b` added and required",
    ],
    [
      withBody(object({ a: string })),
      withBody(object({})),
      "harmless GET /a/{id}: request field `a` removed",
    ],
    [
      withSchema(object({ a: string, b: string }, ["a"])),
      withSchema(object({ a: string, c: string })),
      "BREAKING GET /a/{id}: response 200: field `a` is now optional",
      "BREAKING GET /a/{id}: response 200: field `b` removed",
      "harmless GET /a/{id}: response 200: field `c` added",
    ],
    [
      withSchema({ type: "array", items: { type: "integer" } }),
      withSchema({ type: "array", items: { type: "number" } }),
      "BREAKING GET /a/{id}: response 200: field `[]`: integer → number",
    ],
    [
      withSchema(string),
      withSchema({ ...string, nullable: true }),
      "BREAKING GET /a/{id}: response 200 can now be null",
    ],
    [
      operation(),
      operation({ responses: { 201: { description: "Made" } } }),
      "BREAKING GET /a/{id}: response 200 removed",
      "harmless GET /a/{id}: response 201 added",
    ],
    [
      withSchema(string),
      withSchema({ oneOf: [string, { type: "integer" }], nullable: true }),
      "BREAKING GET /a/{id}: response 200 can now be null",
      "BREAKING GET /a/{id}: response 200 can now be integer",
    ],
    [
      withBody({ oneOf: [object({ a: string }), { type: "integer" }] }),
      withBody({ ...object({ a: { type: "boolean" } }), nullable: true }),
      "BREAKING GET /a/{id}: request body can no longer be integer",
      "BREAKING GET /a/{id}: request body (object): field `a`: string → boolean",
      "harmless GET /a/{id}: request body can now be null",
    ],
    [
      withSchema(object({ constructor: string })),
      withSchema(object({})),
      "BREAKING GET /a/{id}: response 200: field `constructor` removed",
    ],
  ];
  for (const [before, after, ...expected] of cases) {
    it(expected[0] ?? "nothing", () => {
      const changes = diffSpecs(before as never, after as never);
      assert.deepEqual(
        changes.map(({ isBreaking, message }) => `${isBreaking ? "BREAKING" : "harmless"} ${message}`),
        expected,
      );
    });
  }

  const withComponents = (schemas: object, paths: object) => documentOf(paths, { components: { schemas } });
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

  it("follows references and stops at cycles", () => {
    const tree = (type: string) =>
      withComponents(
        { Node: object({ value: { type }, next: ref("Node") }) },
        { "/a": { get: { responses: response(ref("Node")) } } },
      );
    const changes = diffSpecs(tree("string") as never, tree("integer") as never);
    assert.deepEqual(
      changes.map(({ message }) => message),
      ["GET /a: response 200: field `value`: string → integer"],
    );
  });

  it("reports a shared schema once, and the keywords next to each reference", () => {
    const names = Array.from({ length: 30 }, (_, index) => `T${index}`);
    const web = (type: string, nullable: boolean) => {
      const links = Object.fromEntries(names.map((name) => [name, ref(name)]));
      const more = { last: { allOf: [ref("T0")], nullable } };
      const schemas = names.map((name) => [name, object({ value: { type }, ...links, ...more })]);
      return withComponents(Object.fromEntries(schemas), {
        "/a": { get: { responses: response(ref("T0")) } },
      });
    };
    const changes = diffSpecs(web("string", false) as never, web("integer", true) as never);
    assert.equal(changes.filter(({ message }) => message.includes("string → ")).length, names.length);
    assert.equal(
      changes.filter(({ message }) => message.endsWith("last` can now be null")).length,
      names.length,
    );
  });

  it("of named schemas is reported by name, and is breaking on the side that uses them", () => {
    const document = (schemas: object) =>
      withComponents(schemas, {
        "/a": {
          post: {
            requestBody: { content: { "application/json": { schema: ref("New") } } },
            responses: response(object({ item: ref("Item") })),
          },
        },
      });
    const before = document({
      New: object({ a: string }),
      Item: object({ a: string, of: ref("New") }),
      Old: string,
    });
    const after = document({ New: object({}), Item: object({ of: ref("New"), b: string }), Next: string });
    assert.deepEqual(diffComponents(before as never, after as never), [
      {
        kind: "changed",
        name: "Item",
        changes: [
          { isBreaking: true, message: "Item: field `a` removed" },
          { isBreaking: false, message: "Item: field `b` added" },
        ],
      },
      // In a request the field may be omitted. In a response, inside an item, clients may miss it.
      { kind: "changed", name: "New", changes: [{ isBreaking: true, message: "New: field `a` removed" }] },
      { kind: "added", name: "Next", changes: [{ isBreaking: false, message: "Next added" }] },
      { kind: "removed", name: "Old", changes: [{ isBreaking: false, message: "Old removed" }] },
    ]);
  });
});
