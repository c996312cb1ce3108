import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { OpenAPIDocument } from "../src/docs/openapi/types.ts";
import { startProgram } from "./support/program.ts";

const annex = join(import.meta.dirname, "../src/index.ts");

const server = `
import { createApp, initializeVersionedSystemWithRoutes } from ${JSON.stringify(annex)};
import { routes } from "./routes.ts";
const versions = initializeVersionedSystemWithRoutes({ v1: { config: { publicSwagger: true }, routes } }, "v1");
const app = createApp({ port: 0, versions, log: { store: false } });
const { url } = await app.start();
process.stderr.write("up at " + url + "\\n");
`;

const routes = `// API_SOURCE
import type { RequestEvent, VersionedRouter } from ${JSON.stringify(annex)};
import type { Todo } from "./todo.ts";
import { paging } from "./paging.ts";

function listTodos(e: RequestEvent) {
  const page = paging(e);
  const todos: Todo[] = [];
  return e.json(200, { page, todos });
}

export function routes(router: VersionedRouter): void {
  router.get("/todos", listTodos);
  router.delete("/todos/{id}", (e) => {
    if (!e.query("sure")) throw e.error(400, "Be sure.");
    return e.noContent();
  });
}
`;

const files = {
  "package.json": '{ "type": "module" }',
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      strict: true,
      target: "esnext",
      module: "nodenext",
      noEmit: true,
      allowImportingTsExtensions: true,
      types: [],
    },
  }),
  "server.ts": server,
  "routes.ts": routes,
  "todo.ts": "export interface Todo { title: string }\n",
  "paging.ts": `import type { RequestEvent } from ${JSON.stringify(annex)};
export const paging = (e: RequestEvent) => Number.parseInt(e.query("page") ?? "1", 10);
`,
};

/** A project of its own, with a place for packages, where results are kept. */
function createProject(t: TestContext, changed: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "annex-analysis-"));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "node_modules"));
  for (const [name, text] of Object.entries({ ...files, ...changed }))
    writeFileSync(join(folder, name), text);
  return folder;
}

async function start(t: TestContext, folder: string) {
  const env = { SVC_DATA_DIR: join(folder, "data") };
  const program = startProgram(t, [join(folder, "server.ts")], { cwd: folder, env });
  const [, url] = await program.says(/up at (http:\S+)/);
  const read = async () => (await (await fetch(`${url}/api/docs/v1/openapi.json`)).json()) as OpenAPIDocument;
  return { program, read, url: url! };
}

/** Asks until it is so; what never becomes so runs into the time limit of the test. */
async function until<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean, everyMs = 50): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

const parametersOf = (document: OpenAPIDocument, path = "/todos") =>
  (document.paths[path]?.get?.parameters ?? []).map(({ name }) => name);

describe("the analysis of a running program", () => {
  it("gives exact documents to the first who asks, and ends with the program", async (t) => {
    const { program, read } = await start(t, createProject(t));
    const document = await read();
    assert.deepEqual(document["x-analysis"], { level: "exact", diagnostics: 0 });
    assert.deepEqual(parametersOf(document), ["page"]);
    assert.deepEqual(Object.keys(document.components!.schemas!), ["Error", "ListTodosResponse", "Todo"]);
    assert.equal(document.components!.schemas!.Todo!["x-source" as never], "todo.ts:1");
    program.child.kill("SIGTERM");
    assert.deepEqual(await program.ended, [0, null]);
  });

  it("shows what is saved without a restart, also when the lines have moved", async (t) => {
    const folder = createProject(t);
    const { read } = await start(t, folder);
    assert.deepEqual(parametersOf(await read()), ["page"]);
    writeFileSync(join(folder, "paging.ts"), files["paging.ts"].replace('"page"', '"seite"'));
    await until(read, (document) => parametersOf(document)[0] === "seite");
    const longer = routes
      .replace("function listTodos", "\n\n// API_DESC Lists.\nfunction listTodos")
      .replace('"sure"', '"really"');
    writeFileSync(join(folder, "routes.ts"), longer);
    const document = await until(read, ({ paths }) => paths["/todos"]!.get!.description === "Lists.");
    assert.deepEqual(
      document.paths["/todos/{id}"]!.delete!.parameters!.map(({ name }) => name),
      ["id", "really"],
    );
    writeFileSync(join(folder, "todo.ts"), "export interface Todo { title: string; done: boolean }\n");
    await until(read, ({ components }) => JSON.stringify(components).includes('"done"'));
  });

  it("also does so after a start from what was kept, and keeps that too", async (t) => {
    const folder = createProject(t);
    const restart = async ({ program }: Awaited<ReturnType<typeof start>>) => {
      program.child.kill("SIGTERM");
      await program.ended;
      return start(t, folder);
    };
    const first = await start(t, folder);
    await first.read();
    const second = await restart(first);
    assert.deepEqual(parametersOf(await second.read()), ["page"]);
    const edited = files["paging.ts"].replace('"page"', '"seite"');
    // Nothing says when the folders are watched, so it is saved again; not so often that it never comes to rest.
    await until(
      async () => {
        writeFileSync(join(folder, "paging.ts"), edited);
        return second.read();
      },
      (document) => parametersOf(document)[0] === "seite",
      500,
    );
    const cache = join(folder, "node_modules/.cache/annex/analysis.json");
    await until(
      async () => readFileSync(cache, "utf8"),
      (text) => text.includes("seite"),
    );
    const kept = readFileSync(cache, "utf8");
    const third = await restart(second);
    assert.deepEqual(parametersOf(await third.read()), ["seite"]);
    assert.equal(readFileSync(cache, "utf8"), kept, "the third start took it from there");
  });

  it("harms nobody with a file that is broken for a while", async (t) => {
    const folder = createProject(t);
    const { read } = await start(t, folder);
    await read();
    writeFileSync(join(folder, "routes.ts"), routes.replace("const page = ", "const page = = "));
    const broken = await until(read, (document) => document["x-analysis"]!.diagnostics > 0);
    assert.ok(broken.paths["/todos"]!.get!.responses["2XX"]);
    writeFileSync(join(folder, "routes.ts"), routes);
    const mended = await until(read, (document) => document["x-analysis"]!.diagnostics === 0);
    assert.deepEqual(parametersOf(mended), ["page"]);
  });

  it("keeps what it found for the next start, and looks again at what has changed", async (t) => {
    const folder = createProject(t);
    const first = await start(t, folder);
    const document = await first.read();
    const cache = join(folder, "node_modules/.cache/annex/analysis.json");
    // It is written when whoever asked has been answered.
    await until(
      async () => existsSync(cache),
      (isThere) => isThere,
    );
    first.program.child.kill("SIGKILL");
    await first.program.ended;
    // What a later start takes from there can be told by a mark.
    writeFileSync(cache, readFileSync(cache, "utf8").replaceAll("Be sure.", "Be kept."));
    const second = await start(t, folder);
    const again = await second.read();
    assert.equal(again.paths["/todos/{id}"]!.delete!.responses["400"]!["description" as never], "Be kept.");
    assert.deepEqual({ ...again, paths: {}, servers: [] }, { ...document, paths: {}, servers: [] });
    second.program.child.kill("SIGKILL");
    await second.program.ended;
    writeFileSync(join(folder, "todo.ts"), "export interface Todo { title: string; due: Date }\n");
    const third = await start(t, folder);
    const changed = await third.read();
    assert.match(JSON.stringify(changed.components), /date-time/);
    assert.equal(changed.paths["/todos/{id}"]!.delete!.responses["400"]!["description" as never], "Be sure.");
    third.program.child.kill("SIGKILL");
    await third.program.ended;
    writeFileSync(cache, "{ not json");
    assert.deepEqual((await (await start(t, folder)).read())["x-analysis"], {
      level: "exact",
      diagnostics: 0,
    });
  });
});

describe("annex doctor", () => {
  const cli = join(import.meta.dirname, "../src/cli/bin.ts");
  const examine = async (t: TestContext, changed: Record<string, string> = {}) => {
    const program = startProgram(t, [cli, "doctor", "server.ts"], { cwd: createProject(t, changed) });
    const [code] = await program.ended;
    return { code, out: program.stdout, err: program.stderr };
  };

  it("is content with what is resolved", async (t) => {
    const { code, out, err } = await examine(t);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /^v1: 2 operations, 2 of them read from source\n\nEverything is resolved\.\n$/);
  });

  it("names every place that is not, and what to do", async (t) => {
    const { code, out } = await examine(t, {
      "routes.ts": routes.replace('e.query("sure")', 'e.query("sure-" + Date.now())'),
    });
    assert.equal(code, 2);
    assert.match(
      out,
      /routes\.ts:15 {2}PARAMETER_NAME_UNKNOWN\n {2}The name of this query parameter is made at run time/,
    );
    assert.match(out, /1 thing could not be resolved\.\n$/);
  });

  it("leaves a route whose file has no mark to its route", async (t) => {
    const { code, out } = await examine(t, { "routes.ts": routes.replace("// API_SOURCE", "// nothing") });
    assert.equal(code, 0);
    assert.match(out, /2 operations, 0 of them read/);
  });
});
