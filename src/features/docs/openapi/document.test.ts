import assert from "node:assert/strict";
import { describe, it } from "node:test";
import SwaggerParser from "@apidevtools/swagger-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import { requireAuth, requireSuperuserAuth } from "../../../auth/index.ts";
import type { OpenAPIDocument } from "../model/openapi.ts";
import { createAnalysis } from "../testing/analysis.ts";
import type { APIDocsConfig } from "../versions/config.ts";
import { DocumentBuilder } from "../versions/published.ts";
import { APIVersionManager, type RouteRegistrar } from "../versions/version-manager.ts";
import type { Analysis } from "./analysis.ts";

const asker = { host: "api.example.com:8443", scheme: "https" };
const nothing = () => {};

function createVersion(register: RouteRegistrar, config: Partial<APIDocsConfig> = {}, analysis?: Analysis) {
  const manager = new APIVersionManager();
  manager.registerVersion("v1", config);
  manager.setVersionRouteRegistrar("v1", register);
  manager.registerAllVersionRoutesForDocs();
  const builder = new DocumentBuilder({ now: Date.now });
  builder.analysis = analysis;
  const document = (from = asker) => builder.create(manager.find("v1")!, from);
  return { manager, builder, document, version: manager.find("v1")! };
}

/** Two third-party validators must agree that it is OpenAPI 3.0.3. */
async function validate(document: OpenAPIDocument): Promise<void> {
  const result = await new Validator().validate({ ...structuredClone(document) });
  assert.ok(result.valid, JSON.stringify(result.errors));
  await SwaggerParser.validate(structuredClone(document) as never);
}

describe("a document", () => {
  it("is valid and describes the routes", async () => {
    async function listTodos() {}
    const { document } = createVersion((router) => {
      const api = router.setPrefix("/api/v1");
      api.get("/todos", listTodos);
      api.post("/todos", nothing).bind(requireAuth());
      api.delete("/todos/{id}", nothing).bind(requireSuperuserAuth());
      api.get("/files/{path...}", () => {});
      router.get("/elsewhere/{id}", nothing);
    });
    const made = await document();
    await validate(made);
    assert.deepEqual(Object.keys(made.paths), ["/files/{path}", "/todos", "/todos/{id}", "/elsewhere/{id}"]);
    assert.equal(made.openapi, "3.0.3");
    const { get, post } = made.paths["/todos"]!;
    assert.equal(get!.operationId, "listTodos");
    assert.deepEqual(get!.security, []);
    assert.equal(get!.summary, "List todos");
    assert.equal(made.paths["/files/{path}"]!.get!.summary, "GET /files/{path}");
    assert.deepEqual(get!.tags, ["todos"]);
    assert.deepEqual(post!.security, [{ bearerAuth: [] }]);
    assert.ok("401" in post!.responses && !("403" in post!.responses));
    const remove = made.paths["/todos/{id}"]!.delete!;
    assert.ok("401" in remove.responses && "403" in remove.responses);
    assert.deepEqual(remove.parameters, [
      { name: "id", in: "path", required: true, schema: { type: "string" } },
    ]);
    assert.deepEqual(made.paths["/elsewhere/{id}"]!.servers, [
      { url: "https://api.example.com:8443", description: "API v1 Server (stable)" },
    ]);
    assert.deepEqual(Object.keys(made.components!.schemas!), ["Error"]);
  });

  it("is valid without routes, and has no references then", async () => {
    const { document } = createVersion(nothing);
    await validate(await document());
    assert.equal((await document()).components, undefined);
  });

  it("contains its whole configuration", async () => {
    const { document } = createVersion(nothing, {
      title: "Todos",
      version: "1.2.3",
      description: "About",
      termsOfService: "https://example.com/terms",
      contactName: "Ada",
      contactEmail: "ada@example.com",
      contactURL: "https://example.com",
      licenseName: "MIT",
      licenseURL: "https://example.com/mit",
      externalDocsURL: "https://example.com/more",
      externalDocsDesc: "More",
      status: "deprecated",
      sunset: "2027-06-30",
    });
    const { info, externalDocs } = await document();
    await validate(await document());
    assert.deepEqual(info, {
      title: "Todos",
      version: "1.2.3",
      description: "About",
      termsOfService: "https://example.com/terms",
      contact: { name: "Ada", email: "ada@example.com", url: "https://example.com" },
      license: { name: "MIT", url: "https://example.com/mit" },
      "x-status": "deprecated",
      "x-sunset": "2027-06-30",
    });
    assert.deepEqual(externalDocs, { url: "https://example.com/more", description: "More" });
  });

  it("names the host of the request, unless a real server is configured", async () => {
    const local = createVersion(nothing, { status: "testing" });
    assert.deepEqual((await local.document()).servers, [
      { url: "https://api.example.com:8443/api/v1", description: "API v1 Server (testing)" },
    ]);
    assert.deepEqual(
      (await local.document({ host: "localhost:8090", scheme: "http" })).servers.map(({ url }) => url),
      ["https://localhost:8090/api/v1", "http://localhost:8090/api/v1"],
    );
    for (const baseURL of ["http://127.0.0.1:9", "http://[::1]/x", "https://LOCALHOST"]) {
      const { servers } = await createVersion(nothing, { baseURL }).document();
      assert.match(servers[0]!.url, /api\.example\.com/);
    }
    const route: RouteRegistrar = (router) => void router.get("/api/v1/todos", nothing);
    const whole = await createVersion(route, { baseURL: "https://todos.example.org" }).document();
    assert.deepEqual(whole.servers, [
      { url: "https://todos.example.org", description: "API v1 Server (stable)" },
    ]);
    assert.deepEqual(Object.keys(whole.paths), ["/api/v1/todos"]);
    const below = await createVersion(route, { baseURL: "https://todos.example.org/api/v1/" }).document();
    assert.deepEqual(below.servers[0]!.url, "https://todos.example.org/api/v1");
    assert.deepEqual(Object.keys(below.paths), ["/todos"]);
  });

  it("separates routes below the prefix from others", async () => {
    const { document } = createVersion((router) => {
      for (const path of ["/api/v1/todos", "/todos", "/api/v1", "/", "/api/v1/{id}", "/{x}"])
        router.get(path, nothing);
    });
    await validate(await document());
    const places = Object.entries((await document()).paths).map(([path, { servers }]) => [
      path,
      servers?.[0]?.url,
    ]);
    const root = "https://api.example.com:8443";
    assert.deepEqual(Object.fromEntries(places), {
      "/": root,
      "/api/v1": root,
      "/api/v1/todos": root,
      "/api/v1/{id}": root,
      "/todos": root,
      "/{x}": root,
    });
  });

  it("keeps the path of a configured server", async () => {
    const routes: RouteRegistrar = (router) => {
      router.get("/api/v1/todos", nothing);
      router.get("/outside", nothing);
    };
    const gateway = await createVersion(routes, { baseURL: "https://example.org/gw/api/v1/" }).document();
    assert.deepEqual(Object.keys(gateway.paths), ["/todos", "/outside"]);
    assert.equal(gateway.servers[0]!.url, "https://example.org/gw/api/v1");
    assert.equal(gateway.paths["/outside"]!.servers![0]!.url, "https://example.org/gw");
    const whole = await createVersion(routes, { baseURL: "https://example.org/gw" }).document();
    assert.deepEqual(Object.keys(whole.paths), ["/api/v1/todos", "/outside"]);
  });

  it("is served with the current server if it was stored", async () => {
    const routes: RouteRegistrar = (router) => {
      router.get("/api/v1/todos", nothing);
      router.get("/outside", nothing);
    };
    for (const builtFor of ["http://localhost:8090", "https://example.org", "https://example.org/api/v1"]) {
      const built = createVersion(routes, { baseURL: builtFor });
      const document = await built.builder.createForFile(built.version);
      for (const baseURL of ["http://localhost:8090", "https://other.org", "https://other.org/gw/api/v1"]) {
        const { builder, version, manager, document: read } = createVersion(routes, { baseURL });
        const fresh = await read();
        builder.stored = new Map([["v1", { document, madeAt: new Date(0) }]]);
        manager.getVersionRegistry("v1").add(manager.getVersionRegistry("v1").list()[0]!);
        assert.deepEqual(await builder.create(version, asker), fresh, `${builtFor} and ${baseURL}`);
        assert.equal(builder.originOf(version), "disk");
      }
    }
  });

  it("is not broken by a hostile host", async () => {
    const { builder, version } = createVersion((router) => void router.get("/x", nothing));
    const { body } = await builder.publish(version, { host: 'evil","x":"y\\', scheme: "https" });
    assert.equal(JSON.parse(body).servers[0].url, 'https://evil","x":"y\\/api/v1');
  });

  it("marks every operation of a deprecated version", async () => {
    const { document } = createVersion((router) => void router.get("/api/v1/x", nothing), {
      status: "deprecated",
      sunset: "2027-06-30",
    });
    assert.partialDeepStrictEqual((await document()).paths["/x"]!.get, {
      deprecated: true,
      "x-sunset": "2027-06-30",
    });
  });

  it("includes the notes of middleware", async () => {
    const limited = {
      func: nothing,
      documents: {
        responses: { 429: "Too many requests" },
        requestHeaders: { "X-Client": "Who calls" },
        responseHeaders: { "X-RateLimit-Left": "How many are left" },
      },
    };
    const { document } = createVersion((router) => {
      router.bind(limited);
      router.get("/api/v1/x", nothing);
    });
    await validate(await document());
    const { responses, parameters } = (await document()).paths["/x"]!.get!;
    assert.partialDeepStrictEqual(responses["429"], { description: "Too many requests" });
    assert.partialDeepStrictEqual(responses["2XX"], {
      headers: { "X-RateLimit-Left": { schema: { type: "string" } } },
    });
    assert.partialDeepStrictEqual(parameters, [{ name: "X-Client", in: "header" }]);
  });

  it("has operation IDs that are unique and independent of the order", async () => {
    const shared = function shared() {};
    const handlers = {
      "/api/v1/a": shared,
      "/api/v1/b": shared,
      "/api/v1/a-b": () => {},
      "/api/v1/aB": () => {},
    };
    const idsOf = async (paths: string[]) => {
      const { document } = createVersion((router) => {
        for (const path of paths) router.get(path, handlers[path as keyof typeof handlers]);
      });
      const entries = Object.entries((await document()).paths).map(([path, item]) => [
        path,
        item.get!.operationId,
      ]);
      return Object.fromEntries(entries) as Record<string, string>;
    };
    const paths = Object.keys(handlers);
    assert.deepEqual(await idsOf(paths), await idsOf(paths.toReversed()));
    assert.equal(new Set(Object.values(await idsOf(paths))).size, 4);
    assert.equal((await idsOf(paths))["/a"], "getApiV1A");
  });

  it("includes the findings of the analysis, with the referenced components only", async () => {
    const analysis = createAnalysis({
      factsOf: () => ({
        description: "Lists",
        tags: ["lists"],
        parameters: [{ name: "page", in: "query", schema: { type: "integer" } }],
        responses: {
          200: {
            description: "OK",
            content: { "application/json": { schema: { $ref: "src/page.ts#Page" } } },
          },
        },
      }),
      schemas: {
        "src/page.ts#Page": {
          name: "Page",
          schema: {
            type: "object",
            properties: { items: { type: "array", items: { $ref: "src/item.ts#Item" } } },
          },
          file: "/src/page.ts",
          line: 1,
        },
        "src/item.ts#Item": { name: "Item", schema: { type: "object" }, file: "/src/item.ts", line: 1 },
        "src/item.ts#Unused": { name: "Unused", schema: { type: "object" }, file: "/src/item.ts", line: 9 },
      },
    });
    const { document } = createVersion((router) => void router.get("/api/v1/x", nothing), {}, analysis);
    await validate(await document());
    const operation = (await document()).paths["/x"]!.get!;
    assert.partialDeepStrictEqual(operation, { description: "Lists", tags: ["lists"] });
    assert.ok(!("2XX" in operation.responses));
    assert.deepEqual(Object.keys((await document()).components!.schemas!), ["Error", "Item", "Page"]);
  });

  it("is generated once, and again after a change", async () => {
    const { manager, builder, version } = createVersion((router) => void router.get("/api/v1/x", nothing));
    const first = await builder.publish(version, asker);
    assert.deepEqual(await builder.publish(version, asker), first);
    assert.notEqual((await builder.publish(version, { ...asker, host: "other" })).etag, first.etag);
    manager.updateVersionConfig("v1", { title: "Another" });
    assert.notEqual((await builder.publish(version, asker)).etag, first.etag);
  });
});
