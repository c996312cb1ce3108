import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createFolder, type ProgramOptions, startProgram } from "./support/program.ts";

const root = resolve(import.meta.dirname, "..");
const cli = join(root, "src/cli/bin.ts");
const annex = JSON.stringify(join(root, "src/index.ts"));

async function examine(t: TestContext, args: string[], options: ProgramOptions) {
  const program = startProgram(t, [cli, "doctor", ...args], options);
  const [code] = await program.ended;
  return { code, out: program.stdout, err: program.stderr };
}

/** A project with these files. `"annex"` in them is this checkout. */
function createProject(t: TestContext, files: Record<string, string>): string {
  const folder = createFolder(t);
  const compilerOptions = {
    ...{ strict: true, target: "esnext", module: "nodenext", noEmit: true, types: [] },
    allowImportingTsExtensions: true,
  };
  const all = {
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({ compilerOptions }),
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text.replaceAll('"annex"', annex));
  }
  return folder;
}

const server = `import { createApp, initializeVersionedSystemWithRoutes } from "annex";
import { routes } from "./routes.ts";
const versions = initializeVersionedSystemWithRoutes({ v1: { config: {}, routes } }, "v1");
const app = createApp({ versions });
app.authenticate((e) => (e.header("x-api-key") && e.header("x-tenant") ? { id: "robot" } : null));
await app.start();
`;

const mistakes = {
  "server.ts": server,
  "routes.ts": `// API_SOURCE
import { requireAuth, type RequestEvent, type VersionedRouter } from "annex";
import { listOrders } from "./orders.ts";

async function createThing(e: RequestEvent) {
  const body: { name: string } = JSON.parse(await e.readText());
  return e.json(201, body);
}

export function routes(router: VersionedRouter): void {
  router.post("/things", createThing).bind(requireAuth());
  router.get("/orders", listOrders);
  for (const kind of ["open", "paid"]) router.get("/orders/" + kind, listOrders);
  router.get("/hello", (e) => e.json(200, { hello: "world" }));
}
`,
  "orders.ts": `import type { RequestEvent } from "annex";

export function listOrders(e: RequestEvent) {
  return e.json(200, { page: e.query("page") });
}
`,
};

describe("annex doctor", () => {
  it("reports that everything in the example is resolved", async (t) => {
    const { code, out, err } = await examine(t, ["examples/todos/main.ts"], { cwd: root });
    assert.deepEqual([code, err], [0, ""]);
    assert.equal(
      out,
      "v1: 7 operations, all complete\nv2: 9 operations, all complete\n\nEverything is resolved.\n",
    );
  });

  it("checks the routes of a program without versions, such as the README's", async (t) => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const [, program = ""] = /```ts\n(.*?)```/s.exec(readme) ?? [];
    const { code, out, err } = await examine(t, ["server.ts"], {
      cwd: createProject(t, { "server.ts": program }),
    });
    assert.deepEqual([code, err], [0, ""]);
    assert.equal(out, "v1: 1 operation, 1 complete\n\nEverything is resolved.\n");
  });

  it("says so if there are no routes", async (t) => {
    const program = 'import { createApp } from "annex";\nawait createApp().start();';
    const { code, out } = await examine(t, ["server.ts"], {
      cwd: createProject(t, { "server.ts": program }),
    });
    assert.equal(code, 0);
    assert.match(out, /^This application has no routes, so there are no API documents to check\./);
  });

  it("names the operations, the place, the reason and the remedy of every mistake, and ends with 2", async (t) => {
    const { code, out, err } = await examine(t, ["server.ts"], { cwd: createProject(t, mistakes) });
    assert.deepEqual([code, err], [2, ""]);
    assert.equal(
      out,
      `v1: 5 operations, 1 complete, 1 incomplete, 3 documented from the route only

FILE_NOT_MARKED, 3 operations
  Only the route is documented, because orders.ts does not begin with \`// API_SOURCE\` and other files
  do, such as routes.ts. Add the comment to this file, or remove it from all files to read every
  handler.
    orders.ts:3  GET /orders
    orders.ts:3  GET /orders/open
    orders.ts:3  GET /orders/paid

BODY_PARSED_UNCHECKED
  JSON.parse throws if the body is malformed, and the client receives 500. Read the body with
  e.bindBody(), which returns 400, or catch the error.
    routes.ts:6  POST /things

SECURITY_SCHEME_UNKNOWN
  The function passed to app.authenticate reads more than one header or cookie, or its source was not
  found, so the documents do not say how these operations are authenticated. Declare the scheme in the
  configuration of the version, for example: \`securitySchemes: { apiKey: { type: "apiKey", in:
  "header", name: "x-api-key" } }\`.
    server.ts:5  POST /things

3 diagnostics found. The documents may be incomplete.
`,
    );
  });

  it("reads every file if none has a mark", async (t) => {
    const unmarked = { ...mistakes, "routes.ts": mistakes["routes.ts"].replace("// API_SOURCE", "// none") };
    const { code, out } = await examine(t, ["server.ts"], { cwd: createProject(t, unmarked) });
    assert.equal(code, 2);
    assert.match(out, /^v1: 5 operations, 4 complete, 1 incomplete\n/);
  });

  it("says once that code without a source map was not found, with all its operations", async (t) => {
    // It stands for a loader that moves lines and leaves out the map.
    const loader = `import { registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const isOwn = /\\/(routes|orders)\\.ts$/.test(url);
    return isOwn ? { ...loaded, source: "/* loaded */\\n\\n" + loaded.source } : loaded;
  },
});
`;
    const folder = createProject(t, { ...mistakes, "loader.mjs": loader });
    const env = { NODE_OPTIONS: `--import ${join(folder, "loader.mjs")}` };
    const { code, out } = await examine(t, ["server.ts"], { cwd: folder, env });
    assert.equal(code, 2);
    assert.match(out, /^v1: 5 operations, all documented from the route only\n/);
    assert.match(
      out,
      /\n\nHANDLER_NOT_FOUND, 5 operations\n( {2}\S.*\n)+ {4}orders\.ts {2}GET \/orders\n( {4}(orders|routes)\.ts {2}\S+ \S+\n){4}\n/,
    );
    assert.match(out, /has no source map\. Restart the program if the file has changed\./);
  });

  it("notes that JavaScript has no types, in case it was compiled", async (t) => {
    const compiled = {
      "server.js": server.replace("routes.ts", "routes.js"),
      "routes.js": 'export const routes = (r) => r.get("/a", (e) => e.json(200, { of: JSON.parse("1") }));',
    };
    const { code, out } = await examine(t, ["server.js"], { cwd: createProject(t, compiled) });
    assert.equal(code, 2);
    assert.match(out, /routes\.js is JavaScript, which has no types\..*\n.*"sourceMap": true/);
  });

  const failures: [name: string, program: string, message: RegExp][] = [
    [
      "never calls start",
      'import { createApp } from "annex"; createApp();',
      /exited without calling app\.start/,
    ],
    ["ends with 2 itself", "process.exit(2);", /exited with code 2 before it called app\.start\(\)\./],
    [
      "throws",
      'throw new Error("No configuration.");',
      /No configuration\..*exited with code 1 before it called app/s,
    ],
    [
      "has a syntax error",
      "const app = createApp(;",
      /SyntaxError.*exited with code 1 before it called app/s,
    ],
    [
      "cannot register its routes",
      server.replace("routes } }", "routes: (r) => { r.get('/a', () => {}); r.get('/a', () => {}); } } }"),
      /already registered GET \/a.*server\.ts failed to start\. Fix the error above/s,
    ],
  ];
  for (const [name, program, message] of failures) {
    it(`ends with 1 if the program ${name}`, async (t) => {
      const folder = createProject(t, { ...mistakes, "server.ts": program });
      const { code, out, err } = await examine(t, ["server.ts"], { cwd: folder });
      assert.deepEqual([code, out], [1, ""]);
      assert.match(err, message);
    });
  }

  it("says what to change if package.json makes the entry CommonJS", async (t) => {
    const folder = createFolder(t);
    writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }');
    writeFileSync(join(folder, "server.ts"), 'import "node:fs";');
    // The tests' own options name a loader, which could run it.
    const { code, err } = await examine(t, ["server.ts"], { cwd: folder, env: { NODE_OPTIONS: "" } });
    assert.equal(code, 64);
    assert.match(
      err,
      /package\.json has "type": "commonjs"\. Run "npm pkg set type=module", or use a loader/,
    );
  });

  const wrong: [args: string[], message: string][] = [
    [[], "Specify the application's entry file, such as server.ts."],
    [["a.ts", "b.ts"], "Specify the application's entry file, such as server.ts."],
    [["nowhere.ts"], "File not found: nowhere.ts."],
    [["."], ". is not a file. Specify the application's entry file."],
    [["--quiet", "a.ts"], "Unknown option '--quiet'."],
  ];
  for (const [args, message] of wrong) {
    it(`refuses "annex ${["doctor", ...args].join(" ")}"`, async (t) => {
      const { code, out, err } = await examine(t, args, { cwd: createFolder(t) });
      assert.deepEqual([code, out, err], [64, "", `annex: ${message} See annex doctor --help.\n`]);
    });
  }
});
