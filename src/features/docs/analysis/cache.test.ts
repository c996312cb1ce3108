import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { type CacheContent, isWhole, readCache, writeCache } from "./cache.ts";
import { stampAll } from "./stamps.ts";

function createCache(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "annex-cache-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const [file, config] = [join(folder, "routes.ts"), join(folder, "tsconfig.json")];
  for (const each of [file, config]) writeFileSync(each, "{}");
  const content: CacheContent = {
    madeBy: "1",
    routes: "routes",
    environment: stampAll([config]),
    files: stampAll([file]),
    data: { facts: {}, schemas: {}, handlers: {}, diagnostics: [] },
    types: {},
    components: {},
  };
  const path = join(folder, "cache", "analysis.json");
  writeCache(path, content);
  return { folder, path, file, config, content };
}

describe("the cache of the analysis", () => {
  it("returns the stored content and leaves no temporary file", (t) => {
    const { folder, path, content } = createCache(t);
    assert.deepEqual(readCache(path, "1"), content);
    assert.deepEqual(readdirSync(join(folder, "cache")), ["analysis.json"]);
  });

  it("returns nothing if it is damaged, missing or from another release", (t) => {
    const { path } = createCache(t);
    assert.equal(readCache(path, "2"), undefined);
    assert.equal(readCache(`${path}.missing`, "1"), undefined);
    writeFileSync(path, "{ not json");
    assert.equal(readCache(path, "1"), undefined);
  });

  it("returns nothing if the compiler's configuration has changed", (t) => {
    const { path, config } = createCache(t);
    writeFileSync(config, "{ }");
    assert.equal(readCache(path, "1"), undefined);
  });

  it("is complete while its routes and files are unchanged", (t) => {
    const { file, content } = createCache(t);
    assert.ok(isWhole(content, "routes"));
    assert.ok(!isWhole(content, "other routes"));
    writeFileSync(file, "{ }");
    assert.ok(!isWhole(content, "routes"));
  });
});
