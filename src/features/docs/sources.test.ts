import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createOwnedServer } from "../../auth/testing/server.ts";
import { Docs } from "./docs.ts";
import { mountDocs } from "./routes.ts";
import { createAnalysis } from "./testing/analysis.ts";
import { APIVersionManager } from "./versions/version-manager.ts";

const parameters = [
  { name: "page", in: "query" as const, schema: { type: "string" }, "x-source": "src/todos.ts:4" },
];

/** A public version whose source has been read. */
function createDocs(publishesSources?: boolean): Docs {
  const versions = new APIVersionManager();
  versions.registerVersion("v1", { publicSwagger: true });
  versions.setVersionRouteRegistrar("v1", (router) => {
    router.get("/api/v1/todos", (e) => e.json(200, []));
  });
  const docs = new Docs(publishesSources === undefined ? {} : { publishesSources });
  docs.use(versions);
  docs.setAnalyzer(async () => ({
    analyze: async (_, onFound) =>
      onFound(createAnalysis({ level: "exact", factsOf: () => ({ source: "src/todos.ts:3", parameters }) })),
    close: async () => {},
  }));
  docs.registerRoutes();
  return docs;
}

async function createSite(t: TestContext, docs: Docs) {
  const { inject, token } = await createOwnedServer(t, {
    routes: ({ routes }) => mountDocs(routes.router("Annex"), docs),
  });
  const headers = { authorization: `Bearer ${token}` };
  return {
    read: async (url: string) => (await inject({ url })).body,
    readAsSuperuser: async (url: string) => (await inject({ url, headers })).body,
  };
}

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "annex-sources-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const publicUrls = ["/api/docs/v1/spec", "/api/docs/v1/openapi.json"];
const privateUrls = ["/api/docs/v1", "/_/_/data/api/v1", "/api/docs/debug/ast"];

describe("source locations", () => {
  it("are shown to superusers, and not in public documents", async (t) => {
    const { read, readAsSuperuser } = await createSite(t, createDocs());
    for (const url of publicUrls) {
      const body = await read(url);
      assert.match(body, /"page"/);
      assert.doesNotMatch(body, /x-source|todos\.ts/, url);
      assert.equal(await readAsSuperuser(url), body, "a cache may keep it, whoever asked");
    }
    for (const url of privateUrls)
      assert.match(await readAsSuperuser(url), /"x-source":"src\/todos\.ts:4"/, url);
  });

  it("are public if the application enables them", async (t) => {
    const { read } = await createSite(t, createDocs(true));
    for (const url of publicUrls) assert.match(await read(url), /"x-source":"src\/todos\.ts:4"/, url);
  });

  it("are in spec files only if the application enables them", async (t) => {
    const {
      files: [file],
    } = await createDocs().writeSpecs(createFolder(t));
    assert.doesNotMatch(readFileSync(file!, "utf8"), /x-source|todos\.ts/);
    const {
      files: [asked],
    } = await createDocs(true).writeSpecs(createFolder(t));
    assert.match(readFileSync(asked!, "utf8"), /"x-source": "src\/todos\.ts:4"/);
  });

  it("in a spec file are shown only to superusers, unless the application enables them", async (t) => {
    const folder = createFolder(t);
    await createDocs(true).writeSpecs(folder);
    const docs = createDocs();
    docs.readSpecs(folder, assert.fail);
    const { read, readAsSuperuser } = await createSite(t, docs);
    assert.doesNotMatch(await read("/api/docs/v1/spec"), /x-source|todos\.ts/);
    assert.match(await readAsSuperuser("/api/docs/v1"), /"x-source":"src\/todos\.ts:4"/);
  });
});
