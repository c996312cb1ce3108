import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Docs } from "./docs.ts";
import { createCheckup } from "./doctor-report.ts";
import type { Diagnostic } from "./model/facts.ts";
import type { Analysis } from "./openapi/analysis.ts";
import { createAnalysis, type Found } from "./testing/analysis.ts";
import { APIVersionManager } from "./versions/version-manager.ts";

function check(paths: readonly string[], found: Found) {
  const versions = new APIVersionManager();
  versions.registerVersion("v1", {});
  versions.setVersionRouteRegistrar("v1", (router) => {
    for (const path of paths) router.get(path, () => {});
  });
  versions.registerAllVersionRoutesForDocs();
  const docs = new Docs();
  docs.use(versions);
  const analysis: Analysis = createAnalysis({ level: "exact", factsOf: () => ({}), ...found });
  docs.builder.analysis = analysis;
  return createCheckup(docs);
}

const manyPaths = Array.from({ length: 30 }, (_, index) => `/items/${index}`);
const manyRoutes = manyPaths.map((path) => `GET ${path}`);

describe("a checkup", () => {
  it("shows a reason once for all affected operations", () => {
    const missing = { code: "HANDLER_NOT_FOUND", message: "It has no source map.", isUnread: true };
    const { lines, diagnostics } = check(manyPaths, {
      factsOf: () => undefined,
      diagnostics: [
        { ...missing, file: "a.ts", routes: manyRoutes.slice(0, 10) },
        { ...missing, file: "b.ts", routes: manyRoutes.slice(10) },
      ],
    });
    assert.equal(diagnostics, 2);
    assert.deepEqual(lines.slice(0, 5), [
      "v1: 30 operations, all documented from the route only",
      "",
      "HANDLER_NOT_FOUND, 30 operations",
      "  It has no source map.",
      "    a.ts  GET /items/0",
    ]);
    assert.equal(lines.filter((line) => line.includes("GET /items/")).length, 30);
  });

  it("lists some of the operations that share a location", () => {
    const point = { code: "EVENT_OUT_OF_SIGHT", message: "Out of sight.", file: "auth.ts", line: 3 };
    const { lines } = check(manyPaths, { diagnostics: [{ ...point, routes: manyRoutes }] });
    assert.equal(
      lines[4],
      "    auth.ts:3  GET /items/0, GET /items/1, GET /items/2, GET /items/3 and 26 more",
    );
  });

  it("groups fields with the same problem", () => {
    const anyField = (name: string, line: number): Diagnostic => ({
      ...{ code: "TYPE_ANY", message: `\`${name}\` is any; give it a type.` },
      ...{ file: "todos.ts", line, routes: ["GET /a"] },
    });
    const { lines } = check(["/a"], { diagnostics: [anyField("tags", 5), anyField("id", 12)] });
    assert.deepEqual(lines, [
      "v1: 1 operation, 1 incomplete",
      "",
      "TYPE_ANY, 2 places",
      "  This field is any; give it a type.",
      "    todos.ts:5   `tags`  GET /a",
      "    todos.ts:12  `id`    GET /a",
      "",
      "2 diagnostics found. The documents may be incomplete.",
    ]);
  });

  it("does not report operations as complete without types", () => {
    const diagnostics = [{ code: "TYPES_UNAVAILABLE", message: "Failed to run the TypeScript compiler." }];
    const { lines } = check(["/a", "/b"], { level: "syntax", diagnostics });
    assert.deepEqual(lines, [
      "v1: 2 operations, all without schemas",
      "",
      "TYPES_UNAVAILABLE",
      "  Failed to run the TypeScript compiler.",
      "",
      "1 diagnostic found. The documents may be incomplete.",
    ]);
  });

  it("reports that no version has routes", () => {
    assert.deepEqual(check([], {}).lines, [
      "v1: no operations",
      "",
      "No version has routes. Register them with setVersionRouteRegistrar.",
    ]);
  });
});
