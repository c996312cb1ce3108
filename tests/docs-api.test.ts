import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import SwaggerParser from "@apidevtools/swagger-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import { createTodosApp } from "../examples/todos/app.ts";
import { createTestApp } from "../src/app/testing/test-app.ts";
import {
  type APIDocsConfig,
  APIVersionManager,
  type APIVersionManagerOptions,
  type App,
  createApp,
  type OpenAPIDocument,
  type RequestEvent,
  requireAuth,
} from "../src/index.ts";
import { type Cleanup, share } from "../src/lib/testing/share.ts";
import { buildDocsPage } from "./support/docs-page.ts";
import { createFolder } from "./support/program.ts";

type Json = Record<string, unknown>;

before(buildDocsPage);

async function createDocsApp(t: Cleanup, config: Partial<APIDocsConfig> = {}) {
  const versions = new APIVersionManager();
  versions.registerVersion("v1", { title: "One", ...config });
  versions.setVersionRouteRegistrar("v1", (router) => {
    const api = router.setPrefix("/api/v1");
    api.get("/todos", (e) => e.json(200, []));
    api.post("/todos/{id}", (e) => e.json(200, { id: e.pathValue("id") })).bind(requireAuth());
  });
  const app = createTestApp(t, { versions, trustedProxies: ["127.0.0.1"] });
  app.authenticate((e) => (e.header("x-api-key") === "robot" ? { id: "robot" } : null));
  return { app, versions, ...(await signIn(app)) };
}

async function signIn(app: App) {
  const body = { identity: "ada@example.com", password: "correct horse" };
  await app.superusers.create(body.identity, body.password);
  const url = "/api/collections/_superusers/auth-with-password";
  const { token } = (await app.inject({ method: "POST", url, body })).json<{ token: string }>();
  const headers = { authorization: `Bearer ${token}` };
  const get = (path: string, more: Record<string, string> = {}) =>
    app.inject({ url: path, headers: { ...headers, ...more } });
  return { headers, get };
}

const statusOf = async (app: App, url: string, headers: Record<string, string> = {}) =>
  (await app.inject({ url, headers })).status;

describe("who may read the documentation", () => {
  const cases: [url: string, anonymous: number, other: number, isPublic?: boolean][] = [
    ["/api/docs/versions", 401, 403],
    ["/api/docs/v1", 401, 403],
    ["/api/docs/debug/ast", 401, 403],
    ["/api/docs/v1/spec", 401, 403],
    ["/api/docs/v1/openapi.json", 401, 403],
    ["/api/docs/v1/swagger", 404, 404],
    ["/api/v1/schema/config", 401, 200],
    ["/api/docs/v1/spec", 200, 200, true],
    ["/api/docs/v1/openapi.json", 200, 200, true],
    ["/api/docs/v1/swagger", 200, 200, true],
    ["/api/docs/v1", 401, 403, true],
    ["/api/docs/versions", 401, 403, true],
  ];
  const open = share((cleanup) => createDocsApp(cleanup, { publicSwagger: true }));
  const closed = share((cleanup) => createDocsApp(cleanup, { publicSwagger: false }));
  for (const [url, anonymous, other, isPublic = false] of cases) {
    it(`${url} of a version that is ${isPublic ? "public" : "not public"}`, async () => {
      const { app, headers } = await (isPublic ? open() : closed());
      assert.equal(await statusOf(app, url), anonymous);
      assert.equal(await statusOf(app, url, { "x-api-key": "robot" }), other);
      assert.equal(await statusOf(app, url, headers), url.endsWith("swagger") && !isPublic ? 404 : 200);
    });
  }

  for (const publicSwagger of [true, false]) {
    const kind = publicSwagger ? "public" : "private";
    it(`a disabled ${kind} version looks like an unknown one to all clients, and its routes work`, async (t) => {
      const { app, headers } = await createDocsApp(t, { publicSwagger, enabled: false });
      const pathsOf = (label: string) => [
        ...["", "?view=summary", "/spec", "/openapi.json", "/swagger"].map(
          (path) => `/api/docs/${label}${path}`,
        ),
        `/api/${label}/schema/config`,
      ];
      for (const reader of [{}, { "x-api-key": "robot" }, headers]) {
        for (const path of pathsOf("v1")) {
          const disabled = await app.inject({ url: path, headers: reader });
          const unknown = await app.inject({ url: path.replace("v1", "v9"), headers: reader });
          assert.equal(disabled.status, 404, path);
          const { trace_id: _, ...body } = disabled.json<Json>();
          const { trace_id: __, ...other } = unknown.json<Json>();
          assert.equal(JSON.stringify(body).replace("v1", "v9"), JSON.stringify(other), path);
        }
      }
      assert.equal(await statusOf(app, "/api/v1/todos"), 200);
    });
  }
});

describe("the list of versions for a browser", () => {
  const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
  const read = (app: App, headers: Record<string, string> = {}) =>
    app.inject({ url: "/api/docs/versions", headers: { accept, ...headers } });

  it("has the public versions for everyone, and all for superusers", async (t) => {
    const { app, headers, versions } = await createDocsApp(t, { publicSwagger: true, title: "<One>" });
    versions.registerVersion("v2", { title: "Two" });
    versions.registerVersion("v3", { title: "Three", enabled: false, publicSwagger: true });
    const open = await read(app);
    assert.equal(open.status, 200);
    assert.equal(open.headers.vary, "Accept");
    assert.match(open.headers["content-security-policy"] as string, /^default-src 'none'/);
    assert.match(open.body, /<a href="\/api\/docs\/v1\/swagger">&#60;One&#62; v1<\/a>/);
    assert.doesNotMatch(open.body, /Two|Three/);
    const all = await read(app, headers);
    assert.match(all.body, /<a href="\/_\/_\/api\?version=v2">Two v2<\/a>/);
    assert.doesNotMatch(all.body, /Three/);
  });

  it("asks to sign in if no version is public", async (t) => {
    const { app, headers } = await createDocsApp(t);
    const { status, headers: sent } = await read(app);
    assert.equal(status, 302);
    assert.equal(sent.location, "/_/?next=%2Fapi%2Fdocs%2Fversions");
    assert.equal((await read(app, headers)).status, 200);
  });

  it("is where /api/docs leads", async (t) => {
    const { app } = await createDocsApp(t);
    const { status, headers } = await app.inject({ url: "/api/docs" });
    assert.equal(status, 302);
    assert.equal(headers.location, "/api/docs/versions");
  });
});

describe("the documentation page", () => {
  it("loads its files from its own origin, and may send requests to the API", async (t) => {
    const { app } = await createDocsApp(t, { publicSwagger: true, baseURL: "https://api.example.com/x" });
    const { headers, body } = await app.inject({ url: "/api/docs/v1/swagger" });
    assert.match(
      headers["content-security-policy"] as string,
      /connect-src 'self' https:\/\/api\.example\.com;/,
    );
    assert.doesNotMatch(body, /<style|style=|\son\w+=|<script(?! type="module" src="\/api\/docs\/assets\/)/);
    const [, script] = /src="([^"]+)"/.exec(body)!;
    const file = await app.inject({ url: script! });
    assert.equal(file.status, 200);
    assert.equal(file.headers["cache-control"], "public, max-age=31536000, immutable");
    for (const name of ["manifest.json", "none.js"])
      assert.equal((await app.inject({ url: `/api/docs/assets/${name}` })).status, 404);
  });

  it("starts with the chosen theme", async (t) => {
    const { app } = await createDocsApp(t, { publicSwagger: true });
    const read = async (cookie: string) =>
      (await app.inject({ url: "/api/docs/v1/swagger", headers: { cookie } })).body;
    assert.match(await read("annex_theme=light"), /<html lang="en" data-theme="light">/);
    assert.match(await read('annex_theme="><script>'), /<html lang="en">/);
  });
});

describe("the documentation routes", () => {
  it("GET /api/docs/versions: the envelope, with the fields of both forms in each entry", async (t) => {
    const { get, versions } = await createDocsApp(t, { status: "testing", description: "First" });
    const body = (await get("/api/docs/versions")).json<Json>();
    assert.deepEqual(Object.keys(body), ["versions", "default_version", "total_versions", "generated_at"]);
    assert.partialDeepStrictEqual(body, { default_version: "v1", total_versions: 1 });
    const [{ created_at, updated_at, ...entry }] = body.versions as [Json];
    assert.deepEqual(entry, {
      version: "v1",
      status: "testing",
      config: { title: "One", version: "v1", public_swagger: false },
      endpoints: 2,
      title: "One",
      description: "First",
      enabled: true,
      docs_url: "/api/docs/v1",
      swagger_url: "/_/_/api?version=v1",
    });
    for (const time of [created_at, updated_at, body.generated_at])
      assert.equal(new Date(time as string).toISOString(), time);
    versions.registerVersion("v2", { publicSwagger: true });
    assert.equal((await get("/api/docs/versions")).json<Json>().total_versions, 2, "visible at once");
    assert.equal((await get("/api/docs/v2/spec")).status, 200);
  });

  it("GET /api/docs/versions: every link works, and a disabled version has none", async (t) => {
    const { get, versions } = await createDocsApp(t);
    versions.registerVersion("v2", { publicSwagger: true });
    versions.registerVersion("v3", { publicSwagger: true, enabled: false });
    const list = (await get("/api/docs/versions")).json<{ versions: Json[] }>().versions;
    const linksOf = (entry: Json) => Object.entries(entry).filter(([name]) => name.endsWith("_url"));
    for (const entry of list.slice(0, 2)) {
      const summary = (await get(`/api/docs/${entry.version}?view=summary`)).json<Json>();
      const links = [...linksOf(entry), ...linksOf(summary)];
      assert.equal(links.length, 4);
      for (const [name, url] of links) assert.equal((await get(url as string)).status, 200, `${name} ${url}`);
    }
    assert.equal(list[1]!.swagger_url, "/api/docs/v2/swagger");
    assert.equal(list[2]!.enabled, false);
    assert.deepEqual(linksOf(list[2]!), []);
  });

  it("GET /api/docs/{version}: the document, and its summary", async (t) => {
    const { get } = await createDocsApp(t, { description: "First" });
    const document = await get("/api/docs/v1");
    assert.equal(document.headers["content-type"], "application/json");
    assert.equal(document.json<OpenAPIDocument>().openapi, "3.0.3");
    assert.deepEqual((await get("/api/docs/v1?view=summary")).json(), {
      version: "v1",
      title: "One",
      description: "First",
      endpoints_count: 2,
      openapi_spec_url: "/api/docs/v1/openapi.json",
      swagger_ui_url: "/_/_/api?version=v1",
    });
  });

  it("spec and openapi.json have the same bytes, a tag, and a 304", async (t) => {
    const { app, get } = await createDocsApp(t, { publicSwagger: true });
    const [spec, openapi] = [await get("/api/docs/v1/spec"), await get("/api/docs/v1/openapi.json")];
    assert.equal(spec.body, openapi.body);
    const etag = spec.headers.etag as string;
    assert.equal(openapi.headers.etag, etag);
    for (const asked of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const again = await get("/api/docs/v1/spec", { "if-none-match": asked });
      assert.equal(again.status, 304, asked);
      assert.equal(again.body, "");
    }
    assert.equal((await get("/api/docs/v1/spec", { "if-none-match": '"x"' })).status, 200);
    const head = await app.inject({ method: "HEAD", url: "/api/docs/v1/spec" });
    assert.deepEqual([head.status, head.body], [200, ""]);
  });

  it("the server entry follows the request, also behind a trusted proxy", async (t) => {
    const { get } = await createDocsApp(t);
    const urls = async (headers: Record<string, string>) =>
      (await get("/api/docs/v1", headers)).json<OpenAPIDocument>().servers.map(({ url }) => url);
    assert.deepEqual(await urls({ host: "todos.local:8090" }), [
      "https://todos.local:8090/api/v1",
      "http://todos.local:8090/api/v1",
    ]);
    const forwarded = { "x-forwarded-host": "todos.example.com", "x-forwarded-proto": "https" };
    assert.deepEqual(await urls(forwarded), ["https://todos.example.com/api/v1"]);
  });

  it("GET /api/docs/debug/ast: everything, in both arrangements", async (t) => {
    const { get } = await createDocsApp(t);
    const record = (await get("/api/docs/debug/ast")).json<Record<string, Json>>();
    assert.deepEqual(Object.keys(record), [
      "structs",
      "handlers",
      "versions",
      "endpoints_by_version",
      "component_schemas",
      "openapi_output",
      "diagnostics",
    ]);
    const version = record.versions!.v1 as Json;
    assert.deepEqual(Object.keys(version), ["endpoints", "component_schemas", "openapi"]);
    assert.deepEqual(record.endpoints_by_version!.v1, version.endpoints);
    assert.deepEqual(record.component_schemas!.v1, version.component_schemas);
    assert.deepEqual(record.openapi_output!.v1, version.openapi);
    assert.partialDeepStrictEqual(version.endpoints, [
      { method: "GET", path: "/api/v1/todos", auth: "none", file: import.meta.filename },
      { method: "POST", path: "/api/v1/todos/{id}", auth: "any" },
    ]);
  });

  it("GET /api/docs/debug/ast in production says what the documents say", async (t) => {
    const folder = createFolder(t);
    const todo = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
    const content = { "application/json": { schema: { $ref: "#/components/schemas/Todo" } } };
    const page = { name: "page", in: "query", required: false, schema: { type: "integer" } };
    const operation = {
      operationId: "createTodo",
      description: "Creates a todo.",
      tags: ["todos"],
      parameters: [page],
      requestBody: { content },
      responses: {
        201: { description: "Created", content },
        401: { $ref: "#/components/responses/Unauthorized" },
      },
    };
    const document = {
      openapi: "3.0.3",
      info: { title: "Todos", version: "1" },
      servers: [{ url: "http://localhost/api/v1" }],
      paths: { "/todos": { post: operation } },
      components: {
        schemas: { Todo: todo },
        responses: { Unauthorized: { description: "Unauthorized" } },
      },
    };
    writeFileSync(join(folder, "v1.json"), JSON.stringify(document));
    const versions = new APIVersionManager();
    versions.registerVersion("v1");
    versions.setVersionRouteRegistrar("v1", (router) => {
      const createTodo = (e: RequestEvent) => e.noContent();
      router.post("/api/v1/todos", createTodo);
      router.get("/api/v1/undocumented/{id}", (e) => e.noContent());
    });
    const { get } = await signIn(createTestApp(t, { versions, dev: false, specsDir: folder }));
    const record = (await get("/api/docs/debug/ast")).json<Record<string, Json>>();
    assert.deepEqual(record.handlers, {
      createTodo: {
        name: "createTodo",
        description: "Creates a todo.",
        tags: ["todos"],
        request_schema: { $ref: "#/components/schemas/Todo" },
        response_schema: { $ref: "#/components/schemas/Todo" },
        parameters: [{ name: "page", source: "query", required: false, schema: { type: "integer" } }],
        responses: operation.responses,
      },
      "GET /api/v1/undocumented/{id}": {
        name: "",
        description: "",
        tags: [],
        request_schema: null,
        response_schema: null,
        parameters: [{ name: "id", source: "path", required: true, schema: { type: "string" } }],
        responses: {},
      },
    });
    const fields = [{ name: "title", required: true, schema: { type: "string" } }];
    assert.deepEqual(record.structs, { Todo: { name: "Todo", fields, json_schema: todo } });
  });

  it("GET /api/{version}/schema/config", async (t) => {
    const { get } = await createDocsApp(t, { status: "testing" });
    const { generated_at, ...config } = (await get("/api/v1/schema/config")).json<Json>();
    assert.equal(new Date(generated_at as string).toISOString(), generated_at);
    assert.deepEqual(config, {
      version: "v1",
      openapi: "3.0.3",
      generated_from: "source",
      content_types: ["application/json"],
      security_schemes: ["apiKeyAuth"],
      components: ["Error"],
      config: { title: "One", version: "v1", public_swagger: false, status: "testing" },
    });
  });

  it("GET /api/{version}/schema/config names the schemas of a private version to superusers only", async (t) => {
    const { app, get, versions } = await createDocsApp(t);
    const url = "/api/v1/schema/config";
    const asRobot = async () =>
      (await app.inject({ url, headers: { "x-api-key": "robot" } })).json<Json>().components;
    assert.deepEqual(await asRobot(), []);
    assert.deepEqual((await get(url)).json<Json>().components, ["Error"]);
    versions.updateVersionConfig("v1", { publicSwagger: true });
    assert.deepEqual(await asRobot(), ["Error"]);
  });

  it("responses of a deprecated version have Deprecation and Sunset headers", async (t) => {
    const { app, versions } = await createDocsApp(t);
    const headersOf = async () => (await app.inject({ url: "/api/v1/todos" })).headers;
    assert.equal((await headersOf()).deprecation, undefined);
    versions.updateVersionConfig("v1", { status: "deprecated" });
    assert.match((await headersOf()).deprecation as string, /^@\d{10}$/);
    assert.equal((await headersOf()).sunset, undefined);
    versions.updateVersionConfig("v1", { sunset: "2027-06-30" });
    assert.partialDeepStrictEqual(await headersOf(), {
      sunset: "Wed, 30 Jun 2027 00:00:00 GMT",
      link: '</api/docs/v1>; rel="sunset"',
    });
  });

  it("in production a file takes precedence, and an invalid one is reported", async (t) => {
    const folder = createFolder(t);
    const stored = { openapi: "3.0.3", info: { title: "Stored", version: "1" }, paths: {} };
    writeFileSync(join(folder, "v1.json"), JSON.stringify(stored));
    writeFileSync(join(folder, "v2.json"), "{");
    const versions = new APIVersionManager();
    for (const label of ["v1", "v2", "v3"])
      versions.registerVersion(label, { title: label, publicSwagger: true });
    const app = createTestApp(t, { versions, dev: false, specsDir: folder });
    app.authenticate(() => ({ id: "anybody" }));
    const titleOf = async (label: string) =>
      (await app.inject({ url: `/api/docs/${label}/spec` })).json<OpenAPIDocument>().info.title;
    assert.deepEqual([await titleOf("v1"), await titleOf("v2"), await titleOf("v3")], ["Stored", "v2", "v3"]);
    const origin = async (label: string) =>
      (await app.inject({ url: `/api/${label}/schema/config` })).json<Json>().generated_from;
    assert.deepEqual([await origin("v1"), await origin("v2")], ["disk", "source"]);
    await app.stop();
    const log = readFileSync(join(app.dataDir, "app.log"), "utf8");
    assert.match(log, /WARN.*running routes for the document of version v2: .*v2\.json: not valid JSON/);
    assert.match(log, /WARN.*document of version v3: .* contains no v3\.json/);
    assert.doesNotMatch(log, /document of version v1/);
  });

  it("in production without a build, one warning concerns all versions", async (t) => {
    const versions = new APIVersionManager();
    for (const label of ["v1", "v2"]) versions.registerVersion(label, { publicSwagger: true });
    const app = createTestApp(t, { versions, dev: false });
    assert.equal(await statusOf(app, "/api/docs/v2/spec"), 200);
    await app.stop();
    const log = readFileSync(join(app.dataDir, "app.log"), "utf8");
    const warnings = log.match(/WARN.*running routes.*/g) ?? [];
    assert.equal(warnings.length, 1, log);
    assert.match(
      warnings[0]!,
      /all documents: the folder .*specs does not exist\. Run: annex build --production/,
    );
  });

  it("an application without versions has an empty list", async (t) => {
    const { get } = await signIn(createTestApp(t));
    assert.partialDeepStrictEqual((await get("/api/docs/versions")).json(), {
      versions: [],
      total_versions: 0,
    });
  });

  it("versions can be registered by hand, once", async (t) => {
    const app = createTestApp(t);
    const versions = new APIVersionManager();
    versions.registerVersion("v1", { publicSwagger: true });
    versions.registerWithServer(app);
    app.onServe((e) => versions.registerAllVersionRoutes(e));
    assert.equal(await statusOf(app, "/api/docs/v1/spec"), 200);
    assert.throws(() => new APIVersionManager().registerWithServer(app), { code: "DOCS_IN_USE" });
    assert.throws(() => createApp({ versions: {} as APIVersionManager }), /expected an APIVersionManager/);
  });
});

describe("an application whose versions are not set up completely", () => {
  function createVersions(options: APIVersionManagerOptions = {}) {
    const versions = new APIVersionManager(options);
    versions.registerVersion("v1", { publicSwagger: true });
    versions.setVersionRouteRegistrar("v1", (router) => router.get("/api/v1/a", (e) => e.noContent()));
    return versions;
  }

  async function readLog(app: App & { readonly dataDir: string }): Promise<string> {
    await app.stop();
    return readFileSync(join(app.dataDir, "app.log"), "utf8");
  }

  it("does not start without its default version", async (t) => {
    const versions = createVersions({ defaultVersion: "v9" });
    const app = createTestApp(t, { versions });
    await assert.rejects(app.start(), {
      name: "StartError",
      code: "INVALID_OPTION",
      message:
        'The default version "v9" is not registered. Register it with registerVersion, or set defaultVersion to one of: v1.',
    });
    const empty = createTestApp(t, { versions: new APIVersionManager({ defaultVersion: "v9" }) });
    await assert.rejects(empty.start(), /The default version "v9" is not registered/);
  });

  it("starts if a serve hook registers the default version", async (t) => {
    const versions = createVersions({ defaultVersion: "v9" });
    const app = createTestApp(t, { versions });
    app.onServe(() => versions.registerVersion("v9"));
    assert.equal(await statusOf(app, "/api/v1/a"), 204);
  });

  it("reports routes that are registered twice", async (t) => {
    const versions = createVersions();
    const app = createTestApp(t, { versions });
    app.onServe((e) => versions.registerAllVersionRoutes(e));
    await assert.rejects(app.inject({ url: "/" }), {
      code: "VERSION_ROUTES_REGISTERED",
      message: /createApp\(\{ versions \}\) registers them.*remove the call of registerAllVersionRoutes/i,
    });
  });

  it("warns if the routes are registered without their documentation", async (t) => {
    const versions = createVersions();
    const app = createTestApp(t);
    app.onServe((e) => versions.registerAllVersionRoutes(e));
    assert.equal(await statusOf(app, "/api/v1/a"), 204);
    assert.match(
      await readLog(app),
      /WARN.*The routes of API version v1 are registered, but not their documentation.*registerWithServer\(app\)/,
    );
  });

  it("warns if the documentation is registered without the routes", async (t) => {
    const versions = createVersions();
    const app = createTestApp(t);
    versions.registerWithServer(app);
    assert.equal(await statusOf(app, "/api/v1/a"), 404);
    assert.match(
      await readLog(app),
      /WARN.*The documentation of API version v1 is registered, but not the routes.*registerAllVersionRoutes\(e\)/,
    );
  });

  it("has no warnings otherwise", async (t) => {
    const app = createTestApp(t, { versions: createVersions() });
    assert.equal(await statusOf(app, "/api/v1/a"), 204);
    assert.doesNotMatch(await readLog(app), /WARN/);
    const versions = createVersions();
    const manual = createTestApp(t);
    versions.registerWithServer(manual);
    manual.onServe(({ router }) => versions.registerAllVersionRoutes({ router }));
    assert.equal(await statusOf(manual, "/api/v1/a"), 204);
    assert.doesNotMatch(await readLog(manual), /WARN/);
  });

  it("warns once if a spec file does not match the routes", async (t) => {
    const folder = createFolder(t);
    const versions = createVersions();
    const first = createTestApp(t, { versions });
    const document = (await first.inject({ url: "/api/docs/v1/spec" })).json<OpenAPIDocument>();
    const item = document.paths["/a"]!;
    // As after an edit: a path item may have more than operations.
    const edited = { ...item, summary: "A", parameters: [], "x-owner": {} };
    const paths = { "/old": { get: { ...item.get!, operationId: "old" } }, "/a": edited };
    writeFileSync(join(folder, "v1.json"), JSON.stringify({ ...document, paths }));
    const next = createVersions();
    next.setVersionRouteRegistrar("v1", (router) => {
      const api = router.setPrefix("/api/v1");
      for (const path of ["/a", "/b", "/c", "/d", "/e", "/f"]) api.get(path, (e) => e.noContent());
    });
    const app = createTestApp(t, { versions: next, dev: false, specsDir: folder });
    await app.inject({ url: "/api/docs/v1/spec" });
    await app.inject({ url: "/api/docs/v1/spec" });
    next.updateVersionConfig("v1", { status: "deprecated" });
    const changed = (await app.inject({ url: "/api/docs/v1/spec" })).json<OpenAPIDocument>();
    assert.deepEqual(changed.paths["/a"], { ...edited, get: { ...item.get, deprecated: true } });
    const warnings = (await readLog(app)).split("\n").filter((line) => /WARN/.test(line));
    assert.equal(warnings.length, 1, warnings.join("\n"));
    assert.match(
      warnings[0]!,
      /v1\.json is out of date: it lacks the routes GET \/api\/v1\/b, GET \/api\/v1\/c, GET \/api\/v1\/d, GET \/api\/v1\/e and 1 more, and it contains routes that are not registered: GET \/api\/v1\/old\. Run: annex build --production/,
    );
  });
});

describe("the documents of the example", () => {
  for (const version of ["v1", "v2"]) {
    it(`${version} is valid for others`, async (t) => {
      const dataDir = createFolder(t);
      const app = createTodosApp({ dataDir, signals: false, log: { destination: `${dataDir}/log` } });
      t.after(() => app.stop());
      const document = (
        await app.inject({ url: `/api/docs/${version}/openapi.json` })
      ).json<OpenAPIDocument>();
      assert.ok(Object.keys(document.paths).length >= 4);
      const result = await new Validator().validate({ ...structuredClone(document) });
      assert.ok(result.valid, JSON.stringify(result.errors));
      await SwaggerParser.validate(structuredClone(document) as never);
    });
  }
});
