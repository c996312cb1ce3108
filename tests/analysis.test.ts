import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { OpenAPIDocument } from "../src/features/docs/model/openapi.ts";
import type { Cleanup } from "../src/lib/testing/share.ts";
import { until } from "../src/lib/testing/until.ts";
import { createFolder, startProgram } from "./support/program.ts";

const annex = join(import.meta.dirname, "../src/index.ts");

const server = `
import { createApp, initializeVersionedSystemWithRoutes } from ${JSON.stringify(annex)};
import { routes } from "./routes.ts";
const versions = initializeVersionedSystemWithRoutes({ v1: { config: { publicSwagger: true }, routes } }, "v1");
const app = createApp({ port: 0, versions, docsSources: true, log: { store: false } });
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

const limits = { timeout: 900_000 };

/** A project of its own, with a place for packages, where results are stored. */
function createProject(t: Cleanup, changed: Record<string, string> = {}): string {
  const folder = createFolder(t);
  mkdirSync(join(folder, "node_modules"));
  for (const [name, text] of Object.entries({ ...files, ...changed }))
    writeFileSync(join(folder, name), text);
  return folder;
}

async function start(t: Cleanup, folder: string) {
  const env = { SVC_DATA_DIR: join(folder, "data") };
  const program = startProgram(t, [join(folder, "server.ts")], { cwd: folder, env });
  const [, url] = await program.says(/up at (http:\S+)/);
  const readOnce = async () =>
    (await (await fetch(`${url}/api/docs/v1/openapi.json`)).json()) as OpenAPIDocument;
  // A reader waits 15 seconds for the analysis, which may not be enough on a busy machine.
  const read = () => until("the document is exact", readOnce, isExact);
  return { program, read, url: url! };
}

/** If no handler can be read, that is a result, too. */
const isExact = (document: OpenAPIDocument) =>
  document["x-analysis"]?.level === "exact" || (document["x-analysis"]?.diagnostics ?? 0) > 0;

const parametersOf = (document: OpenAPIDocument, path = "/todos") =>
  (document.paths[path]?.get?.parameters ?? []).map(({ name }) => name);

describe("the analysis of a running program", limits, () => {
  const cleanup: (() => unknown)[] = [];
  const shared = { after: (end: () => unknown) => void cleanup.unshift(end) };
  let folder: string;
  let program: Awaited<ReturnType<typeof start>>["program"];
  let read: () => Promise<OpenAPIDocument>;
  const save = (name: keyof typeof files, text: string) => writeFileSync(join(folder, name), text);

  before(async () => {
    folder = createProject(shared);
    ({ program, read } = await start(shared, folder));
  });
  after(async () => {
    for (const end of cleanup) await end();
  });

  it("gives an exact document to the first reader", async () => {
    const document = await read();
    assert.deepEqual(document["x-analysis"], { level: "exact", operations: 2, read: 2, diagnostics: 0 });
    assert.deepEqual(parametersOf(document), ["page"]);
    assert.deepEqual(Object.keys(document.components!.schemas!), ["Error", "ListTodosResult", "Todo"]);
    assert.equal(document.components!.schemas!.Todo!["x-source" as never], "todo.ts:1");
  });

  it("shows saved files without a restart, even if lines have moved", async () => {
    save("paging.ts", files["paging.ts"].replace('"page"', '"seite"'));
    await until("the helper is read again", read, (document) => parametersOf(document)[0] === "seite");
    const longer = routes
      .replace("function listTodos", "\n\n// API_DESC Lists.\nfunction listTodos")
      .replace('"sure"', '"really"');
    save("routes.ts", longer);
    const document = await until(
      "the routes are read again",
      read,
      ({ paths }) => paths["/todos"]!.get!.description === "Lists.",
    );
    assert.deepEqual(
      document.paths["/todos/{id}"]!.delete!.parameters!.map(({ name }) => name),
      ["id", "really"],
    );
    save("todo.ts", "export interface Todo { title: string; done: boolean }\n");
    await until("the type is read again", read, ({ components }) =>
      JSON.stringify(components).includes('"done"'),
    );
  });

  it("recovers from a file that is broken for a while", async () => {
    save("routes.ts", routes.replace("const page = ", "const page = = "));
    const broken = await until("it is broken", read, (document) => document["x-analysis"]!.diagnostics > 0);
    assert.ok(broken.paths["/todos"]!.get!.responses["2XX"]);
    save("routes.ts", routes);
    const mended = await until("it is mended", read, (document) => document["x-analysis"]!.diagnostics === 0);
    assert.deepEqual(parametersOf(mended), ["seite"]);
  });

  it("follows a file that is away for a while, as by a change of branches", async () => {
    const away = join(folder, "..", `${basename(folder)}-away`);
    mkdirSync(away);
    renameSync(join(folder, "paging.ts"), join(away, "paging.ts"));
    await until("the helper is gone", read, (document) => parametersOf(document).length === 0);
    renameSync(join(away, "paging.ts"), join(folder, "paging.ts"));
    await until("the helper is back", read, (document) => parametersOf(document)[0] === "seite");
    save("paging.ts", files["paging.ts"]);
    await until("it is read again", read, (document) => parametersOf(document)[0] === "page");
    rmSync(away, { recursive: true });
  });

  it("follows a changed configuration of the compiler", async () => {
    /** Undefined while the types of the handler are being read again, because the document then has no schema. */
    const isNullable = ({ components }: OpenAPIDocument) => {
      const todo = components?.schemas?.Todo as { properties: { title: object } } | undefined;
      return todo && "nullable" in todo.properties.title;
    };
    save("todo.ts", "export interface Todo { title: string | null }\n");
    await until("null is allowed", read, (document) => isNullable(document) === true);
    const loose = JSON.parse(files["tsconfig.json"]);
    loose.compilerOptions.strict = false;
    save("tsconfig.json", JSON.stringify(loose));
    await until("null is not seen any more", read, (document) => isNullable(document) === false);
    save("tsconfig.json", files["tsconfig.json"]);
    await until("null is seen again", read, (document) => isNullable(document) === true);
  });

  it("ends with the program", async () => {
    program.child.kill("SIGTERM");
    assert.deepEqual(await program.ended, [0, null]);
  });
});

describe("the results of an analysis", limits, () => {
  const refusalOf = ({ paths }: OpenAPIDocument) =>
    paths["/todos/{id}"]!.delete!.responses["400"]!["description" as never];

  it("are stored for the next start, which analyzes only changed files", async (t) => {
    const folder = createProject(t);
    const cache = join(folder, "node_modules/.cache/annex/analysis.json");
    const end = async ({ program }: Awaited<ReturnType<typeof start>>, signal: "SIGTERM" | "SIGKILL") => {
      program.child.kill(signal);
      await program.ended;
    };
    const cold = await start(t, folder);
    const document = await cold.read();
    // It is written after the response.
    await until("the cache is written", () => existsSync(cache));
    await end(cold, "SIGKILL");
    // A mark shows what a later start takes from the cache.
    writeFileSync(cache, readFileSync(cache, "utf8").replaceAll("Be sure.", "Be kept."));
    const warm = await start(t, folder);
    const again = await warm.read();
    assert.equal(refusalOf(again), "Be kept.");
    assert.deepEqual({ ...again, paths: {}, servers: [] }, { ...document, paths: {}, servers: [] });

    const edited = files["paging.ts"].replace('"page"', '"seite"');
    // The program does not report when it watches its folders, so the file is saved again. The pauses let it rest.
    const saveAndRead = async () => {
      writeFileSync(join(folder, "paging.ts"), edited);
      const current = parametersOf(await warm.read())[0];
      if (current !== "seite") await setTimeout(500);
      return current;
    };
    await until("the change is seen", saveAndRead, (name) => name === "seite");
    await until("the change is stored", () => readFileSync(cache, "utf8").includes("seite"));
    // While it runs, it may read the saved file again and store the result with a new time.
    await end(warm, "SIGTERM");
    const stored = readFileSync(cache, "utf8");
    const third = await start(t, folder);
    assert.deepEqual(parametersOf(await third.read()), ["seite"]);
    assert.equal(readFileSync(cache, "utf8"), stored, "the third start took it from there");

    await end(third, "SIGKILL");
    writeFileSync(join(folder, "todo.ts"), "export interface Todo { title: string; due: Date }\n");
    const fourth = await (await start(t, folder)).read();
    assert.match(JSON.stringify(fourth.components), /date-time/);
    assert.equal(refusalOf(fourth), "Be sure.");
  });
});
