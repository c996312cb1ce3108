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
  Parameter,
  Schema,
} from "../src/features/docs/model/openapi.ts";
import type { App } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { createRandom } from "./fuzz/random.ts";
import { createJudge } from "./support/json-schema.ts";
import { SchemaValues } from "./support/schema-values.ts";

const requestsPerOperation = 60;
const seed = 20_260;

/** A generated request, and whether the document allows it. */
interface Generated {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: RequestInit["body"];
  readonly isAllowed: boolean;
}

/** The schemas of a document, each compiled once. */
interface Judging {
  readonly judge: ReturnType<typeof createJudge>;
  readonly compiled: Map<string, ReturnType<ReturnType<typeof createJudge>["compile"]>>;
}

/**
 * Requests made of the example's own documents, allowed and not. Every response must be one that the document
 * describes, requests that it does not allow are refused, and nothing fails with a 5xx.
 */
describe("the documents of the example hold for generated requests", () => {
  let dataDir: string;
  let app: App;
  let url: string;
  let keys: string[];
  let todos: string[];

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "annex-truth-"));
    app = createTodosApp({ port: 0, dataDir, signals: false, log: { destination: join(dataDir, "log") } });
    await app.superusers.create("root@example.com", "correct horse battery");
    ({ url } = await app.start());
    const post = async (path: string, body: object, key?: string) => {
      const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) };
      const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
      return (await response.json()) as Record<string, string>;
    };
    const people = await Promise.all(["ada", "bob"].map((name) => post("/api/v1/people", { name })));
    keys = people.map(({ key }) => key!);
    const created = await Promise.all(
      ["Bread", "Butter", "Tea"].map((title) => post("/api/v2/todos", { title }, keys[0])),
    );
    todos = created.map(({ id }) => id!);
  });
  after(async () => {
    await app.stop();
    rmSync(dataDir, { recursive: true });
  });

  for (const version of ["v1", "v2"]) {
    it(`of ${version}`, async () => {
      const read = async () =>
        (await (await fetch(`${url}/api/docs/${version}/openapi.json`)).json()) as OpenAPIDocument;
      const isExact = (each: OpenAPIDocument) => each["x-analysis"]?.level === "exact";
      const document = await until("the document is exact", read, isExact);
      const random = createRandom(seed);
      const values = new SchemaValues(document, random);
      const judging: Judging = { judge: createJudge(document), compiled: new Map() };
      const problems: string[] = [];
      for (const [path, { servers: _, ...item }] of Object.entries(document.paths))
        for (const [method, operation] of Object.entries(item) as [string, Operation][])
          for (let count = 0; count < requestsPerOperation; count++) {
            const request = generate(path, operation, values);
            const response = await fetch(`${url}/api/${version}${request.path}`, {
              method: method.toUpperCase(),
              headers: request.headers,
              ...(request.body !== undefined && { body: request.body }),
            });
            const text = await response.text();
            const problem = findProblem(request, response, text, operation, document, judging);
            if (problem)
              problems.push(
                `${method.toUpperCase()} ${request.path} ${String(request.body)}: ${problem} (${text.slice(0, 200)})`,
              );
          }
      assert.deepEqual(problems.slice(0, 10), []);
    });
  }

  /** Mostly allowed, sometimes with one thing wrong. */
  function generate(pattern: string, operation: Operation, values: SchemaValues): Generated {
    const random = createRandom(seed + pattern.length * 7_919 + counter++);
    const { parameters = [], requestBody, security = [] } = operation;
    const isWrong = random.chance(0.4);
    const wrongAt = isWrong
      ? random.pick([...parameters.filter(canBeWrong), ...(requestBody ? ["body"] : [])])
      : undefined;
    const path = pattern.replace(/\{[^}]*\}/g, () => encodeURIComponent(random.pick([...todos, "no such"])));
    const query = new URLSearchParams();
    const headers: Record<string, string> = {};
    for (const parameter of parameters) {
      if (parameter.in === "path") continue;
      const value =
        parameter === wrongAt
          ? wrongText(parameter, values)
          : sentValue(parameter, values, random.chance(0.5));
      if (value === undefined) continue;
      if (parameter.in === "query") for (const each of value) query.append(parameter.name, each);
      if (parameter.in === "header") headers[parameter.name] = value[0]!;
    }
    if (security.length > 0) headers.authorization = `Bearer ${random.pick(keys)}`;
    const body = requestBody && createBody(requestBody.content, wrongAt === "body", values, headers);
    const isAllowed = wrongAt === undefined;
    return { path: query.size > 0 ? `${path}?${query}` : path, headers, body, isAllowed };
  }
});

let counter = 0;

const canBeWrong = ({ in: place, required, schema }: Parameter) =>
  place === "query" &&
  (required === true || (schema as { type?: string }).type !== "string" || "enum" in schema);

function sentValue(parameter: Parameter, values: SchemaValues, isSent: boolean): string[] | undefined {
  if (!parameter.required && !isSent) return undefined;
  const value = values.create(parameter.schema);
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

/** What is not a value of the parameter's type, as text; a required one may also be missing. */
function wrongText(parameter: Parameter, values: SchemaValues): string[] | undefined {
  const { type } = values.resolve(parameter.schema);
  const wrong = values.createWrong(parameter.schema);
  if (type === "string") return parameter.required ? undefined : ["none of these"];
  return [typeof wrong === "number" || typeof wrong === "string" ? String(wrong) : "wrong"];
}

function createBody(
  content: Record<string, { schema: Schema }>,
  isWrong: boolean,
  values: SchemaValues,
  headers: Record<string, string>,
): NonNullable<RequestInit["body"]> {
  const [type, { schema }] = Object.entries(content)[0]!;
  if (type === "multipart/form-data") {
    const form = new FormData();
    form.append(isWrong ? "other" : "file", new Blob(["one\ntwo\n"], { type: "text/plain" }), "todos.txt");
    return form;
  }
  headers["content-type"] = type;
  return JSON.stringify(isWrong ? values.createWrong(schema) : values.create(schema)) ?? "null";
}

function findProblem(
  { isAllowed }: Generated,
  response: Response,
  text: string,
  { responses }: Operation,
  document: OpenAPIDocument,
  { judge, compiled }: Judging,
): string | undefined {
  const { status } = response;
  if (status >= 500) return `${status}`;
  if (!isAllowed && status < 400) return `${status} for a request that is not allowed`;
  if (isAllowed && [400, 415, 422].includes(status)) return `${status} for a request that is allowed`;
  const written = responses[String(status)] ?? (status >= 400 ? responses.default : undefined);
  if (!written) return `${status} is not described`;
  const described = (
    "$ref" in written ? document.components!.responses![written.$ref.split("/").at(-1)!] : written
  ) as Described;
  const type = (response.headers.get("content-type") ?? "").split(";")[0]!;
  if (!described.content) return text === "" ? undefined : `${status} has a body`;
  const content = described.content[type];
  if (!content) return `${type} is not described for ${status}`;
  if (type !== "application/json") return undefined;
  const schema = JSON.stringify(content.schema).replaceAll('"#/', '"document#/');
  const validate = compiled.get(schema) ?? judge.compile(JSON.parse(schema));
  compiled.set(schema, validate);
  return validate(JSON.parse(text)) ? undefined : `${status}: ${judge.errorsText(validate.errors)}`;
}
