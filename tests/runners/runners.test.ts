import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { OpenAPIDocument, Operation, OperationMethod } from "../../src/features/docs/model/openapi.ts";
import { until } from "../../src/lib/testing/until.ts";
import { createFolder, startProgram } from "../support/program.ts";
import { stagePackage } from "../support/staged-package.ts";

const here = import.meta.dirname;
const root = join(here, "../..");

/** A way to run an application that is written in TypeScript. */
interface Runner {
  readonly name: string;
  /** Whether the project is of ES modules. Default true. */
  readonly isModule?: boolean;
  /** What makes other files of the source, before the program starts. */
  readonly prepare?: (folder: string) => void;
  /** Default `server-with-enums.ts`. */
  readonly entry?: string;
  /** The options of Node. */
  readonly options?: string;
}

/** npm puts a tool where its version is needed: here, or beside all others. */
function tool(name: string): string {
  const places = [here, root].map((folder) => join(folder, "node_modules/.bin", name));
  return places.find((path) => existsSync(path))!;
}

/** Those that transform the source, or run what was made of it. */
const transforming: Runner[] = [
  { name: "--experimental-transform-types", options: "--experimental-transform-types" },
  { name: "tsx", options: "--import tsx" },
  { name: "tsx with CommonJS", options: "--import tsx", isModule: false },
  { name: "ts-node", options: "--require ts-node/register/transpile-only", isModule: false },
  { name: "@swc-node/register", options: "--import @swc-node/register/esm-register" },
  { name: "@swc-node/register with CommonJS", options: "--require @swc-node/register", isModule: false },
  { name: "esbuild-register", options: "--require esbuild-register", isModule: false },
  {
    name: "the compiler, with source maps",
    prepare: compile("--sourceMap"),
    entry: "dist/server-with-enums.js",
  },
  {
    name: "the compiler, with inline source maps",
    prepare: compile("--sourceMap", "false", "--inlineSourceMap", "--inlineSources"),
    entry: "dist/server-with-enums.js",
  },
  {
    name: "a bundle of esbuild with a source map",
    prepare: bundle("--sourcemap"),
    entry: "dist/server-with-enums.js",
  },
  {
    name: "a minified bundle with a source map",
    prepare: bundle("--sourcemap", "--minify"),
    entry: "dist/server-with-enums.js",
  },
];

/** Those that leave no way back to the source: what runs is read, as far as it can be. */
const untraceable: Runner[] = [
  {
    name: "the compiler, without source maps",
    prepare: compile("--sourceMap", "false"),
    entry: "dist/server-with-enums.js",
  },
  { name: "a bundle of esbuild without a source map", prepare: bundle(), entry: "dist/server-with-enums.js" },
  {
    name: "a minified bundle without a source map",
    prepare: bundle("--minify"),
    entry: "dist/server-with-enums.js",
  },
];

function compile(...options: string[]) {
  return (folder: string) =>
    void execFileSync("tsc", ["--noEmit", "false", "--outDir", "dist", ...options], { cwd: folder });
}

function bundle(...options: string[]) {
  return (folder: string) =>
    void execFileSync(
      tool("esbuild"),
      [
        "server-with-enums.ts",
        "--bundle",
        "--platform=node",
        "--format=esm",
        "--packages=external",
        "--outdir=dist",
        ...options,
      ],
      { cwd: folder, stdio: "ignore" },
    );
}

const compilerOptions = {
  target: "es2022",
  module: "nodenext",
  strict: true,
  skipLibCheck: true,
  rewriteRelativeImportExtensions: true,
  types: [],
  sourceMap: true,
  noEmit: true,
  rootDir: ".",
};

describe("the document under every runner", { timeout: 1_200_000 }, () => {
  const cleanup: (() => unknown)[] = [];
  const shared = { after: (end: () => unknown) => void cleanup.unshift(end) };
  let packages: string;

  before(async () => {
    packages = join(createFolder(shared), "node_modules");
    const target = join(packages, "annex");
    cpSync(await stagePackage(), target, { recursive: true });
    symlinkSync(join(root, "node_modules"), join(target, "node_modules"));
    for (const name of ["tsx", "ts-node", "@swc-node", "@swc", "esbuild", "esbuild-register", "typescript"]) {
      const own = [join(here, "node_modules", name), join(root, "node_modules", name)].find(existsSync);
      if (own) symlinkSync(own, join(packages, name));
    }
  });

  after(async () => {
    for (const end of cleanup) await end();
  });

  function createProject({ isModule = true, prepare }: Runner): string {
    const folder = createFolder(shared);
    cpSync(join(here, "app"), folder, { recursive: true });
    symlinkSync(packages, join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), JSON.stringify(isModule ? { type: "module" } : {}));
    const module = isModule ? "nodenext" : "commonjs";
    const moduleResolution = isModule ? "nodenext" : "node10";
    // Hooks of `require` find TypeScript files by their own names.
    const options = {
      ...compilerOptions,
      module,
      moduleResolution,
      rewriteRelativeImportExtensions: isModule,
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, "ts-node": { transpileOnly: true } }),
    );
    prepare?.(folder);
    return folder;
  }

  async function documentsOf(runner: Runner): Promise<Record<"v1" | "v2", OpenAPIDocument>> {
    const folder = createProject(runner);
    // As the command line does it, without a process of its own.
    const task = { kind: "specs", folder: join(folder, "specs") };
    const env = {
      NODE_OPTIONS: runner.options ?? "",
      SVC_DOCS_SOURCES: "true",
      ANNEX_TASK: JSON.stringify(task),
    };
    const preload = join(packages, "annex/dist/cli/task-preload.js");
    const args = ["--require", preload, runner.entry ?? "server-with-enums.ts"];
    const program = startProgram(shared, args, { cwd: folder, env });
    const [code] = await program.ended;
    assert.equal(code, 0, program.stdout + program.stderr);
    const read = (label: string) => {
      const file = join(folder, "specs", `${label}.json`);
      return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
    };
    return { v1: read("v1"), v2: read("v2") };
  }

  /** The expected one: what plain Node shows of a program that it can run. */
  let plain: OpenAPIDocument;

  it("is complete under Node itself", async () => {
    const { v1: document } = await documentsOf({ name: "node", entry: "server.ts" });
    plain = document;
    assert.deepEqual(document["x-analysis"], { level: "exact", operations: 8, read: 8, diagnostics: 0 });
    const { get, post } = document.paths["/tickets"]!;
    assert.deepEqual(
      [get, post].map((operation) => operation?.operationId),
      ["listTickets", "sellTicket"],
    );
    assert.deepEqual(Object.keys(post!.responses), ["201", "400", "410", "413", "415", "default"]);
    assert.deepEqual(Object.keys(document.paths["/doors"]!.post!.responses), [
      "204",
      "400",
      "403",
      "default",
    ]);
  });

  for (const runner of transforming) {
    it(`is the same with ${runner.name}, and right for enums and parameter properties`, async () => {
      const { v1, v2 } = await documentsOf(runner);
      assert.deepEqual(v1, plain);
      const { paths, "x-analysis": analysis } = v2;
      assert.deepEqual(analysis, { level: "exact", operations: 4, read: 4, diagnostics: 0 });
      const { post: doors } = paths["/doors"]!;
      assert.equal(doors!.description, "Opens the doors.");
      assert.deepEqual(Object.keys(doors!.responses), ["204", "403", "default"]);
      assert.equal(paths["/tickets"]!.post!.description, "Sells a ticket.");
      assert.equal(paths["/seats"]!.get!.description, "Counts the free seats.");
      assert.equal(paths["/prices"]!.get!.description, "Returns the price of a seat.");
    });
  }

  for (const runner of untraceable) {
    it(`has no fact of another handler with ${runner.name}`, async () => {
      const { paths } = (await documentsOf(runner)).v1;
      for (const [path, item] of Object.entries(paths))
        for (const [method, operation] of Object.entries(item)) {
          const expected = plain.paths[path]![method as OperationMethod]!;
          if (operation.description) assert.equal(operation.description, expected.description);
          const statuses = Object.keys(operation.responses).filter((status) => status !== "2XX");
          assert.deepEqual(
            statuses.filter((status) => !expected.responses[status]),
            [],
          );
          const names = ((operation as Operation).parameters ?? []).map(({ name }) => name);
          assert.deepEqual(
            names.filter((name) => !expected.parameters?.some((each) => each.name === name)),
            [],
          );
        }
    });
  }

  it("follows a change with node --watch", async () => {
    const folder = createProject({ name: "node --watch" });
    const env = { SVC_PORT: "0", SVC_DATA_DIR: join(folder, "data") };
    const program = startProgram(shared, ["--watch", "server.ts"], { cwd: folder, env });
    const read = async () => {
      const [url] = (program.stdout + program.stderr).match(/http:\/\/127[\d.:]+/g)!.slice(-1);
      const response = await fetch(`${url}/api/docs/v1/openapi.json`).catch(() => undefined);
      return (await response?.json()) as OpenAPIDocument | undefined;
    };
    const summaryOf = (document: OpenAPIDocument | undefined) => document?.paths["/driver"]?.get?.summary;
    try {
      await program.says(/http:\/\/127[\d.:]+/);
      await until("the document is complete", read, (document) => document?.["x-analysis"]?.read === 8);
      const file = join(folder, "routes.ts");
      const text = readFileSync(file, "utf8");
      writeFileSync(
        file,
        text.replace('  api.get("/driver"', '  // API_DESC Finds the driver.\n  api.get("/driver"'),
      );
      await until(
        "the document has changed",
        async () => summaryOf(await read()),
        (each) => each === "Finds the driver.",
      );
    } finally {
      // Killed at once, it would leave the program behind that it runs.
      program.child.kill("SIGTERM");
      await program.ended;
    }
  });
});
