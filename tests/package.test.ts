import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { rolldown } from "rolldown";
import type { OpenAPIDocument } from "../src/features/docs/model/openapi.ts";
import { copyProduction, installPacked } from "./support/installed-package.ts";
import { notesDocument } from "./support/notes-document.ts";
import { startProgram } from "./support/program.ts";

/**
 * The package as people get it: packed, unpacked into another folder, compiled against and run there. Its dependencies
 * are lent by this checkout, so the test needs no network; that it declares what it uses is checked apart.
 */
const root = resolve(import.meta.dirname, "..");

describe("the packed package", () => {
  let folder: string;
  let installed: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "annex-outside-"));
    installed = await installPacked(folder);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it("contains only the necessary files", () => {
    const files = globSync("**/*", { cwd: installed, exclude: ["node_modules"] });
    for (const needed of [
      "package.json",
      "README.md",
      "LICENSE",
      "dist/index.js",
      "dist/index.d.ts",
      "dist/cli/bin.js",
      "dist/auth/pages/assets/pages.css",
      "dist/auth/passwords/assets/common-passwords.txt.br",
      "dist/auth/passwords/assets/common-passwords.LICENSE.txt",
      "dist/features/dashboard/client/manifest.json",
      "templates/client/runtime.ts",
    ]) {
      assert.ok(files.includes(needed), needed);
    }
    assert.deepEqual(
      files.filter((file) => /\.test\.|testing\/|^(src|tests|bench|examples|web)\b/.test(file)),
      ["templates/app/test/notes.test.ts"],
    );
  });

  it("contains everything that the README links to", () => {
    const readme = readFileSync(join(installed, "README.md"), "utf8");
    const links = [
      ...readme.matchAll(/\]\((?!https?:)([^)#]+)/g),
      ...readme.matchAll(/src(?:set)?="([^"]+)"/g),
    ];
    assert.ok(links.length > 10);
    for (const [, target] of links) assert.ok(existsSync(join(installed, target!)), target);
  });

  it("has no fields that only the repository needs", () => {
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    const internal = ["private", "workspaces", "overrides", "allowScripts", "scripts", "devDependencies"];
    assert.deepEqual(
      internal.filter((field) => field in manifest),
      [],
    );
    assert.deepEqual(manifest.publishConfig, { access: "public", provenance: true });
  });

  it("contains the licenses of the packages in the browser clients", () => {
    for (const [client, names] of Object.entries({
      "dist/features/dashboard/client": ["@preact/signals", "@preact/signals-core", "preact", "uplot"],
      "dist/features/docs/ui/client": ["preact"],
    })) {
      const notices = readFileSync(join(installed, client, "THIRD-PARTY-LICENSES.txt"), "utf8");
      for (const name of names) {
        const { version } = JSON.parse(
          readFileSync(join(root, "node_modules", name, "package.json"), "utf8"),
        );
        const [, notice] = notices.split(`${name} ${version} (MIT)\n\n`);
        assert.match(notice!, /^The MIT License[\s\S]*?Copyright \(c\) \d{4}/, name);
      }
    }
  });

  it("has types that fit its code, for import and require and every resolution", async () => {
    const [archive] = globSync("*.tgz", { cwd: folder });
    const data = new Uint8Array(readFileSync(join(folder, archive!)));
    const result = await checkPackage(createPackageFromTarballData(data));
    assert.ok(result.types);
    assert.deepEqual(result.problems, []);
    const { resolutions } = result.entrypoints["."]!;
    const found = Object.entries(resolutions).map(([kind, { resolution }]) => [kind, resolution?.fileName]);
    const types = "/node_modules/annex/dist/index.d";
    assert.deepEqual(Object.fromEntries(found), {
      node10: `${types}.cts`,
      "node16-cjs": `${types}.cts`,
      "node16-esm": `${types}.ts`,
      bundler: `${types}.ts`,
    });
  });

  it("exports the same values to CommonJS modules", async (t) => {
    const program = [
      'const required = require("annex");',
      'import("annex").then((imported) => {',
      "  const names = Object.keys(imported);",
      "  console.log(names.length > 10, names.every((name) => imported[name] === required[name]));",
      "});",
    ];
    writeFileSync(join(folder, "required.cjs"), program.join("\n"));
    const required = startProgram(t, ["required.cjs"], { cwd: folder });
    assert.deepEqual(await required.ended, [0, null], required.stderr);
    assert.equal(required.stdout, "true true\n");
  });

  it("declares every dependency that it imports", () => {
    const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    const importsOf = (files: string[]) => {
      const isOurs = (file: string) => !/\/(assets|client)\//.test(file);
      const sources = files.filter(isOurs).map((file) => readFileSync(join(installed, file), "utf8"));
      const specifiers = sources.flatMap((source) => {
        const code = source.replace(/\/\*[\s\S]*?\*\//g, "");
        const found = code.matchAll(/\b(?:from|import|require(?:\$\d+)?)\s*\(?\s*"([^".\s,:][^"\s]*)"/g);
        return [...found].map(([, specifier]) => specifier!);
      });
      const names = specifiers.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)![0]);
      return [...new Set(names)].filter((name) => !isBuiltin(name) && name !== "annex");
    };
    const loaded = importsOf(globSync("dist/**/*.js", { cwd: installed }));
    const declared = importsOf(globSync("dist/**/*.d.ts", { cwd: installed }));
    assert.ok(loaded.includes("better-sqlite3"));
    assert.ok(declared.includes("kysely"));
    assert.deepEqual(
      [...loaded, ...declared].filter((name) => !(name in dependencies)),
      [],
    );
    const typed = declared.filter((name) => existsSync(join(root, "node_modules/@types", name)));
    assert.deepEqual(
      typed.filter((name) => !(`@types/${name}` in dependencies)),
      [],
      "The declarations of the package need these types.",
    );
    assert.deepEqual(
      Object.keys(dependencies).filter(
        (name) => !loaded.includes(name) && !declared.includes(name.replace("@types/", "")),
      ),
      [],
      "The package does not need these dependencies.",
    );
  });

  it("type-checks and runs in an application outside of the repository", async (t) => {
    copyFileSync(join(import.meta.dirname, "package/application.ts"), join(folder, "application.ts"));
    const compilerOptions = {
      target: "es2023",
      module: "nodenext",
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["application.ts"] }),
    );
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], { stdio: "inherit" });
    const program = startProgram(t, ["application.ts"], { cwd: folder });
    assert.deepEqual(await program.ended, [0, null], program.stderr);
    assert.deepEqual(JSON.parse(program.stdout), {
      typed: { id: "1", rest: "a/b" },
      tenant: "tu",
      list: 200,
      create: [401, 204],
      upload: [200, 413],
      errors: [418, 409, 401, 404],
      logged: 200,
      page: [200, 200, 200],
      dashboard: [200, 200],
      injected: { id: "7", level: "debug" },
      superusers: 1,
      job: {
        list: ["tidy", "__svcLogClean__", "__svcMetricsRollup__", "__svcVisitors__", "__svcAccessClean__"],
        trigger: "manual",
        level: "start",
        isRunning: true,
      },
      terminated: false,
      isStartError: true,
    });
  });

  it("is built for production, moved, and serves its documents from disk without source, compiler or page package", async (t) => {
    const project = join(folder, "project");
    mkdirSync(join(project, "src"), { recursive: true });
    mkdirSync(join(project, "node_modules"));
    symlinkSync(installed, join(project, "node_modules/annex"));
    symlinkSync(join(root, "node_modules/typescript"), join(project, "node_modules/typescript"));
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
    const compilerOptions = {
      target: "es2023",
      module: "nodenext",
      strict: true,
      skipLibCheck: true,
      types: [],
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
    writeFileSync(
      join(project, "src/server.ts"),
      `// API_SOURCE
      import { checked, createApp, initializeVersionedSystemWithRoutes, type RequestEvent, type VersionedRouter } from "annex";
      // Not erasable: only the compiled program runs.
      enum State { Open = "open", Done = "done" }
      interface Todo { title: string; state: State }
      // API_DESC Lists todos.
      function listTodos(e: RequestEvent) {
        if (!e.query("owner")) throw e.error(400, "Whose?");
        const todos: Todo[] = [{ title: "Milk", state: State.Open }];
        return e.json(200, todos);
      }
      const routes = (router: VersionedRouter): void => {
        router.get("/api/v1/todos", listTodos);
        router.post("/api/v1/todos", async (e) => e.json(201, await e.bindBody<Todo>())).bind(checked());
      };
      // As NodeNext spells it, which only the compiled program understands.
      const { title } = await import("./title.js");
      const config = { title, publicSwagger: true };
      const app = createApp({ versions: initializeVersionedSystemWithRoutes({ v1: { config, routes } }, "v1") });
      app.authenticate(() => ({ id: "anybody" }));
      await app.start();`,
    );
    writeFileSync(join(project, "src/title.ts"), 'export const title = "Built";');
    const cli = join(installed, "dist/cli/bin.js");
    const sources = { SVC_DOCS_SOURCES: "true" };
    const built = startProgram(t, [cli, "build", "--production", "src/server.ts"], {
      cwd: project,
      env: sources,
    });
    assert.deepEqual(await built.ended, [0, null], built.stderr);

    const moved = join(folder, "moved");
    mkdirSync(join(moved, "node_modules"), { recursive: true });
    cpSync(join(project, "dist"), join(moved, "dist"), { recursive: true });
    writeFileSync(join(moved, "package.json"), '{ "type": "module" }');
    copyProduction(installed, join(moved, "node_modules"));
    const env = { ...sources, NODE_ENV: "production", SVC_PORT: "0", SVC_DATA_DIR: join(moved, "data") };
    const server = startProgram(t, [join(moved, "dist/server.js")], { cwd: moved, env });
    const [, url] = await server.says(/listening at (http:\S+?)"/);
    assert.doesNotMatch(server.stdout, /WARN/);
    const config = (await (await fetch(`${url}/api/v1/schema/config`)).json()) as Record<string, unknown>;
    assert.equal(config.generated_from, "disk");
    const document = (await (await fetch(`${url}/api/docs/v1/spec`)).json()) as OpenAPIDocument;
    assert.equal(document.servers[1]!.url, `${url}/api/v1`);
    const operation = document.paths["/todos"]!.get!;
    assert.equal(operation.description, "Lists todos.");
    assert.equal(operation["x-source"], "src/server.ts:7");
    assert.partialDeepStrictEqual(operation.parameters, [{ name: "owner", in: "query", required: true }]);
    assert.deepEqual(Object.keys(operation.responses), ["200", "400", "default"]);
    assert.partialDeepStrictEqual(document.components!.schemas, {
      State: { type: "string", enum: ["open", "done"] },
      Todo: { required: ["title", "state"] },
    });
    const post = (todo: object) => {
      const headers = { "content-type": "application/json" };
      return fetch(`${url}/api/v1/todos`, { method: "POST", headers, body: JSON.stringify(todo) });
    };
    assert.equal((await post({ title: "Milk", state: "done" })).status, 201);
    const refused = await post({ title: "Milk", state: "lost" });
    assert.deepEqual(
      [refused.status, Object.keys(((await refused.json()) as { data: object }).data)],
      [400, ["state"]],
    );
    const page = await (await fetch(`${url}/api/docs/v1/swagger`)).text();
    const [, script] = /<script type="module" src="([^"]+)">/.exec(page)!;
    assert.equal((await fetch(`${url}${script}`)).status, 200);
    appendFileSync(join(moved, "dist/server.js"), "// Compiled again.\n");
    const outdated = startProgram(t, [join(moved, "dist/server.js")], {
      cwd: moved,
      env: { ...env, SVC_DATA_DIR: join(moved, "other") },
    });
    assert.deepEqual(await outdated.ended, [78, null]);
    assert.match(outdated.stderr, /checks\.cjs is older than the source: dist\/server\.js changed/);
  });

  it("builds what the entry imports, through aliases and workspaces, and writes to dist alone", async (t) => {
    const workspace = join(folder, "workspace");
    const write = (path: string, content: string | object) => {
      mkdirSync(join(workspace, path, ".."), { recursive: true });
      writeFileSync(join(workspace, path), typeof content === "string" ? content : JSON.stringify(content));
    };
    write("shared/package.json", { name: "@acme/shared", type: "module", exports: "./src/index.ts" });
    write("shared/src/index.ts", "export enum Mood { Good = 'good' }");
    write("app/package.json", { type: "module" });
    const compilerOptions = {
      target: "es2023",
      module: "nodenext",
      skipLibCheck: true,
      types: [],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the compiler replaces it by the folder of app/tsconfig.json
      paths: { "@/*": ["${configDir}/src/*"] },
      declaration: true,
      declarationDir: "types",
      isolatedDeclarations: true,
      incremental: true,
      tsBuildInfoFile: "build.tsbuildinfo",
    };
    write("tsconfig.base.json", { compilerOptions });
    write("app/tsconfig.json", { extends: "../tsconfig.base.json", include: ["src", "test"] });
    write(
      "app/src/server.ts",
      `import { createApp } from "annex";
      import { greet } from "@/lib/greet.js";
      const app = createApp();
      app.onServe(({ router }) => {
        router.get("/greeting", (e) => e.json(200, greet({ name: "you" })));
      });
      await app.start();`,
    );
    write(
      "app/src/lib/greet.ts",
      `import { Mood } from "@acme/shared";
      export const greet = ({ name }: Person) => ({ hello: name, mood: Mood.Good });`,
    );
    write("app/src/global.d.ts", "interface Person { name: string }");
    write("app/test/server.test.ts", "const broken: string = 1;");
    mkdirSync(join(workspace, "app/node_modules/@acme"), { recursive: true });
    symlinkSync(installed, join(workspace, "app/node_modules/annex"));
    // As npm does it, the compiler is in the workspace's own folder.
    mkdirSync(join(workspace, "node_modules"));
    symlinkSync(join(root, "node_modules/typescript"), join(workspace, "node_modules/typescript"));
    symlinkSync(join(workspace, "shared"), join(workspace, "app/node_modules/@acme/shared"));
    const listFiles = () =>
      globSync("**/*", { cwd: workspace, exclude: ["**/node_modules"] }).filter(
        (file) => !/^app.dist/.test(file),
      );
    const before = listFiles();
    const cwd = join(workspace, "app");
    const cli = join(installed, "dist/cli/bin.js");
    const build = async () => {
      const built = startProgram(t, [cli, "build", "--production", "src/server.ts"], { cwd });
      return { ended: await built.ended, stdout: built.stdout, stderr: built.stderr };
    };
    const { ended, stdout, stderr } = await build();
    assert.deepEqual(ended, [0, null], stderr);
    const [, entry] = /Compiled src\/server\.ts to (\S+) \(3 files\)/.exec(stdout)!;
    assert.deepEqual(listFiles(), before);
    assert.ok(existsSync(join(cwd, entry!, "../specs/v1.json")));
    rmSync(join(workspace, "shared"), { recursive: true });
    const env = { NODE_ENV: "production", SVC_PORT: "0", SVC_DATA_DIR: join(folder, "workspace-data") };
    const server = startProgram(t, [entry!], { cwd, env });
    const [, url] = await server.says(/listening at (http:\S+?)"/);
    assert.deepEqual(await (await fetch(`${url}/greeting`)).json(), { hello: "you", mood: "good" });

    write("app/src/lib/greet.ts", "export const greet = (name: Person): number => name;");
    const failed = await build();
    assert.deepEqual(failed.ended, [1, null]);
    assert.match(
      failed.stderr,
      /greet\.ts.*TS2322[\s\S]*Failed to compile src\/server\.ts; nothing was written/,
    );
    assert.doesNotMatch(failed.stderr, /TSFILE/);
  });

  it("creates an application that type-checks, passes its test, and is built", async (t) => {
    const cwd = join(folder, "My notes");
    mkdirSync(join(cwd, "node_modules"), { recursive: true });
    symlinkSync(installed, join(cwd, "node_modules/annex"));
    for (const name of ["typescript", "@types"])
      symlinkSync(join(root, "node_modules", name), join(cwd, "node_modules", name));
    const npmInit = {
      name: "mine",
      type: "commonjs",
      scripts: { test: 'echo "Error: no test specified" && exit 1' },
    };
    writeFileSync(join(cwd, "package.json"), JSON.stringify(npmInit));
    writeFileSync(join(cwd, "Dockerfile"), "FROM scratch");
    const run = async (...args: string[]) => {
      const program = startProgram(t, args, { cwd });
      assert.deepEqual(await program.ended, [0, null], program.stdout + program.stderr);
      return program.stdout;
    };
    const cli = join(installed, "dist/cli/bin.js");
    const created = await run(cli, "init");
    assert.match(created, /^Changed package\.json\nCreated \.dockerignore, \.gitignore, src\/app\.ts/);
    const empty = join(folder, "empty");
    const first = startProgram(t, [cli, "init", empty], { cwd });
    assert.deepEqual(await first.ended, [0, null], first.stderr);
    assert.match(first.stdout, /^Created package\.json, Dockerfile, \.dockerignore, /);
    assert.match(
      readFileSync(join(empty, "Dockerfile"), "utf8"),
      /^COPY --from=build \/app\/public public$/m,
    );
    assert.equal(readFileSync(join(cwd, "Dockerfile"), "utf8"), "FROM scratch");
    const { name, type, scripts } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
    assert.deepEqual([name, type, scripts.test], ["mine", "module", "node --test"]);
    assert.match(await run(cli, "init"), /Nothing to do/);

    await run(join(root, "node_modules/typescript/bin/tsc"), "-p", ".");
    assert.match(await run("--test", "test/notes.test.ts"), /pass 1/);
    await run(cli, "build", "--production", "src/server.ts");
    const { paths } = JSON.parse(readFileSync(join(cwd, "dist/specs/v1.json"), "utf8")) as OpenAPIDocument;
    assert.deepEqual(Object.keys(paths["/notes"]!), ["get", "post"]);
    const doctor = await run(cli, "doctor", "src/server.ts");
    assert.match(doctor, /v1: 2 operations, all complete/);
  });

  it("says so if it is bundled", async (t) => {
    const cwd = join(folder, "bundled");
    mkdirSync(cwd);
    writeFileSync(
      join(cwd, "server.js"),
      'import { createApp } from "annex"; await createApp({ port: 0 }).start();',
    );
    writeFileSync(join(cwd, "package.json"), '{ "type": "module" }');
    symlinkSync(join(root, "node_modules"), join(cwd, "node_modules"));
    const native = /^(better-sqlite3|@node-rs\/|oxc-|typescript|pg-native)/;
    const bundle = await rolldown({
      input: join(cwd, "server.js"),
      platform: "node",
      external: native,
      logLevel: "silent",
    });
    await bundle.write({ file: join(cwd, "bundle.js"), codeSplitting: false });
    const program = startProgram(t, [join(cwd, "bundle.js")], { cwd });
    const [code] = await program.ended;
    assert.notEqual(code, 0);
    assert.match(
      program.stderr,
      /Annex cannot be bundled.*Exclude it from the bundle, for example with "esbuild --packages=external"/,
    );
  });

  it("brings the command line", async (t) => {
    const program = startProgram(t, [join(installed, "dist/cli/bin.js"), "--help"]);
    assert.deepEqual(await program.ended, [0, null]);
    assert.match(program.stdout, /^Usage: annex <command>/);
    const create = [join(installed, "dist/cli/bin.js"), "superuser", "create", "ada@example.com"];
    const env = { NODE_ENV: "production", SVC_DATA_DIR: join(folder, "cli-data") };
    const refused = startProgram(t, create, { env, input: "password1" });
    assert.deepEqual(await refused.ended, [1, null], refused.stderr);
    assert.match(refused.stderr, /too common/);
    writeFileSync(join(folder, "notes.json"), JSON.stringify(notesDocument));
    const client = [join(installed, "dist/cli/bin.js"), "client", "notes.json", "--out", "api-client.ts"];
    const generator = startProgram(t, client, { cwd: folder });
    assert.deepEqual(await generator.ended, [0, null], generator.stderr);
    assert.match(readFileSync(join(folder, "api-client.ts"), "utf8"), /export function createClient/);
  });
});
