import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { writeCache } from "./cache.ts";
import { Project, type Result } from "./project.ts";
import { ResultKeeper } from "./result-keeper.ts";
import type { TypeEngine } from "./types/query.ts";

const source = `// API_SOURCE\nrouter.get("/a", (e) => e.text(200, e.query("page")));\n`;

const engine: TypeEngine = {
  ask: (queries) => ({
    facts: queries.map(() => ({ isUnknown: true, components: [], problems: [] })),
    components: {},
    ambientFiles: [],
  }),
  conceal() {},
  refresh() {},
  close() {},
};

/** An analyzed project, a keeper of its result, and the retries that the keeper requested. */
async function analyze(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), "annex-keeper-"));
  t.after(() => rmSync(root, { recursive: true }));
  const file = join(root, "routes.ts");
  const cache = join(root, "analysis.json");
  writeFileSync(file, source);
  const program = { locate: async () => [], textOf: () => undefined, readValidators: async () => [] };
  const project = new Project({ root, openEngine: () => engine }, program);
  const route = {
    key: "a",
    method: "GET",
    path: "/a",
    parameters: [],
    registered: { file, line: 2, column: 8 },
    handlerName: undefined,
    middleware: [],
  };
  const results: Result[] = [];
  for await (const result of project.analyze([route])) results.push(result);
  const delays: number[] = [];
  const keeper = new ResultKeeper({
    write: (content) => writeCache(cache, content),
    retryLater: (delayMs) => delays.push(delayMs),
  });
  const keep = () => keeper.keep(() => project.content("test", "routes", results.at(-1)!.data));
  return { file, cache, keeper, keep, delays };
}

describe("the result keeper", () => {
  it("stores a result immediately if no file has changed", async (t) => {
    const { cache, keep, delays } = await analyze(t);
    keep();
    assert.match(readFileSync(cache, "utf8"), /"page"/);
    assert.deepEqual(delays, []);
  });

  it("stores a result later if a file was being written, even if its content is the same again", async (t) => {
    const { file, cache, keeper, keep, delays } = await analyze(t);
    writeFileSync(file, source.slice(0, 20));
    keep();
    assert.ok(!existsSync(cache));
    writeFileSync(file, source);
    assert.deepEqual(delays, [80], "it asks to be called again");
    keeper.retry();
    assert.match(readFileSync(cache, "utf8"), /"page"/);
    rmSync(cache);
    keeper.retry();
    assert.ok(!existsSync(cache), "once is enough");
  });

  it("stops retrying if a file keeps changing, and drops an outdated result", async (t) => {
    const { file, cache, keeper, keep, delays } = await analyze(t);
    writeFileSync(file, "");
    keep();
    for (let count = 0; count < 20; count++) keeper.retry();
    assert.deepEqual(delays, [80, 160, 320, 640, 1280, 2560, 5120, 10240]);
    keeper.drop();
    writeFileSync(file, source);
    keeper.retry();
    assert.ok(!existsSync(cache));
  });
});
