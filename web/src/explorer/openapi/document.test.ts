import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { OpenApi } from "./document.ts";
import { documentedRoute, operationsOf, originsOf, usersOfSchemas } from "./document.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const document: OpenApi = {
  servers: [{ url: "https://example.com/api/v1" }],
  paths: {
    "/nodes/{id}": {
      get: { operationId: "getNode", responses: { 200: { $ref: "#/components/responses/Node" } } },
    },
    "/tidy": { servers: [{ url: "https://example.com" }], post: { operationId: "tidy", responses: {} } },
  },
  components: {
    schemas: {
      Node: { type: "object", properties: { parent: ref("Node"), owner: ref("Owner") } },
      Owner: { type: "object" },
      Alone: { type: "object" },
    },
    responses: { Node: { description: "A node.", content: { "application/json": { schema: ref("Node") } } } },
  },
};

describe("a document", () => {
  it("lists its operations by route, with or without the version's prefix, and the routes that use a schema", () => {
    const operations = operationsOf(document, "v1");
    assert.deepEqual([...operations.keys()], ["GET /api/v1/nodes/{id}", "POST /tidy"]);
    assert.equal(documentedRoute("GET /files/{rest...}"), "GET /files/{rest}");
    assert.deepEqual(
      [...usersOfSchemas(document, operations)],
      [
        ["Node", ["GET /api/v1/nodes/{id}"]],
        ["Owner", ["GET /api/v1/nodes/{id}"]],
      ],
    );
  });
});

describe("what comes before the routes", () => {
  const of = (...urls: string[]) =>
    originsOf(
      { paths: {}, servers: urls.map((url) => ({ url })) },
      "v1",
      "https://own.example/api/docs/v1/swagger",
    );

  it("is the server without the prefix of the version, the page's own first", () => {
    assert.deepEqual(of("https://other.example/base/api/v1/", "https://own.example/api/v1"), [
      "https://own.example",
      "https://other.example/base",
    ]);
  });

  it("is resolved against the page, and listed once", () => {
    assert.deepEqual(of("/api/v1", "https://own.example"), ["https://own.example"]);
  });

  it("is the page's own origin if the document has no valid server", () => {
    assert.deepEqual(of(), ["https://own.example"]);
    assert.deepEqual(of("https://{region}.example/api/v1"), ["https://own.example"]);
  });
});
