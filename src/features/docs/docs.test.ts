import assert from "node:assert/strict";
import { test } from "node:test";
import { Docs } from "./docs.ts";
import { createAnalysis } from "./testing/analysis.ts";
import { APIVersionManager } from "./versions/version-manager.ts";

test("documents include an analyzer's findings as soon as they are available", async () => {
  const versions = new APIVersionManager();
  versions.registerVersion("v1");
  versions.setVersionRouteRegistrar("v1", (router) => void router.get("/api/v1/x", () => {}));
  versions.registerAllVersionRoutesForDocs();
  const docs = new Docs();
  docs.use(versions);
  const read = async () =>
    (await docs.builder.create(versions.find("v1")!, { host: "x", scheme: "https" })).paths["/x"]!.get!;
  assert.equal((await read()).description, undefined);
  docs.setAnalyzer(async () => ({
    async analyze([registry], onFound) {
      assert.equal(registry!.size, 1);
      onFound(createAnalysis({ factsOf: ({ path }) => ({ description: `Found at ${path}` }) }));
    },
    close: async () => {},
  }));
  await docs.analyze();
  assert.equal((await read()).description, "Found at /api/v1/x");
});

test("the versions forget an application when it closes", async () => {
  const versions = new APIVersionManager();
  const docs = new Docs();
  docs.use(versions);
  const announced: string[] = [];
  docs.onVersion = ({ label }) => announced.push(label);
  versions.registerVersion("v1");
  await docs.close();
  versions.registerVersion("v2");
  assert.deepEqual(announced, ["v1"]);
});
