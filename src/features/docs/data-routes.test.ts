import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { requireAuth, requireSuperuserAuth } from "../../auth/index.ts";
import { createOwnedServer } from "../../auth/testing/server.ts";
import type { RequestEvent } from "../../http/index.ts";
import { Docs } from "./docs.ts";
import { mountDocs } from "./routes.ts";
import { createAnalysis, type Found } from "./testing/analysis.ts";
import type { APIDocsConfig } from "./versions/config.ts";
import { APIVersionManager, type RouteRegistrar } from "./versions/version-manager.ts";

type Json = Record<string, unknown>;
type Config = Partial<APIDocsConfig>;

const listTodos = (e: RequestEvent) => e.json(200, []);
const getTodo = (e: RequestEvent<"id">) => e.json(200, { id: e.pathValue("id") });

const first: RouteRegistrar = (router) => {
  router.get("/api/v1/todos", listTodos);
  router.get("/api/v1/todos/{id}", getTodo);
  router.delete("/api/v1/todos/{id}", (e) => e.noContent()).bind(requireAuth());
};
const second: RouteRegistrar = (router) => {
  router.get("/api/v2/todos", listTodos);
  router.get("/api/v2/todos/{todo}", (e) => e.json(200, {}));
  router.get("/api/v2/files/{rest...}", (e) => e.noContent());
  router.post("/tidy", (e) => e.noContent()).bind(requireSuperuserAuth());
};

/** A server with two versions, and requests for the dashboard's data as a superuser. */
async function createSite(t: TestContext, configs: { v1?: Config; v2?: Config } = {}) {
  const versions = new APIVersionManager({ defaultVersion: "v2" });
  versions.registerVersion("v1", { title: "Todos", ...configs.v1 });
  versions.registerVersion("v2", { title: "Todos", ...configs.v2 });
  versions.setVersionRouteRegistrar("v1", first);
  versions.setVersionRouteRegistrar("v2", second);
  const docs = new Docs();
  docs.use(versions);
  const { inject, token, listener } = await createOwnedServer(t, {
    routes({ routes }) {
      mountDocs(routes.router("Annex"), docs);
      versions.registerAllVersionRoutes({ router: routes.router("the application") });
    },
  });
  const get = (url: string) => inject({ url, headers: { authorization: `Bearer ${token}` } });
  return {
    docs,
    versions,
    inject,
    listener,
    get,
    read: async (url: string) => (await get(url)).json<Json>(),
  };
}

/** Makes the analysis report these findings immediately. */
function teach(docs: Docs, found: Found): void {
  docs.setAnalyzer(async () => ({
    analyze: async (_, onFound) => onFound(createAnalysis({ level: "exact", ...found })),
    close: async () => {},
  }));
}

const object = (properties: Json, required: string[] = []) => ({ type: "object", properties, required });
const response = (schema: Json) => ({
  isComplete: true,
  responses: { 200: { description: "OK", content: { "application/json": { schema } } } },
});

describe("the data of the API page", () => {
  const urls = ["/_/_/data/api", "/_/_/data/api/v1", "/_/_/data/api-diff?from=v1&to=v2"];
  for (const url of urls) {
    it(`${url} requires a superuser, and is counted only if it is refused`, async (t) => {
      const { inject, get, listener } = await createSite(t);
      const counted: string[] = [];
      listener.observer.onFinished(({ path }) => counted.push(path));
      assert.equal((await inject({ url })).status, 401);
      assert.equal((await get(url)).status, 200);
      assert.equal((await get("/api/v1/todos")).status, 200);
      assert.deepEqual(counted, [url.split("?")[0], "/api/v1/todos"]);
    });
  }

  it("lists all versions, including disabled ones, and their operations with full routes", async (t) => {
    const v1 = { status: "deprecated", sunset: "2027-12-31", enabled: false };
    const { get } = await createSite(t, { v1, v2: { publicSwagger: true, description: "Newer" } });
    const found = await get("/_/_/data/api");
    assert.equal(found.headers["cache-control"], "no-store");
    const { versions, ...rest } = found.json<{ versions: [Json, Json] }>();
    assert.deepEqual(rest, {
      default_version: "v2",
      diagnostics: [],
      analysis: { state: "none", level: "none", operations: 7, operations_read: 0, diagnostics: 0 },
    });
    const [one, { operations, ...two }] = versions;
    assert.partialDeepStrictEqual(one, {
      ...{ version: "v1", status: "deprecated", sunset: "2027-12-31", enabled: false, endpoints: 3 },
      operations: [
        { route: "GET /api/v1/todos", operation_id: "listTodos", deprecated: true, auth_required: false },
        { route: "GET /api/v1/todos/{id}", operation_id: "getTodo" },
        { route: "DELETE /api/v1/todos/{id}", auth_required: true, auth: "any" },
      ],
    });
    assert.deepEqual(two, {
      version: "v2",
      title: "Todos",
      description: "Newer",
      status: "stable",
      enabled: true,
      public_swagger: true,
      endpoints: 4,
      generated_from: "source",
    });
    assert.deepEqual((operations as Json[]).at(0), {
      method: "GET",
      path: "/api/v2/files/{rest...}",
      route: "GET /api/v2/files/{rest...}",
      operation_id: "getApiV2FilesByRest",
      summary: "GET /files/{rest}",
      tags: ["files"],
      deprecated: false,
      auth_required: false,
      auth: "none",
      documented: true,
    });
    assert.partialDeepStrictEqual((operations as Json[]).at(-1), { route: "POST /tidy", auth: "superuser" });
  });

  it("finds operations for any server address", async (t) => {
    const { read } = await createSite(t, { v2: { baseURL: "https://todos.example.com" } });
    const { versions } = (await read("/_/_/data/api")) as { versions: { operations: Json[] }[] };
    assert.ok(versions[1]!.operations.every(({ documented }) => documented));
  });

  it("does not wait for the source, and reports the state of the analysis", async (t) => {
    const { docs, read } = await createSite(t);
    const { promise: isRead, resolve } = Promise.withResolvers<void>();
    docs.setAnalyzer(async () => ({
      async analyze(_, onFound) {
        await isRead;
        onFound(createAnalysis({ level: "exact", factsOf: () => ({ description: "Tells.\nMore of it." }) }));
      },
      close: async () => {},
    }));
    const before = await read("/_/_/data/api");
    assert.partialDeepStrictEqual(before.analysis, { state: "reading", level: "none", operations_read: 0 });
    resolve();
    await docs.analyze();
    const after = await read("/_/_/data/api");
    assert.partialDeepStrictEqual(after.analysis, { state: "ready", level: "exact", operations_read: 7 });
    const [{ operations }] = after.versions as [{ operations: Json[] }];
    assert.equal(operations[0]!.summary, "Tells.");
  });

  it("reports which documents came from files, and which operations the files lack", async (t) => {
    const { docs, read } = await createSite(t);
    const operation = { operationId: "kept", responses: {} };
    const document = {
      ...{ openapi: "3.0.3", info: { title: "Todos", version: "1" }, servers: [] },
      paths: { "/todos": { get: operation }, "/gone": { get: operation } },
    } as const;
    docs.builder.stored = new Map([["v1", { document: document as never, madeAt: new Date() }]]);
    const { analysis, versions } = await read("/_/_/data/api");
    assert.partialDeepStrictEqual(analysis, { state: "from disk" });
    assert.partialDeepStrictEqual(versions, [
      {
        generated_from: "disk",
        endpoints: 3,
        operations: [
          { route: "GET /api/v1/todos", operation_id: "kept", documented: true },
          { route: "GET /api/v1/todos/{id}", operation_id: "", documented: false },
          { route: "DELETE /api/v1/todos/{id}", documented: false },
        ],
      },
      { generated_from: "source" },
    ]);
  });

  it("lists unresolved points with the affected operations", async (t) => {
    const { docs, read } = await createSite(t);
    const point = { code: "STATUS_UNKNOWN", message: "Not known.", file: "src/todos.ts" };
    teach(docs, {
      factsOf: ({ handlerName }) => (handlerName === "getTodo" ? { source: "src/todos.ts:10" } : undefined),
      diagnostics: [
        { ...point, line: 10, routes: ["GET /api/v1/todos/{id}"] },
        { ...point, line: 11, routes: ["GET /api/v1/todos/{id}", "GET /api/v2/files/{rest...}"] },
        { code: "TYPES_UNAVAILABLE", message: "No compiler." },
        {
          ...{ code: "HANDLER_NOT_FOUND", message: "Not there.", isUnread: true },
          routes: ["GET /api/v2/files/{rest...}"],
        },
      ],
    });
    await docs.analyze();
    assert.deepEqual((await read("/_/_/data/api")).diagnostics, [
      {
        ...{ ...point, line: 10, version: "v1", handler: "getTodo", unread: false },
        routes: ["GET /api/v1/todos/{id}"],
      },
      {
        ...{ ...point, line: 11, unread: false },
        routes: ["GET /api/v1/todos/{id}", "GET /api/v2/files/{rest...}"],
      },
      { code: "TYPES_UNAVAILABLE", message: "No compiler.", routes: [], unread: false },
      {
        ...{ code: "HANDLER_NOT_FOUND", message: "Not there.", version: "v2", unread: true },
        routes: ["GET /api/v2/files/{rest...}"],
      },
    ]);
  });

  it("returns the same document and ETag as /api/docs", async (t) => {
    const { get } = await createSite(t, { v1: { publicSwagger: true } });
    const [here, there] = [await get("/_/_/data/api/v1"), await get("/api/docs/v1")];
    assert.equal(here.body, there.body);
    assert.equal(here.headers.etag, there.headers.etag);
    assert.equal(here.headers["cache-control"], "private, no-cache");
  });
});

describe("the difference between two versions", () => {
  const url = "/_/_/data/api-diff?from=v1&to=v2";

  it("is grouped by operation, relative to the prefix of each version", async (t) => {
    const { docs, read } = await createSite(t, { v1: { status: "deprecated" } });
    const todo = (properties: Json) => ({
      ...{ name: "Todo", file: "todos.ts", line: 1 },
      schema: object(properties, Object.keys(properties)),
    });
    const string = { type: "string" };
    teach(docs, {
      factsOf: ({ path, method }) =>
        method === "GET" && path.includes("todos/") ? response({ $ref: path.split("/")[2]! }) : undefined,
      schemas: { v1: todo({ id: string, title: string }), v2: todo({ id: string, due: string }) },
    });
    const lost = { message: "GET /todos/{todo}: response 200: field `title` removed", breaking: true };
    const won = { message: "GET /todos/{todo}: response 200: field `due` added", breaking: false };
    assert.deepEqual(await read(url), {
      from: "v1",
      to: "v2",
      changes: 5,
      breaking: 2,
      operations: [
        {
          change: "removed",
          method: "DELETE",
          path: "/todos/{id}",
          from_route: "DELETE /api/v1/todos/{id}",
          breaking: true,
          changes: [{ message: "DELETE /todos/{id} removed", breaking: true }],
        },
        {
          change: "added",
          method: "GET",
          path: "/files/{rest}",
          to_route: "GET /api/v2/files/{rest...}",
          breaking: false,
          changes: [{ message: "GET /files/{rest} added", breaking: false }],
        },
        {
          change: "changed",
          method: "GET",
          path: "/todos/{todo}",
          from_route: "GET /api/v1/todos/{id}",
          to_route: "GET /api/v2/todos/{todo}",
          breaking: true,
          changes: [lost, won],
        },
        {
          change: "added",
          method: "POST",
          path: "/tidy",
          to_route: "POST /tidy",
          breaking: false,
          changes: [{ message: "POST /tidy added", breaking: false }],
        },
      ],
      schemas: [
        {
          change: "changed",
          name: "Todo",
          breaking: true,
          changes: [
            { message: "Todo: field `title` removed", breaking: true },
            { message: "Todo: field `due` added", breaking: false },
          ],
        },
      ],
    });
  });

  it("is the same when a version's server has another address", async (t) => {
    const { read } = await createSite(t);
    const moved = await createSite(t, { v2: { baseURL: "https://todos.example.com" } });
    assert.deepEqual(await moved.read(url), await read(url));
  });

  it("between a version and itself is empty", async (t) => {
    const { read } = await createSite(t);
    const nothing = { changes: 0, breaking: 0, operations: [], schemas: [] };
    assert.deepEqual(await read("/_/_/data/api-diff?from=v2&to=v2"), { from: "v2", to: "v2", ...nothing });
  });

  it("does not shadow the document of a version called diff", async (t) => {
    const { versions, get, read } = await createSite(t);
    versions.registerVersion("diff", { title: "Todos" });
    assert.equal((await read("/_/_/data/api/diff")).openapi, "3.0.3");
    assert.equal((await get("/_/_/data/api-diff?from=diff&to=v2")).status, 200);
  });

  it("requires two enabled versions", async (t) => {
    const { get } = await createSite(t, { v1: { enabled: false } });
    for (const query of ["from=v1&to=v2", "from=v2&to=v9"])
      assert.equal((await get(`/_/_/data/api-diff?${query}`)).status, 404, query);
    assert.equal((await get("/_/_/data/api/v1")).status, 404);
    const refused = await get("/_/_/data/api-diff?from=v2");
    assert.equal(refused.status, 400);
    assert.deepEqual(Object.keys(refused.json<{ data: object }>().data), ["to"]);
  });
});
