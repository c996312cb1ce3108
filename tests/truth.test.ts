import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createTodosApp } from "../examples/todos/app.ts";
import type {
  Response as Described,
  OpenAPIDocument,
  Operation,
  OperationMethod,
} from "../src/features/docs/model/openapi.ts";
import type { App } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { createJudge } from "./support/json-schema.ts";

/** A request to the running example, and the operation of its document that it is a case of. */
interface Case {
  readonly says: string;
  readonly version: "v1" | "v2";
  /** `POST /todos/{id}`, as in the document. */
  readonly operation: string;
  /** The path as it is asked for, if it differs; `{id}` and `{other}` are todos. */
  readonly path?: string;
  readonly as?: "ada" | "bob" | "superuser" | "nobody";
  readonly json?: unknown;
  readonly text?: string;
  readonly type?: string;
  readonly form?: () => FormData;
  readonly status: number;
}

const unknownId = "00000000-0000-0000-0000-000000000000";
const tooLarge = JSON.stringify({ title: "x".repeat(40_000_000) });
const upload =
  (name: string, size = 3) =>
  () => {
    const form = new FormData();
    form.append(name, new Blob(["one\ntwo\n", "x".repeat(size)], { type: "text/plain" }), "todos.txt");
    return form;
  };

const cases: Case[] = [
  { says: "all todos", version: "v1", operation: "GET /todos", status: 200 },
  { says: "one todo", version: "v1", operation: "GET /todos/{id}", status: 200 },
  {
    says: "no such todo",
    version: "v1",
    operation: "GET /todos/{id}",
    path: `/todos/${unknownId}`,
    status: 404,
  },
  {
    says: "a new todo",
    version: "v1",
    operation: "POST /todos",
    as: "ada",
    json: { title: "Milk" },
    status: 201,
  },
  {
    says: "a todo without a title",
    version: "v1",
    operation: "POST /todos",
    as: "ada",
    json: { done: true },
    status: 400,
  },
  {
    says: "a body that is no JSON",
    version: "v1",
    operation: "POST /todos",
    as: "ada",
    text: "{",
    type: "application/json",
    status: 400,
  },
  {
    says: "a body of another type",
    version: "v1",
    operation: "POST /todos",
    as: "ada",
    text: "x",
    type: "text/xml",
    status: 415,
  },
  {
    says: "a body that is too large",
    version: "v1",
    operation: "POST /todos",
    as: "ada",
    text: tooLarge,
    type: "application/json",
    status: 413,
  },
  { says: "nobody's todo", version: "v1", operation: "POST /todos", json: { title: "Milk" }, status: 401 },
  {
    says: "another title",
    version: "v1",
    operation: "PUT /todos/{id}",
    as: "bob",
    json: { title: "Tea", done: true },
    status: 200,
  },
  {
    says: "a wrong done",
    version: "v1",
    operation: "PUT /todos/{id}",
    as: "bob",
    json: { title: "Tea", done: "yes" },
    status: 400,
  },
  {
    says: "a todo to be replaced that is not there",
    version: "v1",
    operation: "PUT /todos/{id}",
    path: `/todos/${unknownId}`,
    as: "bob",
    json: { title: "Tea" },
    status: 404,
  },
  {
    says: "a replacement by nobody",
    version: "v1",
    operation: "PUT /todos/{id}",
    json: { title: "Tea" },
    status: 401,
  },
  {
    says: "removal",
    version: "v1",
    operation: "DELETE /todos/{id}",
    path: "/todos/{other}",
    as: "bob",
    status: 204,
  },
  {
    says: "removal of nothing",
    version: "v1",
    operation: "DELETE /todos/{id}",
    path: "/todos/{other}",
    as: "bob",
    status: 404,
  },
  { says: "nobody removes", version: "v1", operation: "DELETE /todos/{id}", status: 401 },
  { says: "a new person", version: "v1", operation: "POST /people", json: { name: "Eve" }, status: 201 },
  { says: "a person without a name", version: "v1", operation: "POST /people", json: {}, status: 400 },
  { says: "who I am", version: "v1", operation: "GET /people/me", as: "ada", status: 200 },
  {
    says: "a superuser asks who they are",
    version: "v1",
    operation: "GET /people/me",
    as: "superuser",
    status: 200,
  },
  { says: "nobody asks who they are", version: "v1", operation: "GET /people/me", status: 401 },
  {
    says: "a page of todos",
    version: "v2",
    operation: "GET /todos",
    path: "/todos?page=1&perPage=2&done=false&q=i",
    status: 200,
  },
  {
    says: "a page that is none",
    version: "v2",
    operation: "GET /todos",
    path: "/todos?page=zero",
    status: 400,
  },
  { says: "one todo with all its fields", version: "v2", operation: "GET /todos/{id}", status: 200 },
  {
    says: "no such todo",
    version: "v2",
    operation: "GET /todos/{id}",
    path: `/todos/${unknownId}`,
    status: 404,
  },
  {
    says: "a todo with a time",
    version: "v2",
    operation: "POST /todos",
    as: "ada",
    json: { title: "Milk", due: "2027-01-01T00:00:00Z" },
    status: 201,
  },
  {
    says: "a todo with a wrong time",
    version: "v2",
    operation: "POST /todos",
    as: "ada",
    json: { title: "Milk", due: "soon" },
    status: 400,
  },
  { says: "nobody's todo", version: "v2", operation: "POST /todos", json: { title: "Milk" }, status: 401 },
  {
    says: "an upload by nobody",
    version: "v2",
    operation: "POST /todos/import",
    form: upload("file"),
    status: 401,
  },
  { says: "removal by nobody", version: "v2", operation: "DELETE /todos/{id}", status: 401 },
  {
    says: "a change",
    version: "v2",
    operation: "PATCH /todos/{id}",
    as: "ada",
    json: { due: null, done: true },
    status: 200,
  },
  {
    says: "a wrong change",
    version: "v2",
    operation: "PATCH /todos/{id}",
    as: "ada",
    json: { title: "" },
    status: 400,
  },
  {
    says: "a change by somebody else",
    version: "v2",
    operation: "PATCH /todos/{id}",
    as: "bob",
    json: { done: true },
    status: 403,
  },
  {
    says: "a change by nobody",
    version: "v2",
    operation: "PATCH /todos/{id}",
    json: { done: true },
    status: 401,
  },
  {
    says: "a change of nothing",
    version: "v2",
    operation: "PATCH /todos/{id}",
    path: `/todos/${unknownId}`,
    as: "ada",
    json: {},
    status: 404,
  },
  {
    says: "an upload",
    version: "v2",
    operation: "POST /todos/import",
    as: "ada",
    form: upload("file"),
    status: 201,
  },
  {
    says: "an upload in another field",
    version: "v2",
    operation: "POST /todos/import",
    as: "ada",
    form: upload("other"),
    status: 400,
  },
  {
    says: "an upload that is too large",
    version: "v2",
    operation: "POST /todos/import",
    as: "ada",
    form: upload("file", 300_000),
    status: 413,
  },
  {
    says: "an upload that is none",
    version: "v2",
    operation: "POST /todos/import",
    as: "ada",
    text: "x",
    type: "text/plain",
    status: 415,
  },
  { says: "a table", version: "v2", operation: "GET /todos/export", status: 200 },
  { says: "the numbers", version: "v2", operation: "GET /statistics", status: 200 },
  {
    says: "archiving by a superuser",
    version: "v2",
    operation: "POST /housekeeping/archive",
    as: "superuser",
    status: 200,
  },
  {
    says: "archiving by a person",
    version: "v2",
    operation: "POST /housekeeping/archive",
    as: "ada",
    status: 403,
  },
  { says: "archiving by nobody", version: "v2", operation: "POST /housekeeping/archive", status: 401 },
  {
    says: "removal by somebody else",
    version: "v2",
    operation: "DELETE /todos/{id}",
    as: "bob",
    status: 403,
  },
  { says: "removal", version: "v2", operation: "DELETE /todos/{id}", as: "ada", status: 204 },
  {
    says: "removal of nothing",
    version: "v2",
    operation: "DELETE /todos/{id}",
    path: `/todos/${unknownId}`,
    as: "ada",
    status: 404,
  },
];

/** What the example really returns, compared with what its own documents say. */
describe("the documents of the example are correct", () => {
  let dataDir: string;
  let app: App;
  let url: string;
  const documents = new Map<string, OpenAPIDocument>();
  const tokens: Record<string, string> = {};
  let todo: string;
  let other: string;
  const seen = new Set<string>();

  const post = async (path: string, body: unknown, token?: string) =>
    (await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    }).then((response) => response.json())) as Record<string, string>;

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "annex-truth-"));
    app = createTodosApp({ port: 0, dataDir, signals: false, log: { destination: join(dataDir, "log") } });
    await app.superusers.create("root@example.com", "correct horse battery");
    ({ url } = await app.start());
    for (const version of ["v1", "v2"]) {
      const read = async () =>
        (await (await fetch(`${url}/api/docs/${version}/openapi.json`)).json()) as OpenAPIDocument;
      // On a busy machine the source may be read after the time that a reader waits.
      const isExact = (document: OpenAPIDocument) => document["x-analysis"]?.level === "exact";
      documents.set(version, await until("the document is exact", read, isExact));
    }
    for (const name of ["ada", "bob"]) tokens[name] = (await post("/api/v1/people", { name })).key!;
    const signedIn = await post("/api/collections/_superusers/auth-with-password", {
      identity: "root@example.com",
      password: "correct horse battery",
    });
    tokens.superuser = signedIn.token!;
    todo = (await post("/api/v2/todos", { title: "Bread" }, tokens.ada)).id!;
    other = (await post("/api/v2/todos", { title: "Butter" }, tokens.ada)).id!;
  });
  after(async () => {
    await app.stop();
    rmSync(dataDir, { recursive: true });
  });

  it("and are exact, without an open point", () => {
    for (const document of documents.values()) {
      const { operations, read, ...rest } = document["x-analysis"]!;
      assert.deepEqual(rest, { level: "exact", diagnostics: 0 });
      assert.equal(read, operations);
    }
  });

  for (const each of cases) {
    const { says, version, operation: name, status } = each;
    it(`${version}: ${says} (${name}, ${status})`, async () => {
      const document = documents.get(version)!;
      const response = await send(each);
      assert.equal(response.status, status);
      seen.add(`${version} ${name} ${status}`);
      const operation = operationOf(document, name);
      const described = operation.responses[String(status)];
      assert.ok(described, `${name} does not tell of ${status}`);
      await assertDescribed(response, resolve(document, described), document);
    });
  }

  it("and every status in them has been seen", () => {
    const told = [...documents].flatMap(([version, { paths }]) =>
      Object.entries(paths).flatMap(([path, { servers: _, ...item }]) =>
        Object.entries(item).flatMap(([method, { responses }]) =>
          Object.keys(responses)
            .filter((status) => status !== "default")
            .map((status) => `${version} ${method.toUpperCase()} ${path} ${status}`),
        ),
      ),
    );
    // Reading a body can go wrong in the same ways everywhere; that is seen in a few places.
    const unseen = told.filter((each) => !seen.has(each) && !/ (413|415)$/.test(each));
    assert.deepEqual(unseen, []);
  });

  async function send({ version, operation, path, as, json, text, type, form }: Case): Promise<Response> {
    const [method, pattern] = operation.split(" ") as [string, string];
    const target = (path ?? pattern).replace("{id}", todo).replace("{other}", other);
    const token = as && tokens[as];
    return fetch(`${url}/api/${version}${target}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { "content-type": "application/json" }),
        ...(type && { "content-type": type }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(text !== undefined && { body: text }),
      ...(form && { body: form() }),
    });
  }
});

function operationOf(document: OpenAPIDocument, name: string): Operation {
  const [method, path] = name.split(" ") as [string, string];
  const operation = document.paths[path]?.[method.toLowerCase() as OperationMethod];
  assert.ok(operation, `there is no ${name}`);
  return operation;
}

function resolve(document: OpenAPIDocument, response: Operation["responses"][string]): Described {
  if (!("$ref" in response)) return response;
  return document.components!.responses![response.$ref.split("/").at(-1)!]!;
}

async function assertDescribed(
  response: Response,
  { content }: Described,
  document: OpenAPIDocument,
): Promise<void> {
  const body = await response.text();
  if (!content) return assert.equal(body, "", "the document tells of no content");
  const type = response.headers.get("content-type")!.split(";")[0]!;
  const described = content[type];
  assert.ok(described, `the document does not tell of ${type}`);
  if (type !== "application/json") return;
  const validate = createJudge(document).compile(inDocument(described.schema));
  assert.ok(validate(JSON.parse(body)), `${body} is not as described: ${JSON.stringify(validate.errors)}`);
}

/** The same schema, with its references into the document that the judge knows. */
const inDocument = (schema: object) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
