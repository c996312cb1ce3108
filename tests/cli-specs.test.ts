import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createFolder, startProgram } from "./support/program.ts";

const root = resolve(import.meta.dirname, "..");
const bin = join(root, "src/cli/bin.ts");
const library = JSON.stringify(new URL("../src/index.ts", import.meta.url).href);

async function annex(t: TestContext, cwd: string, ...args: string[]) {
  const program = startProgram(t, [bin, ...args], { cwd });
  const [code] = await program.ended;
  return { code, out: program.stdout, err: program.stderr };
}

/** An application whose database and port would fail if they were opened. */
function writeApplication(folder: string, routes: string): string {
  const source = `
    import { createApp, initializeVersionedSystemWithRoutes, requireAuth } from ${library};
    const versions = initializeVersionedSystemWithRoutes({ v1: { config: { title: "Mine" }, routes: (router) => { ${routes} } } }, "v1");
    const app = createApp({ versions, database: "postgres://nobody@127.0.0.1:1/nothing", port: 1 });
    app.onServe(({ router }) => router.bind(requireAuth()));
    await app.start();
  `;
  writeFileSync(join(folder, "server.ts"), source);
  return "server.ts";
}

describe("annex specs diff", () => {
  it("escapes what controls a terminal in names from the documents", async (t) => {
    const folder = createFolder(t);
    const paths = { "/a\n\x1b[2J\u202e": { get: { responses: { 200: { description: "OK" } } } } };
    for (const [name, content] of [
      ["old", paths],
      ["new", {}],
    ] as const) {
      const document = { openapi: "3.0.3", info: { title: "x", version: "1" }, paths: content };
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
    }
    const { out, err } = await annex(t, folder, "specs", "diff", "old.json", "new.json");
    assert.doesNotMatch(out.replaceAll("\n", "") + err, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    assert.match(out, /BREAKING .*\\n\\x1b\[2J\\u202e/, err);
  });
});

describe("annex specs generate", () => {
  it("writes the documents without a port and a database, with the same bytes each time", async (t) => {
    const folder = createFolder(t);
    const entry = writeApplication(folder, 'router.get("/api/v1/todos/{id}", (e) => e.noContent());');
    const first = await annex(t, folder, "specs", "generate", entry);
    assert.deepEqual([first.code, first.err], [0, ""]);
    const file = join(folder, "dist/specs/v1.json");
    const text = readFileSync(file, "utf8");
    const document = JSON.parse(text);
    assert.equal(document.info.title, "Mine");
    assert.deepEqual(Object.keys(document.paths), ["/todos/{id}"]);
    assert.deepEqual(
      document.paths["/todos/{id}"].get.security,
      [{ bearerAuth: [] }],
      "bound in a serve hook",
    );
    assert.equal((await annex(t, folder, "specs", "generate", entry, "--out", "other")).code, 0);
    assert.equal(readFileSync(join(folder, "other/v1.json"), "utf8"), text);
    assert.deepEqual(readdirSync(folder).sort(), ["dist", "other", "server.ts"], "no data folder");
  });

  it("says what is wrong", async (t) => {
    const folder = createFolder(t);
    assert.equal((await annex(t, folder, "specs", "generate")).code, 64);
    assert.match(
      (await annex(t, folder, "specs", "generate", "nowhere.ts")).err,
      /File not found: nowhere.ts/,
    );
    writeFileSync(join(folder, "idle.ts"), "export {};");
    const idle = await annex(t, folder, "specs", "generate", "idle.ts");
    assert.equal(idle.code, 1);
    assert.match(idle.err, /exited without calling app\.start\(\)\. Specify the file that calls createApp/);
    writeFileSync(
      join(folder, "plain.ts"),
      `import { createApp } from ${library}; await createApp().start();`,
    );
    const plain = await annex(t, folder, "specs", "generate", "plain.ts");
    assert.equal(plain.code, 1);
    assert.match(
      plain.err,
      /plain\.ts has no routes, so there are no documents to write\. Add routes in app\.onServe/,
    );
    const entry = writeApplication(
      folder,
      'router.get("/a/{x}", () => {}); router.post("/a/{y}", () => {});',
    );
    const broken = await annex(t, folder, "specs", "generate", entry);
    assert.notEqual(broken.code, 0);
    assert.match(broken.err, /POST \/a\/\{y\} at .*server.ts:\d+:\d+ and GET \/a\/\{x\} at .* differ only/);
  });
});

describe("annex specs validate and diff", () => {
  const operation = { responses: { 200: { description: "OK" } } };
  const documentOf = (paths: object) => ({ openapi: "3.0.3", info: { title: "T", version: "1" }, paths });

  it("validate reports every problem and exits with 1", async (t) => {
    const folder = createFolder(t);
    writeFileSync(join(folder, "good.json"), JSON.stringify(documentOf({ "/a": { get: operation } })));
    writeFileSync(join(folder, "bad.json"), JSON.stringify(documentOf({ "/a/{id}": { get: {} } })));
    const good = await annex(t, folder, "specs", "validate", "good.json");
    assert.deepEqual([good.code, good.out], [0, "good.json is valid\n"]);
    const all = await annex(t, folder, "specs", "validate", ".");
    assert.equal(all.code, 1);
    assert.match(
      all.err,
      /bad.json: GET \/a\/\{id\} has no responses; GET \/a\/\{id\} does not declare \{id\}/,
    );
    assert.equal((await annex(t, folder, "specs", "validate", "nothing.json")).code, 64);
  });

  it("diff ends with 2 when something breaks, with 0 when not", async (t) => {
    const folder = createFolder(t);
    for (const name of ["old", "new"]) mkdirSync(join(folder, name));
    const write = (file: string, paths: object) =>
      writeFileSync(join(folder, file), JSON.stringify(documentOf(paths)));
    write("old/v1.json", { "/a": { get: operation } });
    write("new/v1.json", { "/a": { get: operation }, "/b": { get: operation } });
    const harmless = await annex(t, folder, "specs", "diff", "old/v1.json", "new/v1.json");
    assert.equal(harmless.code, 0);
    assert.equal(harmless.out, "harmless  GET /b added\nChanges: 1, breaking: 0.\n");
    const breaking = await annex(t, folder, "specs", "diff", "new/v1.json", "old/v1.json");
    assert.equal(breaking.code, 2);
    assert.match(breaking.out, /^BREAKING {2}GET \/b removed$/m);
    write("old/v0.json", {});
    for (const [old, next] of [
      ["old", "new"],
      ["old/", "./new"],
    ] as const) {
      const folders = await annex(t, folder, "specs", "diff", old, next);
      assert.equal(folders.code, 2);
      assert.match(folders.out, /v0.json removed/);
    }
    assert.match(
      (await annex(t, folder, "specs", "diff", "old", "new/v1.json")).err,
      /two files, or two folders/,
    );
    assert.equal((await annex(t, folder, "specs", "diff", "old/v1.json")).code, 64);
    assert.equal((await annex(t, folder, "specs", "dance")).code, 64);
  });
});

describe("annex build", () => {
  it("says what is wrong", async (t) => {
    const folder = createFolder(t);
    writeFileSync(join(folder, "server.ts"), "");
    const cases: [args: string[], message: RegExp][] = [
      [[], /Specify the application's entry file/],
      [["server.ts"], /add --production/],
      [["--production", "nowhere.ts"], /File not found: nowhere.ts/],
      [["--production", "server.ts"], /TypeScript is not installed/],
      [["--prod", "server.ts"], /Unknown option/],
    ];
    for (const [args, message] of cases) {
      const { code, err } = await annex(t, folder, "build", ...args);
      assert.equal(code, 64);
      assert.match(err, message);
    }
    assert.ok(!existsSync(join(folder, "dist")));
  });
});
