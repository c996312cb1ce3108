import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it, type TestContext } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import {
  APIVersionManager,
  type App,
  type AppOptions,
  type OpenAPIDocument,
  type Router,
} from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";

function createPlainApp(
  t: TestContext,
  options: AppOptions,
  addRoutes: (router: Router, app: App) => void = ({ get }) => {
    get("/hello/{name}", (e) => e.json(200, { hello: e.pathValue("name") }));
    get("/api/v1/notes", (e) => e.json(200, [{ text: e.query("search") ?? "" }]));
  },
): App {
  const app = createTestApp(t, options);
  app.onServe(({ router }) => addRoutes(router, app));
  return app;
}

async function readDocument(app: App, label = "v1"): Promise<OpenAPIDocument> {
  const { status, body } = await app.inject({ url: `/api/docs/${label}/openapi.json` });
  assert.equal(status, 200, body);
  return JSON.parse(body);
}

describe("an application without registered versions", () => {
  it("has a document of its routes, with their whole paths", async (t) => {
    const app = createPlainApp(t, { dev: true });
    // On a busy machine, the source may be read after the time that a client waits.
    const isExact = (each: OpenAPIDocument) => each["x-analysis"]?.level === "exact";
    const document = await until("the document is exact", () => readDocument(app), isExact);
    assert.deepEqual(Object.keys(document.paths), ["/api/v1/notes", "/hello/{name}"]);
    assert.deepEqual(
      document.servers.map(({ url }) => new URL(url).pathname),
      ["/", "/"],
    );
    const { parameters = [], responses } = document.paths["/api/v1/notes"]!.get!;
    assert.deepEqual(
      parameters.map((each) => ("name" in each ? each.name : "")),
      ["search"],
    );
    assert.match(JSON.stringify(responses["200"]), /"text"/);
    const page = await app.inject({ url: "/api/docs/v1/swagger" });
    assert.equal(page.status, 200);
  });

  it("shows its document in production to superusers alone", async (t) => {
    const app = createPlainApp(t, { dev: false });
    assert.equal((await app.inject({ url: "/api/docs/v1/openapi.json" })).status, 401);
    assert.equal((await app.inject({ url: "/api/docs/v1/swagger" })).status, 404);
  });

  it("has no document without routes", async (t) => {
    const app = createPlainApp(t, { dev: true }, () => {});
    assert.equal((await app.inject({ url: "/api/docs/v1/openapi.json" })).status, 404);
  });

  it("serves routes that one document cannot contain, and warns", async (t) => {
    const app = createPlainApp(t, { dev: true }, ({ get, post }) => {
      get("/notes/{id}", (e) => e.text(200, e.pathValue("id")));
      post("/notes/{note}", (e) => e.text(200, e.pathValue("note")));
    });
    const warned = once(process, "warning");
    assert.equal((await app.inject({ method: "POST", url: "/notes/7" })).body, "7");
    const [{ message }] = await warned;
    assert.match(message, /^The route is not documented: .*POST \/notes\/\{note\}/);
    const document = await readDocument(app);
    assert.deepEqual(Object.keys(document.paths), ["/notes/{id}"]);
  });

  it("has its own versions alone as soon as one is registered", async (t) => {
    const versions = new APIVersionManager();
    const app = createPlainApp(t, { dev: true, versions });
    assert.deepEqual(Object.keys((await readDocument(app)).paths).length, 2);
    versions.registerVersion("v2", { publicSwagger: true });
    assert.deepEqual((await readDocument(app, "v2")).paths, {});
    assert.equal((await app.inject({ url: "/api/docs/v1/openapi.json" })).status, 404);
  });
});
